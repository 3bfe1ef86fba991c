/**
 * Edits of other sessions in the same parts of a file. In the same working tree lines keep them apart, and in
 * other worktrees, clones and machines nothing does until they are merged: both pass with a note, unless the
 * settings say that an edit elsewhere excludes.
 */
import { showText } from "../base/text.ts";
import {
  type Blocker,
  type Claims,
  escapePath,
  parseActor,
  type TargetInput,
} from "../claims/index.ts";
import type { FileAuthor, Lines, NearLines } from "../lines/index.ts";
import type { EditRules } from "./configured-policy.ts";
import { conflictFinding } from "./rules/claims.ts";
import type { Reason } from "./types.ts";

/** Another session that changes the same thing, or lines next to it. */
export interface NearEdit {
  readonly path: string;
  /** The part that this edit changes. */
  readonly target: string;
  readonly actor: string;
  readonly session: string;
  readonly task: string;
  /** The worktree of the other, as the store names it; undefined: the same one. */
  readonly elsewhere?: string;
}

export interface BesidePorts {
  readonly claims: Pick<Claims, "check">;
  readonly lines: Pick<Lines, "authors"> | undefined;
  readonly rules: EditRules;
}

export interface BesideLook {
  /** Claims that were asked for, and edits elsewhere that exclude. */
  readonly reasons: readonly Reason[];
  /** Ids of the edits elsewhere that exclude; the older of two was first. */
  readonly excluding: readonly string[];
  readonly near: readonly NearEdit[];
}

/** Looks at all claims that overlap; takes none. */
export const lookBeside = async (
  { claims, lines, rules }: BesidePorts,
  targets: readonly TargetInput[],
  paths: readonly string[],
): Promise<BesideLook> => {
  const { blockers, beside = [] } = await claims.check(targets, { mode: "edit" });
  const reasons = blockers.map((blocker) => plainReason(blocker, paths[0] ?? ""));
  const excluding: string[] = [];
  const near: NearEdit[] = [];
  const alive = beside.filter(({ liveness }) => liveness.state !== "dead");
  for (const path of lines && alive.length > 0 ? paths : []) {
    const there = alive.flatMap((one) => {
      const target = one.blocks.find((text) => isPart(text, path));
      return target === undefined ? [] : [{ one, target, session: parseActor(one.actor).session }];
    });
    if (there.length === 0) continue;
    const authors =
      (await lines?.authors(
        path,
        there.map(({ session }) => session),
      )) ?? [];
    for (const { one, target, session } of there) {
      for (const author of authors.filter((known) => known.session === session)) {
        near.push(nearEdit(author, { path, target, actor: one.actor }));
        if (author.elsewhere === undefined || rules.across(path) !== "exclude") continue;
        reasons.push(elsewhereReason(one, path, author));
        excluding.push(one.id);
      }
    }
  }
  return { reasons, excluding, near };
};

const isPart = (target: string, path: string): boolean => {
  const file = escapePath(path);
  return target === file || target.startsWith(`${file}#`);
};

const nearEdit = (
  { session, task, elsewhere }: FileAuthor,
  own: Pick<NearEdit, "path" | "target" | "actor">,
): NearEdit => ({ ...own, session, task, ...(elsewhere !== undefined && { elsewhere }) });

/** The same session is named once for each part, and lines nearby only where it has no part in common. */
export const withNearLines = (
  near: readonly NearEdit[],
  lines: readonly NearLines[],
  targets: readonly string[],
): NearEdit[] => {
  const further = lines.filter(
    ({ path, session }) =>
      !near.some((one) => one.path === path && one.session === session && !one.elsewhere),
  );
  return [
    ...near,
    ...further.map(({ path, actor, session, task }) => ({
      ...{ path, actor, session, task },
      target: targets.find((target) => isPart(target, path)) ?? path,
    })),
  ];
};

export const plainReason = (blocker: Blocker, path: string): Reason => {
  const { level: _, ...reason } = conflictFinding(blocker, path);
  return reason;
};

const elsewhereReason = (
  blocker: Blocker,
  path: string,
  { task, elsewhere = "" }: FileAuthor,
): Reason => ({
  ...plainReason(blocker, path),
  message:
    `${blocker.target} is being changed by ${showText(blocker.actor)}${forTask(task)} in another worktree, ` +
    `${showText(elsewhere)}, and not committed yet (${blocker.id}, until ${blocker.expiresAt}).`,
  remedy:
    "Work elsewhere and repeat this edit when that one is committed. The setting claims.across says that edits exclude each other there.",
});

export const forTask = (task: string): string =>
  task === "" ? "" : ` for "${showText(task, 80)}"`;
