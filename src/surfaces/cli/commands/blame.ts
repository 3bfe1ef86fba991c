import type { Command } from "../command.ts";

export const command: Command = {
  summary: "Show who wrote each line of a file, uncommitted lines first",
  usage: ["blame FILE"],
  description:
    "Uncommitted lines with their author, how they were written (edit, shell, person, unknown) and how " +
    "long ago; then committed lines by commit, with the actors that its message names, else git's author. " +
    "Lines of which nothing proves the author are unknown. Looking changes nothing and creates nothing.",
  options: {},
  examples: [
    ["headgate blame src/auth.ts", "for people"],
    ["headgate blame src/auth.ts --json", "for programs: {path, spans, removed, committed}"],
  ],
  exits: [
    [0, "shown"],
    [1, "no git"],
    [4, "no such file"],
  ],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const { runBlame } = await import("../blame-run.ts");
    return runBlame(context);
  },
};
