/**
 * After a write that took its time: what allowed it may have ended, and another may hold the file since (N-07).
 * Both get a notice; the change is kept as a patch, and either side can take it back. True: notices were sent.
 */
import { join } from "node:path";
import { showText } from "../../base/text.ts";
import type { Claims } from "../../claims/index.ts";
import { keepLatePatch } from "../../edit/index.ts";
import type { OverdueWrite } from "../../lines/index.ts";
import type { HookHeadgate } from "./dependencies.ts";

export const tellLateClaims = async (
  overdue: readonly OverdueWrite[],
  claims: Claims,
  { repository, events, notify }: Pick<HookHeadgate, "repository" | "events" | "notify">,
): Promise<boolean> => {
  let isLate = false;
  for (const write of overdue) {
    const target = { path: join(repository.worktree, write.path), extent: "file" } as const;
    const held = await claims.list({ actor: claims.actor.id, target, mode: "edit" });
    if (held.claims.length > 0) continue;
    const { blockers } = await claims.check([target], { mode: "edit" });
    const [blocker] = blockers;
    if (!blocker) continue;
    const { id } = write.edit;
    const patch = keepLatePatch(repository, id, write);
    const back = `headgate undo ${id} --yes takes it back`;
    const common = { kind: "late-write", target: write.path, about: `late:${id}` } as const;
    await notify([
      {
        ...{ ...common, to: claims.actor.id },
        text:
          `your write came late: ${showText(blocker.actor, 80)} holds ${blocker.target} since; ${back}; ` +
          `your change is kept as ${patch}`,
      },
      {
        ...{ ...common, to: blocker.actor },
        text: `${showText(claims.actor.id, 80)} wrote what you hold, after its own hold had ended; ${back}`,
      },
    ]);
    const data = { path: write.path, edit: id, over: blocker.actor, claim: blocker.id };
    await events.append({ kind: "write.late", actor: claims.actor.id, data });
    isLate = true;
  }
  return isLate;
};
