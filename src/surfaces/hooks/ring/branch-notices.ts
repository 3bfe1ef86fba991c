/** A command of one session switched the branch, or moved HEAD away from commits: the others at work here must know. */
import { showText } from "../../../base/text.ts";
import type { Git } from "../../../git/index.ts";
import type { Lines } from "../../../lines/index.ts";
import type { NewNotice } from "../../../notices/index.ts";
import { ringLimits } from "./ring-limits.ts";
import type { WorktreeState } from "./worktree-state.ts";

export const branchNotices = async (
  before: WorktreeState,
  after: WorktreeState,
  {
    by,
    git,
    lines,
  }: {
    readonly by: { readonly id: string; readonly session: string };
    readonly git: () => Git;
    readonly lines: Pick<Lines, "presence">;
  },
): Promise<NewNotice[]> => {
  const said = await branchText(before, after, { by: showText(by.id, 80), git });
  if (said === undefined) return [];
  const here = [...(await lines.presence())].filter(
    ([session, { state }]) => session !== by.session && state === "here",
  );
  return here.map(([to]) => ({ to, kind: "branch", about: "branch", text: said }));
};

const branchText = async (
  before: WorktreeState,
  after: WorktreeState,
  { by, git }: { readonly by: string; readonly git: () => Git },
): Promise<string | undefined> => {
  if (before.branch !== after.branch) {
    const [from, to] = [before, after].map(({ branch }) =>
      branch === undefined ? "no branch" : showText(branch, 80),
    );
    return `${by} switched this checkout from ${from} to ${to}; read files again before you edit them`;
  }
  const { head } = before;
  if (head === null || after.head === null || head === after.head) return undefined;
  const { code } = await git().run({
    args: ["merge-base", "--is-ancestor"],
    revisions: [head, after.head],
    okCodes: [0, 1, 128],
    timeoutMs: ringLimits.lookMs,
  });
  // New commits on top are ordinary work.
  if (code === 0) return undefined;
  return `${by} moved HEAD from ${head.slice(0, 10)} to ${after.head.slice(0, 10)}, which does not hold it`;
};
