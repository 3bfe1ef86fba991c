import { usageError, unknownName } from "../arguments.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { completionPlaces } from "../completion/model.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { Command } from "../command.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const names = Object.keys(shells);

export const command: Command = {
  summary: "Print a completion script for bash, zsh or fish",
  usage: ["completion bash|zsh|fish"],
  description:
    "The script is generated from the commands of this very version: names, sub-commands, options and " +
    "their values. Load it in the start-up file of your shell.",
  options: {},
  examples: [
    ["source <(headgate completion bash)", "in ~/.bashrc"],
    ["source <(headgate completion zsh)", "in ~/.zshrc, after compinit"],
    ["headgate completion fish | source", "in ~/.config/fish/config.fish"],
  ],
  exits: [
    [0, "the script was printed"],
    [2, "no shell or an unknown one was named"],
  ],
  positionalsMax: 1,
  completes: names,
  run: async ({ positionals, output }) => {
    const [shell] = positionals;
    if (shell === undefined) {
      throw usageError(`name the shell: ${names.join(", ")}`, "headgate completion");
    }
    if (!Object.hasOwn(shells, shell)) {
      throw usageError(unknownName("shell", shell, names), "headgate completion");
    }
    const script = shells[shell as keyof typeof shells](await completionPlaces());
    if (output.json) output.object({ name: shell, script });
    else output.print(script);
    return 0;
  },
};
