/** Before a commit: what the session's own running command has written so far is the session's. */
import type { Environment } from "../base/environment.ts";
import type { Headgate } from "../compose.ts";
import type { Git } from "../git/index.ts";

export const noteRunning = async (
  { repository, claims, events, lines }: Headgate,
  { environment, git }: { readonly environment: Environment; readonly git?: Git },
): Promise<void> => {
  const { worktree: root, kind, localDir } = repository;
  if (kind !== "git") return;
  const { openRing } = await import("./hooks/ring/index.ts");
  const ring = openRing({
    ...{ root, kind, localDir, claims, events, lines, environment, ...(git && { git }) },
    emit: async (event) => void (await events.append({ actor: claims.actor.id, ...event })),
  });
  await ring.noteSoFar();
};
