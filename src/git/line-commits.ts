/** Which commit each line of a committed file is from. */
import { readTrailers } from "./commit/trailers.ts";
import type { Git } from "./reading-git.ts";

export interface LineCommit {
  readonly commit: string;
  readonly author: string;
  readonly at: number;
  readonly summary: string;
  /** `Headgate-Actor` trailers of its message. */
  readonly actors: readonly string[];
}

/** One entry per line of the file in `head`. */
export const blameLines = async (
  git: Git,
  head: string,
  path: string,
): Promise<readonly LineCommit[]> => {
  const { stdout } = await git.run({
    args: ["blame", "--incremental"],
    revisions: [head],
    paths: [path],
  });
  const names: string[] = [];
  const facts = new Map<string, { author: string; at: number; summary: string }>();
  let known = { author: "", at: 0, summary: "" };
  for (const line of stdout.toString("utf8").split("\n")) {
    const [, commit = "", start = "", count = ""] =
      /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/.exec(line) ?? [];
    if (commit !== "") {
      names.length = Math.max(names.length, Number(start) + Number(count) - 1);
      names.fill(commit, Number(start) - 1, Number(start) + Number(count) - 1);
      known = facts.get(commit) ?? { author: "", at: 0, summary: "" };
      facts.set(commit, known);
      continue;
    }
    const [, key = "", value = ""] = /^(author|author-time|summary) (.*)$/.exec(line) ?? [];
    if (key === "author") known.author = value;
    if (key === "author-time") known.at = Number(value) * 1000;
    if (key === "summary") known.summary = value;
  }
  const messages = await readMessages(git, [...facts.keys()]);
  const commits = new Map(
    [...facts].map(([commit, fact]): [string, LineCommit] => [
      commit,
      { commit, ...fact, actors: readTrailers(messages.get(commit) ?? "", "Headgate-Actor") },
    ]),
  );
  return names.flatMap((name) => commits.get(name) ?? []);
};

const readMessages = async (git: Git, commits: readonly string[]): Promise<Map<string, string>> => {
  if (commits.length === 0) return new Map();
  const { stdout } = await git.run({
    args: ["rev-list", "--no-walk=unsorted", "--stdin", "--format=%B%x00"],
    input: `${commits.join("\n")}\n`,
  });
  const texts = stdout.toString("utf8").split("\0");
  return new Map(
    texts.flatMap((text): [string, string][] => {
      const [, commit = "", message = ""] = /^\n?commit ([0-9a-f]+)\n([^]*)$/.exec(text) ?? [];
      return commit === "" ? [] : [[commit, message]];
    }),
  );
};
