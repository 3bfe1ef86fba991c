import type { Environment } from "../../base/environment.ts";
import { hasFiles, noFiles } from "../../git/index.ts";
import type { Headgate, HeadgateOptions } from "../../compose.ts";
import type { CommandContext } from "./command.ts";

/**
 * Opens the repository a command line means: `--repo` or here, as `--as` or the environment says. A command
 * that `needsFiles` is refused in a bare repository.
 */
export const openFor = async (
  { flags, environment, output, shared }: CommandContext,
  {
    needsFiles = false,
    repairs = true,
    ...options
  }: Pick<HeadgateOptions, "typesMs" | "evenIfMisconfigured" | "movesState"> & {
    readonly readOnly: boolean;
    readonly needsFiles?: boolean;
    /** Finishes first what killed processes left half done (G6). */
    readonly repairs?: boolean;
  },
): Promise<Headgate> => {
  // Loaded late, so that help and completion stay quick.
  const { openHeadgate } = await import("../../compose.ts");
  const repo = flags.text("repo");
  const as = flags.text("as");
  const meant = {
    ...{ environment, ...options },
    ...(repo !== undefined && { repo }),
    ...(as !== undefined && { as }),
    ...(shared && { shared }),
    ...(repairs && { onRemark: (line: string) => output.note(line) }),
  };
  const headgate = await openHeadgate(meant);
  if (repairs && headgate.leftWork.isThere()) {
    const { repairWork } = await import("../repair-work.ts");
    await repairWork(
      () => openHeadgate({ ...meant, readOnly: false }),
      (line) => output.note(line),
    );
  }
  if (needsFiles && !hasFiles(headgate.repository)) {
    await headgate.close();
    throw noFiles(headgate.repository);
  }
  return headgate;
};

/** Another repository than the one that the command line means, to look at. */
export const openToLook = async (repo: string, environment: Environment): Promise<Headgate> => {
  const { openHeadgate } = await import("../../compose.ts");
  return openHeadgate({ environment, repo, readOnly: true });
};
