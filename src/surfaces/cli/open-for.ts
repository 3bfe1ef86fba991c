import type { Headgate } from "../../compose.ts";
import type { CommandContext } from "./command.ts";

/** Opens the repository a command line means: `--repo` or here, as `--as` or the environment says. */
export const openFor = async (
  { flags, environment }: CommandContext,
  options: { readonly readOnly: boolean },
): Promise<Headgate> => {
  // Loaded late, so that help and completion stay quick.
  const { openHeadgate } = await import("../../compose.ts");
  const repo = flags.text("repo");
  const actor = flags.text("as");
  return openHeadgate({
    environment,
    ...(repo === undefined ? {} : { repo }),
    ...(actor === undefined ? {} : { actor }),
    ...options,
  });
};
