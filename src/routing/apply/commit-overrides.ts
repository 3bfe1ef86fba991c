/** The commit of a change that no one sees yet: the overrides as they are to be, and nothing else. */
import { join } from "node:path";
import { HeadgateError } from "../../errors.ts";
import {
  type NotPrepared,
  prepareCommit,
  type PreparedCommit,
  removeScratch,
  type RevisedEntry,
  type TreeEntry,
  type WritingGit,
} from "../../git/index.ts";
import { readOverrides } from "../overrides/overrides-file.ts";
import type { RoutingContext } from "../ports.ts";
import { type ChangeStart, readBlob, refused } from "./git-facts.ts";

export interface OverridesCommit {
  readonly prepared: PreparedCommit;
  readonly blob: string;
  /** As committed: a hook may have formatted it. */
  readonly text: string;
}

type OverridesContext = Pick<RoutingContext, "repository" | "files" | "onStep">;

/** Throws ROUTING_VETO when a hook says no, ROUTING_GIT when git cannot write or sign. */
export const commitOverrides = async (
  context: OverridesContext,
  wanted: {
    readonly git: WritingGit;
    readonly start: ChangeStart;
    readonly path: string;
    readonly text: string;
    readonly message: string;
    readonly atMs: number;
  },
): Promise<OverridesCommit> => {
  const { git, start, path, text, message, atMs } = wanted;
  let committed = text;
  // One that stages the worktree (`git add -u`) brings back the old version, or none: not meant for us.
  const reviseEntry = async (own: TreeEntry, staged?: TreeEntry): Promise<RevisedEntry> => {
    if (!staged || staged.blob === own.blob || staged.blob === start.blob?.id) {
      return { ok: true, entry: own };
    }
    const bytes = (await readBlob(git, staged.blob))?.bytes;
    if (!bytes || !saysSame(bytes, text)) {
      const reason = `the pre-commit hook changed what ${path} says in the prepared commit`;
      return { ok: false, reason };
    }
    committed = bytes.toString("utf8");
    return { ok: true, entry: { ...own, blob: staged.blob } };
  };
  const made = await prepareCommit({
    ...{ git, head: start.head, message, reviseEntry },
    ...findScratch(context),
    contents: [{ path, mode: "100644", content: text }],
    date: `${Math.floor(atMs / 1000)} +0000`,
    onStep: context.onStep,
  });
  if (!made.ok) throw notMade(made);
  const change = made.prepared.changes.find((one) => one.path === path);
  if (!change) throw refused(`the prepared commit lacks ${path}`);
  return { prepared: made.prepared, blob: change.blob, text: committed };
};

/** Removes what a killed process left; the lock is held, so no one else writes here. */
export const tidyScratch = (context: OverridesContext): void => removeScratch(findScratch(context));

const findScratch = ({ repository, files }: OverridesContext) => ({
  files,
  scratch: join(repository.localDir, "routing"),
  operation: "overrides",
});

/** Formatted in another way it may be. */
const saysSame = (bytes: Buffer, text: string): boolean => {
  const [ours, theirs] = [readOverrides(Buffer.from(text)), readOverrides(bytes)];
  return (
    ours.ok && theirs.ok && JSON.stringify(ours.overrides) === JSON.stringify(theirs.overrides)
  );
};

const notMade = ({ why, reason, hook, lines = [] }: NotPrepared): HeadgateError => {
  if (why !== "hook") return refused(reason);
  return new HeadgateError("ROUTING_VETO", reason.replaceAll("\n", " | "), {
    data: { ...(hook !== undefined && { hook }), lines },
  });
};
