/** For commands that only a person may give. */
import type { CommandContext } from "./command.ts";
import { openFor } from "./open-for.ts";
import { commandLine } from "./shell-word.ts";

/** Throws PERSON_NEEDED, with the line for a person to type, and leaves a request that `status` shows. */
export const requirePerson = async (
  context: CommandContext,
  place: { readonly localDir: string; readonly worktree: string },
  act: { readonly what: string; readonly words: readonly string[] },
): Promise<void> => {
  const { whyNoPerson } = await import("../../claims/index.ts");
  const why = whyNoPerson(context.environment, { stateFolder: place.localDir });
  if (why === undefined) return;
  const { askPerson } = await import("../ask-person.ts");
  const line = `${commandLine(["cd", place.worktree])} && ${commandLine(["headgate", ...act.words])}`;
  await using headgate = await openFor(context, { readOnly: false, evenIfMisconfigured: true });
  throw await askPerson(headgate, { what: act.what, line }, why);
};
