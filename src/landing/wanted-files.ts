/** Which files a commit has to look at. */
import type { Claims } from "../claims/index.ts";
import type { LineEdit, Lines } from "../lines/index.ts";
import { type CommitFile, describeLeft } from "./commit-answer.ts";
import { groupLeft } from "./own-part.ts";

/**
 * Files that can have something of the part. While other sessions are at work, lines without a known author stay,
 * so files in which nothing of the session's own was noted need no look, however many they are.
 */
export const findWanted = async (
  { lines, claims }: { readonly lines: Lines; readonly claims: Claims },
  {
    paths,
    along,
    isAsked,
  }: {
    readonly paths: readonly string[];
    readonly along: readonly string[];
    isAsked(path: string): boolean;
  },
): Promise<{ readonly paths: readonly string[]; readonly left: readonly CommitFile[] }> => {
  const noted = await lines.noted();
  const all = [...new Set([...paths, ...[...noted.keys()].filter(isAsked)])];
  const { session } = claims.actor;
  const isAlone = ![...(await lines.presence())].some(
    ([name, { state }]) => name !== session && state === "here",
  );
  if (isAlone || along.includes("unknown")) return { paths: all, left: [] };
  const isMeant = (edit: LineEdit): boolean =>
    edit.session === session || along.includes(edit.session) || along.includes(edit.actor);
  const hasOwn = (path: string): boolean => {
    const { edits = [], pendings = [] } = noted.get(path) ?? {};
    return edits.some(isMeant) || pendings.some(({ edit }) => isMeant(edit));
  };
  const groups = Map.groupBy(all, hasOwn);
  const left = (groups.get(false) ?? []).map((path) => ({
    ...{ path, hunks: 0 },
    left: describeLeft(groupLeft(noted.get(path)?.edits ?? [noAuthor])),
  }));
  return { paths: groups.get(true) ?? [], left };
};

/** Of a changed file of which nothing was noted. */
const noAuthor = { actor: "" } as const;
