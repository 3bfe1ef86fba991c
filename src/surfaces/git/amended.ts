/**
 * `git commit --amend` of a commit that another session made. Its work stays in the commit, and so does its name:
 * in the message, in the log, and in what the fence protects. The session hears of the new commit.
 */
import {
  type Change,
  commitOf,
  emptyTree,
  type Git,
  isObjectName,
  readBlobs,
  readTrailers,
  treeChanges,
} from "../../git/index.ts";
import { ancestorsOf, type ProcessTree } from "../../base/process-tree.ts";
import { showText } from "../../base/text.ts";
import { matchLines, toLines } from "../../lines/index.ts";
import type { Event } from "../../store/index.ts";
import type { HookContext } from "./hook-context.ts";

export interface Amended {
  readonly commit: string;
  /** Its other authors. By this name the hook's lines see that the message needs them (hook-script.ts). */
  readonly carried: readonly string[];
}

type AmendContext = Pick<HookContext, "headgate" | "git" | "processTree">;

/** The commit that this one replaces, by git's command line; undefined: none, or only own work. */
export const findAmended = async (
  { headgate, git, processTree }: AmendContext,
  name: "HEAD" | "HEAD@{1}",
): Promise<Amended | undefined> => {
  if (!isAmend(processTree())) return undefined;
  const commit = await commitOf(git, name);
  if (commit === undefined) return undefined;
  const { events } = await headgate.events.page({ kind: "commit.made", last: eventsMax });
  const made = events.filter(({ subject }) => subject === commit);
  const { stdout } = await git.run({
    args: ["rev-list", "--max-count=1", "--format=%B"],
    revisions: [commit],
  });
  const named = readTrailers(stdout.toString("utf8"), "Headgate-Actor");
  const { id, session } = headgate.claims.actor;
  // A person is the commit's author for git already.
  const isOther = (actor: string): boolean =>
    actor !== "" && actor !== id && actor !== session && !actor.startsWith("user:");
  const carried = [...new Set([...made.flatMap(madeBy), ...named])].filter(isOther);
  return carried.length === 0 ? undefined : { commit, carried };
};

const eventsMax = 1000;

/** Of the event `commit.made`: who made it, and whose work of an amended commit is in it. */
export const madeBy = ({ actor, data }: Pick<Event, "actor" | "data">): string[] => {
  const { others } = data;
  const more = Array.isArray(others) ? others.filter((one) => typeof one === "string") : [];
  return [...(actor === null ? [] : [actor]), ...more];
};

const isAmend = (tree: ProcessTree | undefined): boolean => {
  const git = tree && ancestorsOf(tree).find(({ name, isZombie }) => name === "git" && !isZombie);
  const words = git?.argv.slice(1) ?? [];
  const end = words.indexOf("--");
  return words
    .slice(0, end < 0 ? words.length : end)
    .some((word, at) => /^--am(?:e(?:nd?)?)?$/.test(word) && !takesText.test(words[at - 1] ?? ""));
};

/** The next word is a message or a name. */
const takesText = /^(?:-[a-z]*[mFCct]|--(?:message|file|author|date|template|trailer))$/i;

/** They would look for their commit in vain. */
export const tellAmended = async (
  { headgate }: Pick<HookContext, "headgate">,
  { amended, commit }: { readonly amended: Amended; readonly commit: string },
): Promise<void> => {
  const { id } = headgate.claims.actor;
  const [old, now] = [amended.commit.slice(0, 10), commit.slice(0, 10)];
  await headgate.notify(
    amended.carried.map((to) => ({
      ...{ to, kind: "branch", about: `amended:${amended.commit}` },
      text: `${showText(id, 80)} amended commit ${old} with your work; it is ${now} now`,
    })),
  );
};

/** Both have the same parents, and everything that the old one changed is unchanged in the new one. */
export const keepsWork = async (git: Git, old: string, next: string): Promise<boolean> => {
  const [parents, now] = [await parentsIn(git, old), await parentsIn(git, next)];
  if (parents.join() !== now.join()) return false;
  const theirs = await treeChanges(git, parents[0] ?? (await emptyTree(git)), old);
  const later = await treeChanges(git, old, next);
  for (const change of theirs) {
    const names = [change.path, change.from];
    const over = later.filter(({ path, from }) => names.includes(path) || names.includes(from));
    for (const one of over) if (!(await keepsLines(git, change, one))) return false;
  }
  return true;
};

const parentsIn = async (git: Git, commit: string): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", "--max-count=1", "--parents"],
    revisions: [commit],
  });
  return stdout.toString("latin1").trim().split(" ").slice(1).filter(isObjectName);
};

const keepsLines = async (git: Git, theirs: Change, later: Change): Promise<boolean> => {
  const { after } = theirs;
  const isSameFile = later.path === theirs.path && later.from === undefined;
  if (!isSameFile || after === undefined || later.after === undefined) return false;
  if (later.modes.before !== later.modes.after) return false;
  const names = [theirs.before, after, later.after].flatMap((name) => name ?? []);
  const blobs = await readBlobs(git, names);
  if (names.some((name) => !blobs.has(name))) return false;
  const linesIn = (name: string | undefined) => toLines(blobs.get(name ?? "") ?? Buffer.alloc(0));
  const [first, old, now] = [linesIn(theirs.before), linesIn(after), linesIn(later.after)];
  const [made, kept] = [matchLines(first, old), matchLines(old, now)];
  const stay = new Set(kept.values());
  if (old.some((_, at) => !made.has(at) && !stay.has(at))) return false;
  // Lines that they removed do not come back.
  const left = new Set(made.values());
  const gone = new Set(first.filter((line, at) => !left.has(at) && line.trim() !== ""));
  return now.every((line, at) => kept.has(at) || !gone.has(line));
};
