import type { Command } from "../command.ts";

export const command: Command = {
  summary: "Show uncommitted changes as patches, by actor",
  usage: ["diff [--mine | --actor ACTOR] [PATH…]"],
  description:
    "The change of one actor on HEAD, without the lines of others in the same files; `git apply` takes it. " +
    "Lines of others that it was written onto are part of it, and named. Without a flag every actor's " +
    "change is shown in turn, each a patch of its own on HEAD. `--actor unknown` shows lines of which " +
    "nothing proves the author. Looking changes nothing and creates nothing.",
  options: {
    mine: { type: "boolean", description: "Only your own session's" },
    actor: { type: "string", value: "ACTOR", description: "Only of this actor or session" },
  },
  examples: [
    ["headgate diff --mine", "what would I commit?"],
    ["headgate diff --actor claude:3f2a src/ > theirs.patch", "for git apply"],
    ["headgate diff --json", "for programs: {actors: [{actor, files, patch}]}"],
  ],
  exits: [
    [0, "shown, also when there is nothing"],
    [1, "no git"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { runDiff } = await import("../diff-run.ts");
    return runDiff(context);
  },
};
