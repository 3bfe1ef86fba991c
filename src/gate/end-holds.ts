/** Edits hold a file's parts as long as their session has uncommitted lines in it (N-09). */
import { type Claims, escapePath, parseActor, parseTarget } from "../claims/index.ts";
import type { Lines } from "../lines/index.ts";

/** Of all sessions; in whatever worktree of the store the lines are. */
export const endSettledHolds = async (
  { claims, lines }: { readonly claims: Claims; readonly lines: Pick<Lines, "authors"> },
  paths: readonly string[],
): Promise<void> => {
  if (paths.length === 0) return;
  const { claims: all } = await claims.list({ mode: "edit" });
  const byFile = Map.groupBy(all, ({ target }) => /^(?:\\.|[^#\\])*/.exec(target)?.[0]);
  for (const path of new Set(paths)) {
    const held = (byFile.get(escapePath(path)) ?? []).map(({ id, actor }) => ({
      ...{ id, actor, session: parseActor(actor).session },
    }));
    if (held.length === 0) continue;
    const authors = await lines.authors(
      path,
      held.map(({ session }) => session),
    );
    const open = new Set(authors.map(({ session }) => session));
    const ended = held.filter(({ session }) => !open.has(session));
    for (const [actor, own] of Map.groupBy(ended, (one) => one.actor)) {
      await claims.as(actor).release({ claims: own.map(({ id }) => id) });
    }
  }
};

/** Files in which an actor's own edits hold something. */
export const heldFiles = async (claims: Claims): Promise<readonly string[]> => {
  const { claims: held } = await claims.list({ actor: claims.actor.id, mode: "edit" });
  const files = held.map(({ target }) => parseTarget(target, { extent: "file" }).shape.prefix);
  return [...new Set(files)];
};
