/**
 * A commit that nobody sees yet: on the branch's newest commit, with one file changed, made in an index of
 * its own. The user's hooks judge it as they judge any commit; the user's own index is not looked at.
 */
import { join } from "node:path";
import { keepTrailers, type WritingGit } from "../../git/index.ts";
import { type Files, openFlags } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { readOverrides } from "../overrides/overrides-file.ts";
import type { RoutingStep } from "../ports.ts";
import { type GitFacts, readBlob, refused, whyReadOnly } from "./git-facts.ts";

export interface CommitRequest {
  readonly git: WritingGit;
  readonly facts: GitFacts;
  readonly path: string;
  readonly text: string;
  readonly message: string;
  readonly atMs: number;
  /** For the index and the message; ours alone while the lock is held. */
  readonly dir: string;
  readonly files: Files;
  readonly onStep: (step: RoutingStep) => void;
}

export interface PreparedCommit {
  readonly id: string;
  readonly blob: string;
  /** As committed: a hook may have formatted it. */
  readonly text: string;
}

/** Throws ROUTING_VETO when a hook says no, ROUTING_GIT when git cannot write or sign. */
export const prepareCommit = async (request: CommitRequest): Promise<PreparedCommit> => {
  const { git, facts, path, files, dir, onStep } = request;
  files.makeDirectory(dir, 0o700);
  const index = join(dir, "index");
  tidy(request);
  const first = await writing(undefined, () =>
    git.run({ args: ["hash-object", "-w", "--stdin"], input: request.text }),
  );
  onStep("blob");
  await readParent(request, index);
  onStep("index-read");
  await setEntry(request, index, first);
  onStep("index-changed");
  const { blob, text, message, hadPreCommit } = await runHooks(request, { index, blob: first });
  onStep("hooks-passed");
  // Whatever else the hook staged is the user's, and stays out of this commit.
  if (hadPreCommit) {
    await readParent(request, index);
    await setEntry(request, index, blob);
  }
  const tree = await writing(undefined, () => git.run({ args: ["write-tree"], index }));
  onStep("tree");
  const signing = facts.isSigned ? "cannot be signed" : undefined;
  const id = await writing(signing, () =>
    git.run({
      args: [
        "commit-tree",
        ...(facts.isSigned ? ["-S"] : []),
        ...(facts.parent === undefined ? [] : ["-p", facts.parent]),
        tree,
      ],
      input: message,
      date: `${Math.floor(request.atMs / 1000)} +0000`,
      timeoutMs: limits.commitHookMs,
    }),
  );
  onStep("commit");
  if (!/^[0-9a-f]{40,64}$/.test(id)) throw refused(`git commit-tree answered ${path}`);
  return { id, blob, text };
};

/** Removes what this or a killed process left; nobody else writes here. */
export const tidy = ({ dir, files }: Pick<CommitRequest, "dir" | "files">): void => {
  for (const name of ["index", "index.lock", "message"]) {
    if (files.stat(join(dir, name))) files.unlink(join(dir, name));
  }
};

const readParent = async ({ git, facts }: CommitRequest, index: string): Promise<void> => {
  const args = facts.parent === undefined ? ["--empty"] : [facts.parent];
  await writing(undefined, () => git.run({ args: ["read-tree", ...args], index }));
};

const setEntry = async (
  { git, path }: CommitRequest,
  index: string,
  blob: string,
): Promise<void> => {
  const entry = `100644,${blob},${path}`;
  await writing(undefined, () =>
    git.run({ args: ["update-index", "--add", "--cacheinfo", entry], index }),
  );
};

interface Judged {
  readonly blob: string;
  readonly text: string;
  readonly message: string;
  readonly hadPreCommit: boolean;
}

/** In git's own order. The message goes through a file, because hooks may edit it. */
const runHooks = async (
  request: CommitRequest,
  { index, blob }: { readonly index: string; readonly blob: string },
): Promise<Judged> => {
  const { git, facts, text, message, dir, files } = request;
  const isThere = (name: string): boolean => {
    if (facts.hasConfiguredHooks) return true;
    const stat = files.statFollowing(join(facts.hooksDir, name));
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  };
  const run = async (name: string, args: readonly string[]): Promise<void> => {
    if (!isThere(name)) return;
    const { code, lines } = await git.ask({
      args: ["hook", "run", "--ignore-missing", name, ...(args.length > 0 ? ["--", ...args] : [])],
      index,
      timeoutMs: limits.commitHookMs,
    });
    if (code === 0) return;
    const said = lines.length === 0 ? `exit code ${code}` : lines.join(" | ");
    throw new HeadgateError("ROUTING_VETO", `the ${name} hook refused the commit: ${said}`, {
      data: { hook: name, lines },
    });
  };
  await run("pre-commit", []);
  const hadPreCommit = isThere("pre-commit");
  const after = {
    ...(hadPreCommit ? await formatted(request, { index, blob }) : { blob, text }),
    hadPreCommit,
  };
  if (!isThere("prepare-commit-msg") && !isThere("commit-msg")) return { ...after, message };
  const file = join(dir, "message");
  writeNew(files, file, message);
  await run("prepare-commit-msg", [file, "message"]);
  await run("commit-msg", [file]);
  const edited = files.readFile(file).toString("utf8");
  return { ...after, message: keepTrailers(edited, message) };
};

/**
 * A hook may reformat our file and stage it; what it says must stay the same. One that stages the worktree
 * (`git add -u`) brings back the old version, or none: that was not meant for us.
 */
const formatted = async (
  { git, facts, path, text }: CommitRequest,
  { index, blob }: { readonly index: string; readonly blob: string },
): Promise<{ readonly blob: string; readonly text: string }> => {
  const listed = await git.run({ args: ["ls-files", "--stage", "-z", "--", path], index });
  const [, now] = /^\d+ ([0-9a-f]+) 0\t/.exec(listed) ?? [];
  if (now === undefined || now === blob || now === facts.blob?.id) return { blob, text };
  const read = await readBlob(git, now);
  const [ours, theirs] = [readOverrides(Buffer.from(text)), readOverrides(read?.bytes)];
  const isSame =
    ours.ok && theirs.ok && JSON.stringify(ours.overrides) === JSON.stringify(theirs.overrides);
  if (read && isSame) return { blob: read.id, text: read.bytes.toString("utf8") };
  throw new HeadgateError(
    "ROUTING_VETO",
    `the pre-commit hook changed what ${path} says in the prepared commit`,
  );
};

const writeNew = (files: Files, path: string, text: string): void => {
  const fd = files.open(path, openFlags.replace, 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += files.write(fd, bytes, done);
  } finally {
    files.close(fd);
  }
};

/** Git's own words about missing rights, identity and keys, as one code. */
const writing = async <T>(signing: string | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "GIT_FAILED") throw error;
    const said = (error.data["stderr"] as readonly string[] | undefined) ?? [error.message];
    const all = said.join(" ");
    const readOnly = whyReadOnly(said);
    if (readOnly !== undefined) throw refused(`the repository cannot be written: ${readOnly}`);
    if (/tell me who you are|empty ident|no email was given|auto-detect/i.test(all)) {
      throw refused("git does not know who you are: set user.name and user.email");
    }
    if (signing !== undefined) throw refused(`the commit ${signing}: ${all}`);
    throw error;
  }
};
