/** Who else holds what a command reaches. */
import type { Blocker, TargetInput } from "../../../claims/index.ts";
import { HeadgateError } from "../../../errors.ts";
import type { ShellContext } from "./types.ts";

/** Those who live, or may: the dead hold nothing back. */
export const blockersOf = async (
  targets: readonly TargetInput[],
  claims: Pick<ShellContext["claims"], "check">,
): Promise<readonly Blocker[]> => {
  if (targets.length === 0) return [];
  try {
    const { blockers } = await claims.check(targets);
    return blockers.filter(({ liveness }) => liveness.state !== "dead");
  } catch (error) {
    // A name that cannot be claimed is held by nobody.
    if (HeadgateError.isInstance(error) && /^(?:TARGET|PATH)_/.test(error.code)) return [];
    throw error;
  }
};
