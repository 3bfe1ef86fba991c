/**
 * What a dead holder left behind is saved before its target is given to somebody else: every file of the
 * target that is not committed becomes part of a commit on refs/headgate/rescue/CLAIM. The worktree, its
 * index, its branch and its HEAD stay as they are, and no program of the repository runs. Objects first,
 * the ref last: a crash leaves at most objects that git cleans up some day.
 */
import { assert } from "../../base/assert.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Environment, systemEnvironment } from "../../base/environment.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { createGit, createRef, type GitPorts, type Repository } from "../../git/index.ts";
import { idTimeMs, isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { type Processes, systemProcesses } from "../../base/processes.ts";
import { plural, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { collectDirty, type Collected } from "./rescue-collect.ts";
import type { Skipped } from "./rescue-content.ts";
import { rescueFilter } from "./rescue-filter.ts";
import type { Target } from "../targets/target.ts";

export interface RescueOptions {
  readonly repository: Repository;
  readonly claim: string;
  readonly target: Target;
  /** Whose work it is. */
  readonly actor: string;
  readonly environment?: Environment;
  readonly files?: Files;
  readonly processes?: Processes;
  readonly clock?: Clock;
}

export interface Rescued {
  readonly ref: string;
  /** In all refs together. */
  readonly files: number;
  readonly commit: string;
  /** More than one when several worktrees, or repositories inside them, hold such files. */
  readonly refs: readonly SavedRef[];
  /** What could not be saved, and why. */
  readonly skipped: readonly Skipped[];
}

export interface SavedRef {
  readonly ref: string;
  readonly commit: string;
  readonly files: number;
  readonly worktree: string;
}

export const rescueRef = (claim: string): string => {
  assert(isId("claim", claim), `not a claim's id: ${showText(claim)}`);
  return `refs/headgate/rescue/${claim}`;
};

/** Why nothing can be saved in this repository; undefined where it can. */
export const rescueObstacle = (repository: Repository): string | undefined => {
  if (repository.kind === "folder") return "the folder has no git: what was changed is not known";
  if (repository.worktrees.length === 0) return "the repository has no worktree";
  return undefined;
};

/**
 * Undefined when nothing is dirty, or nothing can be saved. The same content is saved once: a repetition
 * finds the ref that is there. Other content under the same claim gets the next name, CLAIM-2.
 * Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT.
 */
export const rescueFiles = async (options: RescueOptions): Promise<Rescued | undefined> => {
  const { repository, claim, target, actor, clock = systemClock } = options;
  const ref = rescueRef(claim);
  const filter = rescueFilter(target, repository);
  if (filter === undefined || rescueObstacle(repository) !== undefined) return undefined;
  const { environment = systemEnvironment(), files = systemFiles } = options;
  const ports: GitPorts = { environment, files, processes: options.processes ?? systemProcesses };

  const stamp = (ms: number) => `Headgate <headgate@localhost> ${Math.floor(ms / 1000)} +0000`;
  const { collected, skipped, failure } = await collectDirty({
    repository,
    filter,
    ports,
    stamp: stamp(clock.wallMs()),
    lastingStamp: stamp(idTimeMs(claim)),
    describe: (saved) => messageOf({ claim, actor, target: target.text, ...saved }),
  });
  if (collected.length === 0 && failure) throw failure;

  const refs: SavedRef[] = [];
  for (const one of collected) {
    const named = await nameCommit(ref, one, ports);
    if (refs.some((known) => known.ref === named.ref)) continue;
    refs.push({ ...named, files: one.files, worktree: one.worktree });
  }
  const [first] = refs;
  if (!first) return undefined;
  const total = refs.reduce((sum, one) => sum + one.files, 0);
  return { ref: first.ref, files: total, commit: first.commit, refs, skipped };
};

/** Names and targets as one safe line each: they may hold line breaks and terminal escapes. */
const messageOf = (about: {
  readonly claim: string;
  readonly actor: string;
  readonly target: string;
  readonly worktree: string;
  readonly files: number;
  readonly skipped: readonly Skipped[];
}): string =>
  [
    `Save ${plural(about.files, "file")} that ${showText(about.actor, 60)} left behind`,
    "",
    "The holder of the claim had ended; its uncommitted files were saved before",
    "the target was given on. The worktree itself was not changed.",
    "",
    `Claim: ${about.claim}`,
    `Actor: ${showText(about.actor)}`,
    `Target: ${showText(about.target, limits.pathBytesMax)}`,
    `Worktree: ${showText(about.worktree, limits.pathBytesMax)}`,
    ...about.skipped.map(({ path, why }) => `Not saved: ${showText(path)} (${showText(why)})`),
    "",
  ].join("\n");

/** Gives the commit its name, or finds the one that the same content already has. */
const nameCommit = async (
  base: string,
  wanted: Collected,
  ports: GitPorts,
): Promise<{ readonly ref: string; readonly commit: string }> => {
  const { worktree, commit, tree, parents } = wanted;
  const content = [tree, ...parents].join(" ");
  for (let tries = 0; tries < limits.rescueRefsMax; tries += 1) {
    const known = await readRefs(worktree, base, ports);
    const same = known.find((one) => one.content === content);
    if (same) return { ref: same.ref, commit: same.commit };
    const taken = new Set(known.map((one) => one.ref));
    let ref = base;
    for (let number = 2; taken.has(ref); number += 1) ref = `${base}-${number}`;
    if (taken.size >= limits.rescueRefsMax) break;
    const made = await createRef(worktree, { ref, id: commit }, ports);
    if (made.ok) return { ref, commit };
    // Another process was first, perhaps with the same content; anything else is an error.
    const now = await readRefs(worktree, base, ports);
    if (!now.some((one) => one.ref === ref)) throw made.error;
  }
  const message = `${base} has ${limits.rescueRefsMax} versions: look at them and delete some`;
  throw new HeadgateError("GIT_FAILED", message);
};

const readRefs = async (cwd: string, base: string, ports: GitPorts) => {
  const { stdout } = await createGit({ cwd, ...ports }).run({
    args: [
      "for-each-ref",
      "--format=%(refname) %(objectname) %(tree) %(parent)",
      base,
      `${base}-*`,
    ],
  });
  const lines = stdout.toString("latin1").split("\n").slice(0, -1);
  return lines.map((line) => {
    const [ref = "", commit = "", ...content] = line.trimEnd().split(" ");
    return { ref, commit, content: content.join(" ") };
  });
};
