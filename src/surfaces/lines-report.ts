/** Who has written lines in this worktree that are not committed: a part of the status. */
import type { Headgate } from "../compose.ts";
import type { Presence } from "../lines/index.ts";

export interface SessionLines {
  readonly session: string;
  /** The session, or its sub-agent that was heard of last. */
  readonly actor: string;
  readonly task: string;
  /** Whether the session is still at work; lines of one that is not can be adopted. */
  readonly state: Presence;
  readonly files: readonly { readonly path: string; readonly edits: number }[];
}

/** The session that wrote last comes first. Nothing is written down. */
export const linesReport = async ({
  lines,
  repository,
}: Pick<Headgate, "lines" | "repository">): Promise<SessionLines[]> => {
  const noted = [...(await lines.records()).keys()];
  if (noted.length === 0 || repository.kind !== "git") return [];
  const { commitOf, createGit } = await import("../git/index.ts");
  const { readContents } = await import("../landing/index.ts");
  const { isBackAtCommit } = await import("../lines/index.ts");
  const git = createGit({ cwd: repository.worktree });
  const committed = await readContents(git, await commitOf(git, "HEAD"), noted);
  const edits = [...(await lines.view(committed))].flatMap(([path, { weave }]) =>
    isBackAtCommit(weave)
      ? []
      : weave.edits.filter(({ kind }) => kind !== "unknown").map((edit) => ({ path, ...edit })),
  );
  const presence = await lines.presence();
  return [...Map.groupBy(edits, ({ session }) => session)]
    .toSorted(([, one], [, other]) => newest(other) - newest(one))
    .map(([session, own]) => {
      const { actor, task, state } = presence.get(session) ?? {
        ...{ actor: session, task: "", state: "ended" as const },
      };
      const files = [...Map.groupBy(own, ({ path }) => path)];
      return {
        ...{ session, actor, task, state },
        files: files.map(([path, these]) => ({ path, edits: these.length })),
      };
    });
};

const newest = (edits: readonly { readonly at: number }[]): number =>
  Math.max(...edits.map(({ at }) => at));
