/** Who has written lines in this worktree that are not committed: a part of the status. */
import { join } from "node:path";
import { systemFiles } from "../base/files.ts";
import type { Claim, Claims } from "../claims/index.ts";
import type { Headgate } from "../compose.ts";
import type { LineEdit, NotedFile, Presence } from "../lines/index.ts";

export interface SessionLines {
  readonly session: string;
  /** The session, or its sub-agent that was heard of last. */
  readonly actor: string;
  readonly task: string;
  /** Whether the session is still at work; lines of one that is not can be adopted. */
  readonly state: Presence;
  readonly files: readonly {
    readonly path: string;
    readonly edits: number;
    /** The parts that its edits hold, as targets; commands of the shell hold none. */
    readonly parts: readonly string[];
  }[];
}

/** The session that wrote last comes first. Nothing is written down. */
export const linesReport = async ({
  lines,
  repository,
}: Pick<Headgate, "lines" | "repository">): Promise<SessionLines[]> => {
  if (repository.kind !== "git") return [];
  const noted = [...(await lines.noted())].filter(
    ([, file]) => file.edits.some(isKnown) || file.pendings.length > 0,
  );
  if (noted.length === 0) return [];
  const isAsNoted = await seenSince(repository.worktree);
  const groups = Map.groupBy(noted, ([path, file]) => isAsNoted(path, file));
  const asNoted = (groups.get(true) ?? []).map(([path, { edits }]) => ({ path, edits }));
  const looked = await lookAt(
    (groups.get(false) ?? []).map(([path]) => path),
    {
      ...{ lines, repository },
    },
  );
  const edits = [...asNoted, ...looked]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ path, edits: all }) => all.filter(isKnown).map((edit) => ({ path, ...edit })));
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
        files: files.map(([path, these]) => ({ path, edits: these.length, parts: [] })),
      };
    });
};

/** With the parts that the edits hold. */
export const withParts = async (
  report: readonly SessionLines[],
  claims: Pick<Claims, "list">,
  holders: readonly { readonly actor: string }[],
): Promise<SessionLines[]> => {
  if (report.length === 0) return [];
  const { escapePath, parseActor } = await import("../claims/index.ts");
  const sessions = new Set(report.map(({ session }) => session));
  const held: Claim[] = [];
  for (const { actor } of holders) {
    if (!sessions.has(parseActor(actor).session)) continue;
    held.push(...(await claims.list({ actor, mode: "edit" })).claims);
  }
  const targets = Map.groupBy(held, ({ actor, target }) =>
    JSON.stringify([parseActor(actor).session, target.split(/(?<!\\)#/)[0]]),
  );
  return report.map((one) => ({
    ...one,
    files: one.files.map((file) => {
      const own = targets.get(JSON.stringify([one.session, escapePath(file.path)])) ?? [];
      const named = own.flatMap(({ target }) => (target === escapePath(file.path) ? [] : [target]));
      return { ...file, parts: [...new Set(named)].toSorted() };
    }),
  }));
};

interface FileEdits {
  readonly path: string;
  readonly edits: readonly LineEdit[];
}

const isKnown = ({ kind }: LineEdit): boolean => kind !== "unknown";

/**
 * Whether neither a file nor HEAD changed since something was last known of the file, by the times that the system
 * keeps: ten thousand files of one command need no look at each. Lines of several authors may have been taken
 * away by each other, so those are looked at.
 */
const seenSince = async (worktree: string): Promise<(path: string, file: NotedFile) => boolean> => {
  const { gitDirOf } = await import("../git/index.ts");
  const gitDir = gitDirOf(worktree, systemFiles);
  // Every commit and checkout adds a line to it.
  const moved = gitDir === undefined ? undefined : systemFiles.stat(join(gitDir, "logs/HEAD"));
  return (path, { edits, pendings, at }) => {
    const isOne = edits.every(({ session }) => session === edits[0]?.session);
    if (!moved || moved.ctimeMs >= at || !isOne || pendings.length > 0) return false;
    const stat = systemFiles.stat(join(worktree, path));
    return stat !== undefined && stat.ctimeMs < at;
  };
};

const lookAt = async (
  paths: readonly string[],
  { lines, repository }: Pick<Headgate, "lines" | "repository">,
): Promise<readonly FileEdits[]> => {
  if (paths.length === 0) return [];
  const { commitOf, createGit } = await import("../git/index.ts");
  const { readContents } = await import("../landing/index.ts");
  const { isBackAtCommit } = await import("../lines/index.ts");
  const git = createGit({ cwd: repository.worktree });
  const committed = await readContents(git, await commitOf(git, "HEAD"), paths);
  return [...(await lines.view(committed))].flatMap(([path, { weave }]) =>
    isBackAtCommit(weave) ? [] : [{ path, edits: weave.edits }],
  );
};

const newest = (edits: readonly { readonly at: number }[]): number =>
  Math.max(...edits.map(({ at }) => at));
