/** What every answer to a hook uses, in the server and in a process of its own; the larger part is loaded late. */
import type { HookDependencies } from "./dependencies.ts";
import { openRing } from "./ring/index.ts";

export const hookParts: Required<
  Pick<HookDependencies, "judgeShell" | "keepsFiles" | "readsOnly" | "ring">
> = {
  judgeShell: async (command, context) =>
    (await import("./shell/index.ts")).judgeShell(command, context),
  readsOnly: async ({ command, shell }, cwd) =>
    (await import("./shell/index.ts")).readCommand(command, { shell, cwd }).readsOnly,
  keepsFiles: async ({ command, shell }, cwd) =>
    (await import("./shell/index.ts")).readCommand(command, { shell, cwd }).keepsFiles,
  ring: openRing,
};
