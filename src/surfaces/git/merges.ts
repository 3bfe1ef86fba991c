/**
 * A merge can break what neither side broke: one definition from each, a name that one side took away and the other
 * began to use. Its tree is judged against every parent. A finding that another parent's own commits brought is
 * theirs, and judged there; the rest is the merge's.
 */
import { type Git, isObjectName, partedAt, treeChanges } from "../../git/index.ts";
import type { Reason } from "../../gate/index.ts";
import type { Judged, Judging } from "./judging.ts";

export interface MergeCommit {
  readonly commit: string;
  readonly parents: readonly string[];
}

/** Oldest first. */
export const mergesBetween = async (
  git: Git,
  revisions: readonly string[],
): Promise<readonly MergeCommit[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", "--merges", "--parents", "--reverse", "--topo-order"],
    revisions: [...revisions],
  });
  return stdout
    .toString("latin1")
    .split("\n")
    .map((line) => line.split(" ").filter(isObjectName))
    .flatMap(([commit, ...parents]) => (commit === undefined ? [] : [{ commit, parents }]));
};

/** `isWanted` leaves out files whose findings do not count. Throws as `partedAt` does. */
export const judgeMerge = async (
  { commit, parents }: MergeCommit,
  {
    git,
    judging,
    isWanted = () => true,
  }: {
    readonly git: Git;
    readonly judging: Judging;
    readonly isWanted?: (path: string) => boolean;
  },
): Promise<Judged> => {
  const between = async (base: string, head: string): Promise<Judged> =>
    judging.judge(await treeChanges(git, base, head), { base });
  const total = { reasons: [] as Reason[], notes: [] as Reason[], files: 0, notAnalysed: 0 };
  for (const parent of parents) {
    const found = await between(parent, commit);
    total.files += found.files;
    total.notAnalysed += found.notAnalysed;
    const [reasons, notes] = [found.reasons, found.notes].map((all) =>
      all.filter(({ path }) => isWanted(path)),
    ) as [Reason[], Reason[]];
    if (reasons.length === 0 && notes.length === 0) continue;
    const theirs = new Set<string>();
    for (const other of parents.filter((one) => one !== parent)) {
      const own = await between(await partedAt(git, parent, other), other);
      for (const one of [...own.reasons, ...own.notes]) theirs.add(sameness(one));
    }
    const isMerges = (one: Reason): boolean => !theirs.has(sameness(one));
    total.reasons.push(...reasons.filter(isMerges));
    total.notes.push(...notes.filter(isMerges));
  }
  return { ...total, reasons: once(total.reasons), notes: once(total.notes) };
};

/** Each once: most are found from both sides. */
export const once = <One extends Reason>(all: readonly One[]): One[] => [
  ...new Map(all.map((one) => [sameness(one), one])).values(),
];

/** Lines are others in another tree. */
export const sameness = ({ code, path, symbol = "", message }: Reason): string =>
  [code, path, symbol.replace(/~\d+$/, ""), message.replaceAll(/\d+/g, "#")].join("\0");
