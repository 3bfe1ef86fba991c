/**
 * `headgate commit`: one session's lines as a commit. Its tree is built in an index of its own, judged by the
 * hooks, and the branch moves by compare-and-swap; the user's index and working files keep every other byte.
 */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { newId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { type Actor, type Claims, parseActor, recordLauncher } from "../claims/index.ts";
import {
  createGit,
  createWritingGit,
  findUnfinished,
  followIndex,
  gitDirOf,
  type Head,
  moveBranch,
  type NotPrepared,
  prepareCommit,
  type PreparedCommit,
  readWorktree,
  type Repository,
  runPostCommit,
  type TreeEntry,
  type WritingGit,
} from "../git/index.ts";
import { endSettledHolds } from "../gate/index.ts";
import { type Lines, withGround } from "../lines/index.ts";
import { endWork, noteWork } from "../state/index.ts";
import type { Outline } from "../structure/index.ts";
import { type BareChanges, bareFiles, findBare } from "./bare-entries.ts";
import { findNeeds, othersIn } from "./needed-edits.ts";
import {
  answerFor,
  type CommitAnswer,
  type CommitFile,
  leftFiles,
  nothing,
  ownFiles,
  refused,
} from "./commit-answer.ts";
import { committedContents, type OwnPart, planPart } from "./own-part.ts";
import { readInTree } from "./read-in-tree.ts";
import { findWanted } from "./wanted-files.ts";
import { finishCommits } from "./unfinished-commits.ts";

export interface CommitPorts {
  readonly repository: Repository;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly lines: Lines;
  readonly claims: Claims;
  outline(content: Uint8Array, path: string): Promise<{ readonly outline: Outline }>;
}

export interface CommitWish {
  readonly message: string;
  /** Only these files or folders, from the root; empty: all. */
  readonly paths?: readonly string[];
  /** Actors or sessions whose lines go along at once; `unknown` for lines without a known author. */
  readonly along?: readonly string[];
  readonly task?: string;
  readonly isDryRun?: boolean;
  /** How long it waits for the commits that its lines were written onto. */
  readonly waitMs?: number;
}

/** Throws GIT_… and what the store throws. */
export const commitPart = async (ports: CommitPorts, wish: CommitWish): Promise<CommitAnswer> => {
  // Git's hooks act as who commits here, whatever the processes above them say.
  const end = recordLauncher(ports.repository.localDir, ports.claims.actor.id);
  try {
    return await commitAs(ports, wish);
  } finally {
    end();
  }
};

const commitAs = async (ports: CommitPorts, wish: CommitWish): Promise<CommitAnswer> => {
  const { repository, environment, claims } = ports;
  const git = createWritingGit({
    ...{ cwd: repository.worktree, environment: inCommit(environment), actor: claims.actor.id },
  });
  const gitDir = gitDirOf(repository.worktree, systemFiles) ?? repository.commonDir ?? "";
  const unfinished = findUnfinished(gitDir, systemFiles);
  if (unfinished !== undefined) {
    const reasons = [`${unfinished} is not finished here; finish it with git, then repeat this`];
    return { ok: false, code: "COMMIT_UNFINISHED", reasons, left: [] };
  }
  await finishCommits({
    ...{ stateFolder: repository.localDir, environment, clock: ports.clock },
    actor: claims.actor.id,
  });
  if (!wish.isDryRun) await waitForGround(ports, wish);
  for (let tries = 1; ; tries += 1) {
    const operation = newId("operation");
    const answer = await attempt({ ...ports, git, scratch: gitDir, operation }, wish);
    if (answer !== "moved") return answer;
    // Another commit came first: the part is worked out again, on top of it.
    if (tries >= triesMax) {
      const reasons = ["the branch moved each time; repeat it when fewer commits are made"];
      return { ok: false, code: "COMMIT_REFUSED", reasons, left: [] };
    }
  }
};

const triesMax = 20;

/** Our own hooks must not narrow what is narrowed already; they judge it all the same. */
const inCommit = (environment: Environment): Environment => ({
  ...environment,
  variables: { ...environment.variables, [commitVariable]: "1" },
});

export const commitVariable = "HEADGATE_COMMIT";

/** Its own index waits without keeping git's. */
const waitForGround = async (
  { lines, claims, clock }: CommitPorts,
  { along = [], waitMs = limits.commitWaitMs }: CommitWish,
): Promise<void> => {
  const by = { actor: claims.actor, kind: "edit" } as const;
  const untilMs = clock.monoMs() + waitMs;
  while (clock.monoMs() < untilMs) {
    const holders = await lines.ground(by, true);
    if (holders.every((one) => along.includes(one))) break;
    await clock.sleep(groundPollMs);
  }
  await lines.ground(by, false);
};

const groundPollMs = 200;

interface Attempting extends CommitPorts {
  readonly git: WritingGit;
  readonly scratch: string;
  readonly operation: string;
}

const attempt = async (ports: Attempting, wish: CommitWish): Promise<CommitAnswer | "moved"> => {
  const { git, repository, environment, lines, claims, operation } = ports;
  const { paths = [], along = [] } = wish;
  const { head, dirty } = await readWorktree(git);
  const isAsked = (path: string): boolean =>
    paths.length === 0 ||
    paths.some((one) => one === "." || path === one || path.startsWith(`${one}/`));
  const wanted = await findWanted(ports, {
    ...{ along, paths: dirty.map(({ path }) => path).filter(isAsked), isAsked },
  });
  const plan = (extra?: ReadonlyMap<string, ReadonlySet<string>>): Promise<OwnPart> =>
    planPart({
      // A plan changes nothing.
      lines: wish.isDryRun ? { ...lines, refresh: lines.view } : lines,
      git: createGit({ cwd: repository.worktree, environment }),
      writing: git,
      read: (path) => readInTree(repository.worktree, path),
      head: head.commit,
      session: claims.actor.session,
      paths: wanted.paths,
      along,
      ...(extra && { extra }),
    });
  let part = await plan();
  const needs = await findNeeds(part.files, ports.outline);
  if (needs.size > 0) part = await plan(needs);
  const bare = findBare(
    dirty.filter(({ path }) => isAsked(path)),
    { root: repository.worktree, files: systemFiles, part, left: wanted.left },
  );
  const more = bareFiles(bare);
  if (ownFiles(part).length === 0 && more.length === 0) return nothing(part, wanted.left);
  if (wish.isDryRun) return answerFor(part, { commit: null, released: [], more });
  let isShown = false;
  const { localDir, worktree } = repository;
  const note = { kind: "commit", id: operation, worktree } as const;
  noteWork(localDir, note);
  try {
    let made = await prepare(ports, { wish, part, head, bare });
    if (!made.ok && isOurRefusal(made)) {
      const extra = new Map([...needs, ...othersIn(part.files)]);
      const together = extra.size === 0 ? undefined : await plan(extra);
      const again = together && (await prepare(ports, { wish, part: together, head, bare }));
      if (together && again?.ok) [part, made] = [together, again];
    }
    if (!made.ok)
      return made.why === "nothing" ? nothing(part, wanted.left) : refused(made, part, wanted.left);
    const { prepared } = made;
    const shown = { commit: prepared.commit, branch: head.branch };
    noteWork(localDir, { ...note, ...shown });
    const moved = await moveBranch(git, prepared, { note: "headgate commit" });
    if (!moved.ok) {
      if (moved.why === "moved" || moved.why === "locked") return "moved";
      const reasons = [moved.reason, ...moved.lines];
      return { ok: false, code: "COMMIT_REFUSED", reasons, left: leftFiles(part, wanted.left) };
    }
    isShown = true;
    const locked = await followHead(ports, prepared);
    if (locked.length > 0) noteWork(localDir, { ...note, ...shown, isLeft: true });
    else isShown = false;
    return await finish(ports, { part, prepared, entries: made.entries, locked, more });
  } finally {
    if (!isShown) endWork(localDir, note);
  }
};

/** The part does not pass our own judgement alone; a hook of the user that says no is not helped by more lines. */
const isOurRefusal = ({ why, lines = [] }: NotPrepared): boolean =>
  why === "hook" && lines.some((line) => line.startsWith("Headgate refused this git commit:"));

const prepare = async (
  { git, scratch, operation, claims }: Attempting,
  {
    wish,
    part,
    head,
    bare,
  }: {
    readonly wish: CommitWish;
    readonly part: OwnPart;
    readonly head: Head;
    readonly bare: BareChanges;
  },
) => {
  const own = ownFiles(part);
  const modes = await readModes(
    git,
    head,
    own.map(({ path }) => path),
  );
  const entries: TreeEntry[] = [...bare.entries];
  for (const { path, content } of own) {
    if (content === undefined) {
      entries.push({ path, mode: "0", blob: "0".repeat(head.commit?.length ?? 40) });
      continue;
    }
    // As `git add` would keep these bytes: with the line ends and filters that are set for the file.
    const blob = await git.run({
      args: ["hash-object", "-w", "--stdin", `--path=${path}`],
      input: content,
    });
    entries.push({ path, mode: modeNow(git.cwd, path) ?? modes.get(path) ?? "100644", blob });
  }
  const made = await prepareCommit({
    ...{ git, files: systemFiles, scratch, operation, head, entries, paths: bare.paths },
    message: messageWith(wish, claims.actor, part),
  });
  return { ...made, entries };
};

const readModes = async (
  git: WritingGit,
  { commit }: Head,
  paths: readonly string[],
): Promise<Map<string, string>> => {
  const modes = new Map<string, string>();
  if (commit === undefined || paths.length === 0) return modes;
  const listed = await git.run({ args: ["ls-tree", "--full-tree", "-z", commit, "--", ...paths] });
  for (const line of listed.split("\0")) {
    const [, mode, path] = /^(\d+) \w+ [0-9a-f]+\t([^]*)$/.exec(line) ?? [];
    if (mode !== undefined && path !== undefined) modes.set(path, mode);
  }
  return modes;
};

const modeNow = (root: string, path: string): string | undefined => {
  const stat = systemFiles.stat(join(root, path));
  if (!stat?.isFile()) return undefined;
  return stat.mode & 0o100 ? "100755" : "100644";
};

const messageWith = ({ message, task }: CommitWish, { id }: Actor, { files }: OwnPart): string => {
  const carried = files.flatMap((file) => file.carried.map(({ actor }) => actor));
  const along = files.flatMap(({ record, edits }) =>
    record.weave.edits.filter((edit) => edits.has(edit.id)).map(({ actor }) => actor),
  );
  const actors = new Set([id, ...carried, ...along].filter((actor) => actor !== ""));
  const trailers = [
    ...[...actors].map((actor) => `Headgate-Actor: ${actor.replaceAll(/[\r\n]+/g, " ")}`),
    ...(task === undefined ? [] : [`Headgate-Task: ${task.replaceAll(/[\r\n]+/g, " ")}`]),
  ];
  return `${message.trimEnd()}\n\n${trailers.join("\n")}\n`;
};

/** The user's index learns of the commit; answers the files that another git kept it from. */
const followHead = async (
  { git, clock }: Attempting,
  { changes }: PreparedCommit,
): Promise<readonly string[]> => {
  const left = await followIndex(git, changes, (ms) => clock.sleep(ms), true);
  return left.filter(({ why }) => why === "locked").map(({ path }) => path);
};

interface MadeCommit {
  readonly part: OwnPart;
  readonly prepared: PreparedCommit;
  readonly entries: readonly TreeEntry[];
  readonly locked: readonly string[];
  readonly more: readonly CommitFile[];
}

const finish = async (
  { git, lines, claims, repository, environment }: Attempting,
  { part, prepared, entries, locked, more }: MadeCommit,
): Promise<CommitAnswer> => {
  const { commit } = prepared;
  const { session } = claims.actor;
  const before = await claims.list({ actor: claims.actor.id });
  const taken = new Map(ownFiles(part).map((file) => [file.path, file]));
  await lines.committed(
    await committedContents(createGit({ cwd: repository.worktree, environment }), {
      ...{ commit, entries, changes: prepared.changes, files: ownFiles(part) },
    }),
    ({ weave }, path) => {
      const edits = [...(taken.get(path)?.edits ?? [])];
      // With what the user's hooks made of them.
      const own = weave.edits.filter((edit) => edit.session === session).map(({ id }) => id);
      return [withGround(weave, edits), withGround(weave, [...edits, ...own])];
    },
  );
  // Also where git's own hooks, which do the same, are not installed.
  await endSettledHolds({ claims, lines }, [...taken.keys()]);
  await runPostCommit(git, systemFiles);
  const after = new Set((await claims.list({ actor: claims.actor.id })).claims.map(({ id }) => id));
  const released = before.claims.map(({ id }) => id).filter((id) => !after.has(id));
  return answerFor(part, { commit, released, locked, more });
};

/** A name as `--with` takes it: an actor, a session, or `unknown`. Throws ACTOR_INVALID. */
export const readAlong = (name: string): string =>
  name === "unknown" ? name : parseActor(name).id;
