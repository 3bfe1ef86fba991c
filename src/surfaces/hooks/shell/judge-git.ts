/** Git commands against the uncommitted work of others and against what they hold of git itself. */
import { join, relative, sep } from "node:path";
import { type Files, systemFiles } from "../../../base/files.ts";
import { createGit } from "../../../git/index.ts";
import { limits } from "../../../base/limits.ts";
import { resolveInRepository } from "../../../base/paths.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Blocker, Claim } from "../../../claims/index.ts";
import type { Reason } from "../../../gate/index.ts";
import { blockersOf } from "./blockers.ts";
import { type DirtyFile, listDirty } from "./dirty-files.ts";
import type { FileTarget } from "./file-targets.ts";
import { foreignLines, linesReason, notedByOthers } from "./foreign-lines.ts";

import type { GitEffect, ShellContext } from "./types.ts";

/** Throws what the store and git throw. */
export const judgeGit = async (effect: GitEffect, context: ShellContext): Promise<Reason[]> => {
  const root = worktreeOf(effect.at, context);
  if (root === undefined) return [];
  const { claims, files: disk = systemFiles } = context;
  const parts = effect.dirty === "maybe" ? [] : effect.touches;
  const asked = await blockersOf(
    parts.map((one) => `@git/${one}`),
    claims,
  );
  // A commit that is being made is over in a moment: `add` and `commit` take turns (git-turn.ts).
  const takesTurn = ["add", "stage", "commit"].includes(effect.operation);
  const held = takesTurn ? asked.filter((one) => !isCommitTurn(one)) : asked;
  if (held.length > 0) return held.map((blocker) => partReason(effect, blocker));
  // An agent's commit is narrowed to its own lines (surfaces/git/narrow.ts).
  if (effect.dirty === "none" || effect.harm === "takes") return [];
  const all = await claims.list({ limit: limits.claimsListedMax });
  const others = all.claims.filter(({ actor, mode }) => actor !== claims.actor.id && !isEdit(mode));
  const lines = await context.linesIn(root);
  const { session } = claims.actor;
  const noted = await notedByOthers(lines, session);
  const isAlone = others.length === 0 && noted.size === 0;
  if (isAlone && effect.dirty !== "maybe") return [];
  const git = context.git ?? createGit({ cwd: root, ...environmentOf(context) });
  const dirty = isAlone ? [] : await listDirty(git, gitMs);
  const scope = scopeOf(effect, { root, dirty, files: disk });
  if (scope.isSwitch) {
    const blockers = await blockersOf(
      effect.touches.map((one) => `@git/${one}`),
      claims,
    );
    if (blockers.length > 0) return blockers.map((blocker) => partReason(effect, blocker));
  }
  const reached = dirty.filter((file) => scope.includes(file));
  const files = heldFiles(reached, others);
  for (let from = 0; from < files.length; from += limits.claimTargetsMax) {
    const part = files.slice(from, from + limits.claimTargetsMax);
    const blockers = await blockersOf(
      part.map((path) => ({ path: join(root, path), extent: "file" })),
      claims,
    );
    const asked = blockers.filter(({ mode }) => !isEdit(mode));
    if (asked[0]) return [workReason(effect, asked[0], asked)];
  }
  const theirs = reached.map(({ path }) => path).filter((path) => noted.has(path));
  const found = await foreignLines(theirs, { lines, git, session });
  // Git keeps what it does not take away; only those at work would find another commit below their files.
  const isKept = effect.harm === "moves" || scope.isSwitch;
  const inWay = isKept ? found.filter(({ state }) => state === "here") : found;
  return inWay[0] ? [linesReason(effect, inWay[0], inWay)] : [];
};

/** D6: a linked worktree may go, unless it holds uncommitted lines of another session. */
export const judgeRemoval = async (
  { absolute, by }: Pick<FileTarget, "absolute" | "by">,
  context: ShellContext,
): Promise<Reason | undefined> => {
  const lines = await context.linesIn(absolute);
  const { session } = context.claims.actor;
  const noted = [...(await notedByOthers(lines, session))];
  if (noted.length === 0) return undefined;
  const git = context.git ?? createGit({ cwd: absolute, ...environmentOf(context) });
  const found = await foreignLines(noted, { lines, git, session });
  return found[0] && linesReason({ by }, found[0], found);
};

/** Held by writing; the lines themselves say whose they are. */
const isEdit = (mode: Claim["mode"]): boolean => mode === "edit";

const isCommitTurn = ({ actor, reason }: Blocker): boolean =>
  reason === "git commit" && /\/git-\d+$/.test(actor);

/** The command is not run before this is answered; a disk that takes longer is a problem of its own. */
const gitMs = 5_000;

const environmentOf = ({ environment }: ShellContext) => (environment ? { environment } : {});

/** Undefined where git works on another repository than ours. */
export const worktreeOf = (at: string, context: ShellContext): string | undefined => {
  const { root, worktrees = [root], cwd, caseInsensitive, files = systemFiles } = context;
  const found = resolveInRepository(worktrees, at, {
    cwd,
    files,
    ...(caseInsensitive !== undefined && { caseInsensitive }),
  });
  if (!found.ok) return undefined;
  const names = relative(found.root, found.absolute).split(sep).filter(Boolean);
  const folders = names.map((_, index) => join(found.root, ...names.slice(0, index + 1)));
  return folders.some((folder) => files.stat(join(folder, ".git"))) ? undefined : found.root;
};

interface Scope {
  /** It is another branch that is asked for, not files. */
  readonly isSwitch: boolean;
  includes(file: DirtyFile): boolean;
}

const scopeOf = (
  { dirty: kind, paths, only }: GitEffect,
  { root, dirty, files }: { root: string; dirty: readonly DirtyFile[]; files: Files },
): Scope => {
  const isKind = ({ isTracked }: DirtyFile) =>
    only === undefined || isTracked === (only === "tracked");
  const inside = paths
    .map((path) => relative(root, path).split(sep).join("/"))
    .filter((path) => path !== ".." && !path.startsWith("../"));
  const isIn = (path: string) => (one: string) =>
    one === "" || path === one || path.startsWith(`${one}/`);
  if (kind === "paths") {
    return { isSwitch: false, includes: (file) => isKind(file) && inside.some(isIn(file.path)) };
  }
  if (kind === "maybe") {
    // A word that is a file now is a file for git, too, or git asks which one is meant.
    const isFile = (path: string) =>
      files.stat(join(root, path)) !== undefined || dirty.some((file) => isIn(file.path)(path));
    const named = inside.filter(isFile);
    if (named.length > 0)
      return { isSwitch: false, includes: (file) => named.some(isIn(file.path)) };
    return { isSwitch: true, includes: () => true };
  }
  return { isSwitch: false, includes: isKind };
};

/** Dirty files that another actor may hold. */
const heldFiles = (dirty: readonly DirtyFile[], others: readonly Claim[]): string[] => {
  const theirs = others.map(mayCover);
  return dirty.map(({ path }) => path).filter((path) => theirs.some((covers) => covers(path)));
};

/** Whether a path may lie in a claim: quick and never no by mistake. The claims themselves say the rest. */
const mayCover = ({ target }: Claim): ((path: string) => boolean) => {
  if (/^(?:name:|@git)/.test(target)) return () => false;
  const [literal = ""] = target.split(/[*?[{\\#+@!(]/, 1);
  const start = literal === "." ? "" : literal.toLowerCase();
  return (path) => path.toLowerCase().startsWith(start);
};

const partReason = ({ by }: GitEffect, { target, actor, reason, id }: Blocker): Reason => ({
  code: "CLAIM_CONFLICT",
  path: target,
  message: `${by} changes ${target}, which ${showText(actor)} holds${why(reason)} (${id})`,
  remedy: `Wait for it (headgate wait ${shellWord(target)}), or ask its holder (headgate ask ${shellWord(target)} WHY).`,
});

const workReason = ({ by }: GitEffect, first: Blocker, all: readonly Blocker[]): Reason => {
  const [path = "", symbol] = (first.blocks[0] ?? first.target).split("#");
  const more = all.length > 1 ? ` and ${plural(all.length - 1, "other claim")}` : "";
  const whose = `uncommitted work of ${showText(first.actor)} in ${showText(path)}${more}`;
  return {
    code: "CLAIM_CONFLICT",
    path,
    ...(symbol !== undefined && { symbol }),
    message: `${by} would take away ${whose}${why(first.reason)} (${first.id})`,
    remedy: `Touch your own paths only (git commit -- <path>…, git restore <path>…), work in a worktree of your own (git worktree add), or wait: headgate wait ${shellWord(first.target)}.`,
  };
};

const why = (reason: string): string => (reason === "" ? "" : `: ${showText(reason)}`);
