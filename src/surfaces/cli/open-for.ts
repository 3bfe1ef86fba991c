import type { Environment } from "../../base/environment.ts";
import type { Actor } from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import type { CommandContext } from "./command.ts";

/** Opens the repository a command line means: `--repo` or here, as `--as` or the environment says. */
export const openFor = async (
  { flags, environment }: CommandContext,
  options: { readonly readOnly: boolean; readonly typesMs?: number },
): Promise<Headgate> => {
  // Loaded late, so that help and completion stay quick.
  const { openHeadgate } = await import("../../compose.ts");
  const repo = flags.text("repo");
  const as = flags.text("as");
  return openHeadgate({
    environment,
    ...(repo === undefined ? {} : { repo }),
    ...(as === undefined ? {} : { actor: await actorNamed(as, environment) }),
    ...options,
  });
};

/** Another repository than the one that the command line means, to look at. */
export const openToLook = async (repo: string, environment: Environment): Promise<Headgate> => {
  const { openHeadgate } = await import("../../compose.ts");
  return openHeadgate({ environment, repo, readOnly: true });
};

/** Not the plain name: that would stand for this process, which ends with the command. */
const actorNamed = async (as: string, environment: Environment): Promise<Actor> => {
  const { actorFromEnvironment } = await import("../../claims/index.ts");
  return actorFromEnvironment(environment, { as });
};
