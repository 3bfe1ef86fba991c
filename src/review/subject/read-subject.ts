/** Takes what is to be reviewed, once and as bytes. Which form it has is decided in meaning.ts. */
import { isForeignName } from "../../base/path-kinds.ts";
import { posix } from "node:path";
import {
  commitOf,
  emptyTree,
  defaultBranch,
  partedAt,
  shallowRemedy,
  type Git,
  splitNul,
} from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { type Taken, withDigest } from "./digest.ts";
import { changeFiles, checkCount, type Side, totalCheck } from "./git-change.ts";
import { type Meaning, meaningOf, type SubjectRequest } from "./meaning.ts";
import { isDocumentName } from "./names.ts";
import { patchFiles } from "./patch-subject.ts";
import { attributesFor, type Place, readContent, settlePlace, type SubjectParts } from "./place.ts";
import { wholeFile } from "./subject-file.ts";
import type { Subject, SubjectFile } from "./types.ts";

export const readSubject = async (
  request: SubjectRequest,
  parts: SubjectParts,
): Promise<Subject> => {
  const place = settlePlace(parts);
  const meaning = await meaningOf(request, place);
  return withDigest(await taken(meaning, request, place));
};

const taken = async (meaning: Meaning, request: SubjectRequest, place: Place): Promise<Taken> => {
  if (meaning.what === "patch") {
    const { patch } = request;
    if (!patch) throw new HeadgateError("USAGE", "no patch came on standard input");
    const files = patchFiles(patch, place);
    return { kind: "change", name: "patch from standard input", files };
  }
  const { git } = place;
  if (meaning.what === "file" || meaning.what === "folder") {
    return whole(meaning.path, meaning.what, place);
  }
  if (!git) throw new HeadgateError("REPOSITORY_NOT_FOUND", "no git repository");
  if (meaning.what === "staged" || meaning.what === "working tree") {
    const head = await commitOf(git, "HEAD");
    const side: Side = meaning.what === "staged" ? { with: "index" } : { with: "worktree" };
    const files = await changeFiles(place, git, { base: head ?? (await emptyTree(git)), side });
    const name = meaning.what === "staged" ? "staged changes" : "working tree";
    return { kind: "change", name, ...(head !== undefined && { base: head }), files };
  }
  const { name, base, head } = await ends(meaning, git, request.target ?? "");
  const side: Side = { with: "commit", commit: head };
  return {
    ...{ kind: "change", name, base, head },
    files: base === head ? [] : await changeFiles(place, git, { base, side }),
  };
};

const ends = async (
  meaning: Extract<Meaning, { what: "range" | "branch" | "commit" }>,
  git: Git,
  typed: string,
): Promise<{ readonly name: string; readonly base: string; readonly head: string }> => {
  if (meaning.what === "range") {
    const { from, to, sinceParted } = meaning;
    return { name: typed, base: sinceParted ? await partedAt(git, from, to) : from, head: to };
  }
  const { name, commit } = meaning;
  if (meaning.what === "commit") {
    return { name: `commit ${name}`, base: await parentOf(git, commit), head: commit };
  }
  const main = await defaultBranch(git);
  if (!main) {
    const shown = showText(name);
    throw new HeadgateError(
      "USAGE",
      `which branch does ${shown} start from? Name it: BASE...${shown}`,
    );
  }
  const base = await partedAt(git, main.commit, commit);
  const short = main.ref.replace(/^refs\/(?:heads|remotes)\//, "");
  return { name: `${name} since ${short}`, base, head: commit };
};

/** Where a shallow clone ends, a commit looks as if it had no parent: all of its files would be new. */
const parentOf = async (git: Git, commit: string): Promise<string> => {
  const parent = await commitOf(git, `${commit}^1`);
  if (parent !== undefined) return parent;
  const { stdout } = await git.run({ args: ["cat-file", "commit", commit] });
  const [head = ""] = stdout.toString("latin1").split("\n\n");
  if (!/^parent /m.test(head)) return emptyTree(git);
  throw new HeadgateError("USAGE", `the commit before ${commit} is not here; ${shallowRemedy}`);
};

const whole = async (path: string, what: "file" | "folder", place: Place): Promise<Taken> => {
  const isNamed = what === "file";
  const paths = isNamed ? [path] : await pathsBelow(path, place);
  checkCount(paths.length);
  const counts = attributesFor(place, paths);
  const files: SubjectFile[] = [];
  const total = totalCheck();
  for (const one of paths) {
    place.checkStopped();
    const read = readContent(place, one);
    if (read.state === "absent" || read.state === "link") continue;
    const says = counts(one);
    const content = read.state === "read" ? read.content : undefined;
    const file = wholeFile(one, content, { isNamed, ...(says !== undefined && { counts: says }) });
    total.add(file.after?.length ?? 0);
    files.push(file);
  }
  const isDocument = files.length > 0 && files.every((file) => isDocumentName(file.path));
  const name = isNamed ? path : path === "." ? "all files" : `${path}/`;
  return { kind: isDocument ? "document" : "files", name, files };
};

/** What git tracks below a folder; without git, everything that is not somebody else's. */
const pathsBelow = async (folder: string, place: Place): Promise<string[]> => {
  if (place.git) {
    const { stdout } = await place.git.run({
      args: ["ls-files", "-z", "--cached", "--full-name"],
      paths: [folder],
    });
    // A file in conflict is listed once for each side.
    const found = [...new Set(splitNul(stdout))];
    if (found.length > 0) return found;
    throw new HeadgateError(
      "USAGE",
      `git tracks nothing in ${showText(folder)}: add the files, or name one of them`,
    );
  }
  const found: string[] = [];
  const waiting = [folder];
  for (let at = 0; at < waiting.length; at += 1) {
    const below = waiting[at] ?? "";
    for (const entry of place.files.list(posix.join(place.worktree, below))) {
      const path = below === "." ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith(".") || (entry.isDirectory() && isForeignName(`${path}/x`)))
        continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) found.push(path);
    }
    if (found.length > limits.reviewFilesMax) break;
    if (waiting.length > limits.reviewFilesMax) {
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `there are more than ${limits.reviewFilesMax} folders in ${showText(folder)}: review it in parts`,
      );
    }
  }
  return found;
};
