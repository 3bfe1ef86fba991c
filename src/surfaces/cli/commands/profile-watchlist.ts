import type { Command } from "../command.ts";

export const watchlist: Command = {
  summary: "List the patterns of files that a profile rests on",
  usage: ["profile watchlist"],
  description:
    "They follow from the signals themselves and hold in every folder; folders end in a slash. A change of " +
    "any other file can only move the shares of the languages.",
  options: {},
  examples: [
    ["headgate profile watchlist", "one pattern per line"],
    ["headgate profile watchlist --json", "for programs: {patterns: […]}"],
  ],
  positionalsMax: 0,
  run: async ({ output }) => {
    const { watchedPatterns } = await import("../../../profile/index.ts");
    const patterns = watchedPatterns();
    output.object({ patterns });
    for (const pattern of patterns) output.line(pattern);
    return 0;
  },
};
