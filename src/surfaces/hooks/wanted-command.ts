/**
 * A command in an agent's shell that is a person's: asked for on the dashboard and in `status`, and let pass once when a
 * person has approved this very text. Names of others, marks and the store are never asked for: no approval makes
 * one session another.
 */
import { approveAct, type Actor, useApproval } from "../../claims/index.ts";
import { commandLine } from "../../base/shell-word.ts";
import { noteWanted, wantedLineMax } from "../ask-person.ts";
import type { HookHeadgate } from "./dependencies.ts";
import type { PersonalUse } from "./shell/types.ts";

export interface WantedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly uses: readonly PersonalUse[];
}

/** True once, for a text that was approved; otherwise the request is written down. */
export const isCommandApproved = async (
  { command, cwd, uses }: WantedCommand,
  place: { readonly headgate: HookHeadgate; readonly actor: Actor },
): Promise<boolean> => {
  const { headgate, actor } = place;
  const [first] = uses;
  const line = `${commandLine(["cd", cwd])} && ${command}`;
  if (!first || !uses.every(isForPersons) || line.length > wantedLineMax) return false;
  const { session } = actor;
  const stateFolder = headgate.repository.localDir;
  const wanted = { session, what: actName(first), line };
  if (!useApproval({ stateFolder, wanted, isExact: true })) {
    await noteWanted(headgate.events, wanted, { actor: actor.id, why: "an agent works here" });
    return false;
  }
  // The command asks again by itself; it need not say its line a second time.
  for (const use of uses) approveAct({ session, what: actName(use), line: "" }, stateFolder);
  return true;
};

const isForPersons = ({ kind, by }: PersonalUse): boolean =>
  kind === "command" || kind === "setting" || by === "HEADGATE_BYPASS";

/** As the command itself names it when it asks for a person. */
const actName = ({ by }: PersonalUse): string => by.replace(/^headgate /, "").slice(0, 100);
