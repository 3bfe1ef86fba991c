/** For commands that only a person may give. */
import type { Headgate } from "../../compose.ts";
import type { CommandContext } from "./command.ts";
import { openFor } from "./open-for.ts";
import { commandLine } from "../../base/shell-word.ts";

/**
 * Throws PERSON_NEEDED, with the line for a person to type, and leaves a request that `status` and the dashboard show.
 * One that a person approved there passes once.
 */
export const requirePerson = async (
  context: CommandContext,
  { repository, claims }: Pick<Headgate, "repository" | "claims">,
  act: { readonly what: string; readonly words: readonly string[] },
): Promise<void> => {
  const { whyNoPerson } = await import("../../claims/index.ts");
  const { localDir: stateFolder } = repository;
  const line = `${commandLine(["cd", context.environment.cwd])} && ${commandLine(["headgate", ...act.words])}`;
  const { what } = act;
  const { session } = claims.actor;
  const why = whyNoPerson(context.environment, { stateFolder, wanted: { what, line, session } });
  if (why === undefined) return;
  const { askPerson } = await import("../ask-person.ts");
  await using headgate = await openFor(context, { readOnly: false, evenIfMisconfigured: true });
  throw await askPerson(headgate, { what, line }, why);
};
