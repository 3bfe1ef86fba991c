/**
 * After a commit: the turn ends, claims on files that are finished are given back, and the log gets to
 * know who made the commit. A commit that was not judged (`--no-verify`, or another hook changed what is
 * staged afterwards) is judged now: it cannot be stopped any more, but it does not go unnoticed.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import {
  createWritingGit,
  type Git,
  splitNul,
  type Change,
  commitOf,
  digestOf,
  emptyTree,
  treeChanges,
} from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { plural, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { readCommitted, treeForms } from "../../landing/index.ts";
import { type FileRecord, partLines, toBytes, withGround } from "../../lines/index.ts";
import { escapePath } from "../../claims/index.ts";
import { endSettledHolds, type SeenFile } from "../../gate/index.ts";
import { findAmended, tellAmended } from "./amended.ts";
import { endCommitTurn } from "./commit-turn.ts";
import { foreignBlockers } from "./foreign-claims.ts";
import type { HookContext } from "./hook-context.ts";
import { dropPlan, readPlan } from "./commit-plan.ts";
import { openJudging } from "./judging.ts";
import { dropRepaired, followHead } from "./late-commits.ts";
import { commitsOwnLines, workingSide } from "./narrow.ts";
import { type HookOutcome, notJudgedReason, passed } from "./refusal.ts";

export const postCommit = async (context: HookContext): Promise<HookOutcome> => {
  const { headgate, git } = context;
  await endCommitTurn(context);
  const commit = await commitOf(git, "HEAD");
  if (commit === undefined) return passed();
  const base = await baseOf(git);
  const changes = await treeChanges(git, base, commit);
  const amended = readPlan(context)?.amended ?? (await findAmended(context, "HEAD@{1}"));
  await headgate.events.append({
    kind: "commit.made",
    actor: headgate.claims.actor.id,
    subject: commit,
    data: {
      commit,
      count: changes.length,
      paths: changes.slice(0, pathsMax).map(({ path }) => path),
      ...(amended && { amends: amended.commit, others: amended.carried.slice(0, othersMax) }),
    },
  });
  if (amended) await tellAmended(context, { amended, commit });
  const isPassed = context.isBypassed || (await wasJudged(context, changes));
  const lines = isPassed ? [] : await judgeNow(context, { commit, base, changes });
  const whose = await settleLines(context, { commit, changes });
  dropPlan(context);
  await giveBack(context, changes);
  // A merge brings commits of its own, which the next look goes through.
  if ((await commitOf(git, "HEAD^2")) === undefined) await followHead(headgate, { commit, base });
  await dropRepaired(context, commit);
  const { claims, lines: known } = headgate;
  const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  await endSettledHolds({ claims, lines: known }, touched);
  return passed(...lines, ...whose);
};

/**
 * The lines that the commit took are no longer uncommitted, and git's own index is put right where `git commit
 * -- paths` left whole files staged. Answers whose lines a person's commit took along.
 */
const settleLines = async (
  context: HookContext,
  { commit, changes }: { readonly commit: string; readonly changes: readonly Change[] },
): Promise<string[]> => {
  const { headgate, git } = context;
  const { actor } = headgate.claims;
  const noted = await headgate.lines.noted();
  const touched = new Set(changes.flatMap(({ path, from }) => [path, from]));
  // All of them: an earlier commit may have been killed before it came here. Many are left to the next look at them.
  const paths = [...noted.keys()].filter((path) => noted.size <= settledMax || touched.has(path));
  if (paths.length === 0) return [];
  const known = await headgate.lines.records(paths);
  const sets = takenSets(actor.session);
  const { writing, read } = workingSide(context);
  const forms = await treeForms(await readCommitted(git, commit, paths), {
    ...{ git: writing, read },
    candidates: (path) => {
      const record = known.get(path);
      const parts = record ? sets(record).map((edits) => partLines(record.weave, edits)) : [];
      return parts.flatMap((part) => (part ? [toBytes(part)] : []));
    },
  });
  const committed = new Map(
    [...forms].flatMap(([path, { form, content }]) =>
      form === "opaque" ? [] : [[path, content] as const],
    ),
  );
  const others = new Set<string>();
  await headgate.lines.committed(committed, sets);
  await tellAuthors(context, { commit, known, paths: changes.map(({ path }) => path) });
  if (commitsOwnLines(actor)) {
    await followIndex(context, committed);
    return [];
  }
  for (const { path } of changes) {
    for (const { actor: author } of known.get(path)?.weave.edits ?? []) others.add(author);
  }
  const names = [...others].filter((name) => name !== "" && name !== actor.id);
  if (names.length === 0) return [];
  return [
    `headgate: this commit took along lines of ${names.map((name) => showText(name)).join(", ")}`,
  ];
};

const settledMax = 500;

/** Others whose uncommitted lines are in the commit hear that they need not commit them any more. */
const tellAuthors = async (
  { headgate }: HookContext,
  {
    commit,
    known,
    paths,
  }: {
    readonly commit: string;
    readonly known: ReadonlyMap<string, FileRecord>;
    readonly paths: readonly string[];
  },
): Promise<void> => {
  const { id, session } = headgate.claims.actor;
  const taken = new Map<string, string[]>();
  for (const path of paths) {
    const foreign = (known.get(path)?.weave.edits ?? []).filter(
      (edit) => edit.session !== session && edit.kind !== "unknown",
    );
    if (foreign.length === 0) continue;
    const left = new Set((await headgate.lines.record(path))?.weave.edits.map((edit) => edit.id));
    const authors = new Set(foreign.filter((edit) => !left.has(edit.id)).map(({ actor }) => actor));
    for (const author of authors) taken.set(author, [...(taken.get(author) ?? []), path]);
  }
  await headgate.notify(
    [...taken].map(([to, [first = "", ...more]]) => ({
      ...{ to, kind: "claim", target: first, about: `along:${commit}` },
      text:
        `commit ${commit.slice(0, 10)} of ${showText(id, 80)} took your uncommitted lines along` +
        (more.length > 0 ? `, here and in ${plural(more.length, "other file")}` : ""),
    })),
  );
};

/** The edits of a file that the session's commit may have taken, likeliest first. */
const takenSets =
  (session: string) =>
  ({ weave }: FileRecord): Set<string>[] => {
    const own = weave.edits.filter((edit) => edit.session === session);
    const unknown = weave.edits.filter(({ kind }) => kind === "unknown");
    const ids = (edits: typeof own) => edits.map(({ id }) => id);
    return [
      withGround(weave, ids(own)),
      withGround(weave, ids([...own, ...unknown])),
      new Set(ids([...weave.edits])),
    ];
  };

/** Entries of files that were taken apart are what was committed; what the user staged besides stays. */
const followIndex = async (
  context: HookContext,
  committed: ReadonlyMap<string, Buffer | undefined>,
): Promise<void> => {
  const plan = readPlan(context);
  const paths = (plan?.paths ?? []).filter((path) => committed.has(path));
  if (paths.length === 0) return;
  const { headgate, environment } = context;
  const actor = headgate.claims.actor.id;
  const git = createWritingGit({ cwd: headgate.repository.worktree, environment, actor });
  const listed = await git.run({ args: ["ls-tree", "-z", "--full-tree", "HEAD", "--", ...paths] });
  if (listed === "") return;
  await git.ask({ args: ["update-index", "-z", "--index-info"], input: listed });
  await git.ask({ args: ["update-index", "-q", "--refresh"] });
};

const othersMax = 50;

/** Names of files in an event. */
const pathsMax = 200;

/** Where HEAD was before: for an amended commit that is not its parent. */
const baseOf = async (git: Git): Promise<string> =>
  (await commitOf(git, "HEAD@{1}")) ?? (await commitOf(git, "HEAD^1")) ?? emptyTree(git);

/** These changes passed pre-commit, not long ago and by the same actor. */
const wasJudged = async ({ headgate }: HookContext, changes: readonly Change[]) => {
  const { events } = await headgate.events.page({ kind: "commit.judged", last: 100 });
  const digest = digestOf(changes);
  return events.some(
    ({ subject, actor }) => subject === digest && actor === headgate.claims.actor.id,
  );
};

const judgeNow = async (
  context: HookContext,
  made: {
    readonly commit: string;
    readonly base: string;
    readonly changes: readonly Change[];
  },
): Promise<string[]> => {
  const { headgate } = context;
  const { commit, base, changes } = made;
  const judging = openJudging(context);
  const reasons = await judging.judge(changes, { claims: headgate.claims }).then(
    (judged) => judged.reasons,
    (error: unknown) => {
      if (HeadgateError.isInstance(error) && error.code === "NOT_JUDGED")
        return [notJudgedReason(error)];
      throw error;
    },
  );
  const [first] = reasons;
  const held = reasons.find(({ code }) => code === "CLAIM_CONFLICT") ?? first;
  const isHeld = held?.code === "CLAIM_CONFLICT";
  const file = {
    path: join(headgate.repository.worktree, held?.path ?? ""),
    extent: "file",
  } as const;
  const [holder] = isHeld ? await foreignBlockers(headgate.claims, [file]) : [];
  await headgate.events.append({
    kind: "commit.unjudged",
    actor: headgate.claims.actor.id,
    subject: commit,
    data: {
      commit,
      base,
      count: changes.length,
      ...(held && { code: held.code, path: held.path }),
      ...(holder && { holder: holder.actor }),
    },
  });
  if (!first) return [];
  if (first.code === "NOT_JUDGED") {
    return [
      `headgate: commit ${commit.slice(0, 10)} was not judged, neither before it was made nor now: ${showText(first.message, 300)}`,
      "  → headgate ci judges it again",
    ];
  }
  return [
    `headgate: commit ${commit.slice(0, 10)} was not judged before it was made, and has ${plural(reasons.length, "problem")}: ${first.code} ${showText(first.path)}`,
    `  ${showText(first.message, 300)}`,
  ];
};

/**
 * Claims on a file or on symbols in it end when the file is committed and nothing of the session's own is left
 * in it. Claims on folders and patterns stay: they are for work that is still to come.
 */
const giveBack = async (
  { headgate, git }: HookContext,
  changes: readonly Change[],
): Promise<void> => {
  const { claims, lines, repository, seen } = headgate;
  const { claims: held } = await claims.list({ actor: claims.actor.id });
  if (held.length === 0) return;
  const dirty = await dirtyPaths(git);
  const records = await lines.records(changes.map(({ path }) => path));
  const { session: own } = claims.actor;
  // A file with lines of others only is finished as well.
  const hasOwn = (path: string): boolean =>
    dirty.has(path) &&
    (records.get(path)?.weave.edits ?? [unknownEdit]).some(
      ({ session, kind }) => session === own || kind === "unknown",
    );
  const finished: string[] = [];
  const files: SeenFile[] = [];
  for (const { path, from } of changes) {
    if (hasOwn(path)) continue;
    const names = [path, ...(from === undefined ? [] : [from])].map(escapePath);
    const over = held.filter(({ target }) =>
      names.some((name) => target === name || target.startsWith(`${name}#`)),
    );
    if (over.length === 0) continue;
    finished.push(...over.map(({ id }) => id));
    const now = hashOf(join(repository.worktree, path));
    // A view that is older than what was committed stays old: somebody else wrote it in between.
    const known = now === undefined ? undefined : await seen.lastSeen(path);
    if (now !== undefined && (known === undefined || known === now))
      files.push({ path, hash: now });
  }
  if (finished.length > 0) await claims.release({ claims: [...new Set(finished)] });
  for (let start = 0; start < files.length; start += seenAtOnce) {
    await seen.remember(files.slice(start, start + seenAtOnce));
  }
};

const unknownEdit = { session: "", kind: "unknown" } as const;

const seenAtOnce = 500;

const hashOf = (file: string): string | undefined => {
  const stat = systemFiles.stat(file);
  if (!stat?.isFile() || stat.size > limits.editFileBytesMax) return undefined;
  return hash("sha256", systemFiles.readFile(file));
};

/** Not as in HEAD, in the index or in the working tree. */
const dirtyPaths = async (git: Git): Promise<Set<string>> => {
  const options = ["-z", "--name-only", "--no-renames", "--no-relative"] as const;
  const working = await git.run({ args: ["diff-files", ...options] });
  const staged = await git.run({
    args: ["diff-index", "--cached", ...options],
    revisions: ["HEAD"],
  });
  return new Set([...splitNul(working.stdout), ...splitNul(staged.stdout)]);
};
