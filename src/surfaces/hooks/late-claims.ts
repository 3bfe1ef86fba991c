/**
 * After a write that took its time: what allowed it may have ended, and another may hold the file since, or have
 * committed lines that it took away (N-07). Both get a notice; the change is kept as a patch, and either side can take it back. True: notices were sent.
 */
import { join } from "node:path";
import { showText } from "../../base/text.ts";
import type { Actor, Claims } from "../../claims/index.ts";
import { keepLatePatch } from "../../edit/index.ts";
import { blameLines, createGit, type Repository } from "../../git/index.ts";
import { type OverdueWrite, overKey } from "../../lines/index.ts";
import type { HookHeadgate } from "./dependencies.ts";

export const tellLateClaims = async (
  overdue: readonly OverdueWrite[],
  claims: Claims,
  { repository, events, notify }: Pick<HookHeadgate, "repository" | "events" | "notify">,
): Promise<boolean> => {
  const { actor } = claims;
  const own = showText(actor.id, 80);
  let isLate = false;
  for (const write of overdue) {
    const met =
      (await metClaim(write, claims, repository)) ?? (await metCommit(write, claims, repository));
    if (!met) continue;
    const { id } = write.edit;
    const patch = keepLatePatch(repository, id, write);
    const back = `headgate undo ${id} --yes takes it back`;
    const common = { kind: "late-write", target: write.path, about: `late:${id}` } as const;
    await notify([
      {
        ...{ ...common, to: actor.id },
        ...(met.others[0] !== undefined && { replaces: overKey(write.path, met.others[0]) }),
        text: `your write came late: ${met.toAuthor}; ${back}; your change is kept as ${patch}`,
      },
      ...met.others.map((to) => ({ ...common, to, text: `${own} ${met.toOther}; ${back}` })),
    ]);
    const data = { path: write.path, edit: id, ...met.data };
    await events.append({ kind: "write.late", actor: actor.id, data });
    isLate = true;
  }
  return isLate;
};

interface Met {
  readonly others: readonly string[];
  readonly toAuthor: string;
  readonly toOther: string;
  readonly data: Record<string, string | number>;
}

const metClaim = async (
  write: OverdueWrite,
  claims: Claims,
  { worktree }: Repository,
): Promise<Met | undefined> => {
  const target = { path: join(worktree, write.path), extent: "file" } as const;
  const held = await claims.list({ actor: claims.actor.id, target, mode: "edit" });
  if (held.claims.length > 0) return undefined;
  const { blockers } = await claims.check([target], { mode: "edit" });
  const [blocker] = blockers;
  if (!blocker) return undefined;
  return {
    others: [blocker.actor],
    toAuthor: `${showText(blocker.actor, 80)} holds ${blocker.target} since`,
    toOther: "wrote what you hold, after its own hold had ended",
    data: { over: blocker.actor, claim: blocker.id },
  };
};

/** Lines that others committed while the write was under way: the next commit would take them out again. */
const metCommit = async (
  { path, took, commitSince }: OverdueWrite,
  { actor }: Claims,
  { worktree }: Repository,
): Promise<Met | undefined> => {
  if (commitSince === undefined || took.length === 0) return undefined;
  const lines = await blameLines(createGit({ cwd: worktree }), "HEAD", path);
  // Git knows no parts of a second.
  const from = Math.floor(commitSince / 1000) * 1000;
  const gone = took.flatMap((place) => {
    const line = lines[place];
    return line && line.at >= from && !line.actors.some((one) => belongsTo(one, actor))
      ? [line]
      : [];
  });
  const [first] = gone;
  if (!first) return undefined;
  const others = [...new Set(gone.flatMap(({ actors }) => actors))];
  const count = gone.length === 1 ? "a line" : `${gone.length} lines`;
  const who = others[0] ?? first.author;
  return {
    others,
    toAuthor: `it took ${count} away that ${showText(who, 80)} has committed since it was allowed`,
    toOther: `took ${count} away that you committed, with a late write`,
    data: { over: who, commit: first.commit, lines: gone.length },
  };
};

const belongsTo = (name: string, { session }: Actor): boolean =>
  name === session || name.startsWith(`${session}/`);
