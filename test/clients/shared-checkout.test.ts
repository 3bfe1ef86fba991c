/**
 * Three real clients finish their work in one checkout. Their model knows nothing of Headgate: it looks at the
 * files, makes an edit that is still to be made, goes on with another one when it is refused, and commits with
 * plain git. Who wrote which line is known from the script alone.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { put } from "../helpers/temporary-folder.ts";
import { armClients } from "./helpers/arm-client.ts";
import { asks, type Client, type Place } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { makeStage, type Steps } from "./helpers/stage.ts";
import { describeInNetwork } from "./helpers/suite.ts";

const { claude, codex } = clients;

interface Agent {
  readonly name: string;
  readonly client: Client;
  /** The edit it begins with, from 0. Two that begin with the entry that the other one's touches wait in a circle. */
  readonly first: number;
}

const agents: readonly Agent[] = [
  { name: "ada", client: claude, first: 6 },
  { name: "bob", client: claude, first: 7 },
  { name: "cyd", client: codex, first: 0 },
];

const paths = ["src/cart.ts", "src/order.ts", "src/price.ts"] as const;

/** Of `agent`'s n-th edit; no other line of the test holds it. */
const mark = (agent: string, n: number): string => `${agent}_${n}_`;

interface ScriptedEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A function that one agent changes, and a line in a list whose neighbours belong to the others. */
const bodyBefore = (agent: string, n: number): string => `  return "${mark(agent, n)}old";`;
const entryBefore = (agent: string, n: number): string => `  "${mark(agent, n)}old",`;

const edits = (agent: string): ScriptedEdit[] => [
  ...[1, 2, 3, 4, 5, 6].map((n) => ({
    path: paths[n % 3]!,
    before: bodyBefore(agent, n),
    after: `  const ${mark(agent, n)}a = ${n};\n  return String(${mark(agent, n)}a);`,
  })),
  ...[7, 8].map((n) => ({
    path: paths[n % 3]!,
    before: entryBefore(agent, n),
    after: `  "${mark(agent, n)}new",\n  "${mark(agent, n)}more",`,
  })),
];

const fileText = (path: string): string => {
  const at = paths.indexOf(path as (typeof paths)[number]);
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8].filter((n) => n % 3 === at);
  const functions = numbers
    .filter((n) => n <= 6)
    .flatMap((n) =>
      agents.map(
        ({ name }) => `export function ${name}${n}(): string {\n${bodyBefore(name, n)}\n}\n`,
      ),
    );
  const entries = numbers
    .filter((n) => n > 6)
    .map(
      (n) =>
        `export const list${n} = [\n${agents.map(({ name }) => entryBefore(name, n)).join("\n")}\n];\n`,
    );
  return [...functions, ...entries].join("\n");
};

/** Looks, then makes the first edit that is still to be made, each time from another one on; then it commits. */
const work = (place: Place, { client, name: agent, first }: Agent, go: string): Steps => {
  const all = edits(agent);
  const command = `git add -A && git commit -m 'Work of ${agent}'`;
  return Array.from({ length: turnsMax }, (_, turn) => {
    const reads = paths.map((path) => client.read(place, path));
    // Claude Code says "unchanged" instead of the text when the same is read again.
    const look = reads[0]
      ? asks(...reads.map((read) => ({ ...read!, input: limited(read!.input, turn) })))
      : asks(client.shell(`cat ${paths.join(" ")}`));
    const ordered = all.map((_one, at) => all[(at + turn + first) % all.length]!);
    return [
      [...noMore.map((when) => ({ when, text: "done" })), look],
      [
        ...ordered.map(({ path, before, after }) => ({
          ...asks(client.replace(place, path, before, after)),
          when: before.trim(),
          // None writes before all are there.
          untilFile: go,
        })),
        asks(client.shell(command)),
      ],
    ];
  }).flat();
};

const turnsMax = 60;

/** It looks once more after its commit: a file may have been in the middle of another's write. */
const noMore = ["COMMIT_NOTHING", "nothing to commit"];

const limited = (input: unknown, turn: number) => ({
  ...(input as Record<string, string>),
  limit: 1000 + turn,
});

interface Commit {
  readonly name: string;
  readonly by: string;
  readonly actors: readonly string[];
  readonly added: readonly string[];
}

const readCommits = (repo: string, since: string): Commit[] =>
  git(repo, "rev-list", "--reverse", `${since}..HEAD`)
    .split("\n")
    .map((name) => {
      const message = git(repo, "log", "-1", "--format=%B", name);
      return {
        name,
        by: /^Work of (\w+)/.exec(message)?.[1] ?? "",
        actors: [...message.matchAll(/^Headgate-Actor: (.*)$/gm)].map(([, actor]) => actor ?? ""),
        added: git(repo, "show", "--format=", "--unified=0", name)
          .split("\n")
          .filter((line) => /^\+[^+]/.test(line))
          .map((line) => line.slice(1)),
      };
    });

describeInNetwork("one checkout", [claude, codex], (network) => {
  it.each([
    ["with a running server", true],
    ["without a server", false],
  ])(
    "N-00 N-02 N-03 two Claude Codes and a Codex make eight edits each in three shared files and commit with plain git: " +
      "all is committed, no line is lost, none is in another's commit without its author's name, %s",
    async (_title, hasServer) => {
      const stage = makeStage(
        network(),
        Object.fromEntries(paths.map((path) => [path, fileText(path)])),
      );
      await armClients(stage, claude, codex);
      git(stage.repo, "add", "--all");
      git(stage.repo, "commit", "--quiet", "--message", "Arm");
      for (const [key, value] of Object.entries({ name: "Grace", email: "grace@example.org" })) {
        git(stage.repo, "config", `user.${key}`, value);
      }
      const start = git(stage.repo, "rev-parse", "HEAD");
      if (hasServer) await stage.up();
      else stage.forbidServer();
      const go = join(stage.repo, "../go");
      const runs = await Promise.all(
        agents.map((agent) => stage.start(agent.client, (place) => work(place, agent, go))),
      );
      await Promise.all(runs.map((run) => run.reached(1)));
      put(go);
      const ended = await Promise.all(runs.map((run) => run.ended));
      for (const { code, stdout, stderr } of ended) expect(code, stdout + stderr).toBe(0);

      const sessions = agents.map(({ client }, at) => actorName(client, ended[at]?.stdout ?? ""));
      const commits = readCommits(stage.repo, start);
      const written = agents.flatMap(({ name }, at) =>
        edits(name).flatMap(({ after }) =>
          after.split("\n").map((line) => ({ line, agent: name, actor: sessions[at] })),
        ),
      );
      const authors = new Map(written.map((one) => [one.line, one]));
      const foreign = commits.flatMap(({ name, by, actors, added }) =>
        added
          .map((line) => ({ line, name, author: authors.get(line) }))
          .filter(
            ({ author }) =>
              author?.agent !== by && !(author?.actor && actors.includes(author.actor)),
          ),
      );
      expect(foreign).toEqual([]);
      expect(new Set(commits.map(({ by }) => by))).toEqual(new Set(agents.map(({ name }) => name)));
      const counted = commits.flatMap(({ added }) => added).toSorted();
      expect(counted).toEqual(written.map(({ line }) => line).toSorted());
      expect(git(stage.repo, "status", "--porcelain")).toBe("");
      for (const path of paths) {
        let expected = fileText(path);
        for (const { name } of agents) {
          for (const edit of edits(name)) expected = expected.replace(edit.before, edit.after);
        }
        expect(git(stage.repo, "show", `HEAD:${path}`)).toBe(expected.trimEnd());
      }
      expect(stage.isServed()).toBe(hasServer);
    },
  );
});

/** As the client itself names its session. */
const actorName = (client: Client, stdout: string): string => {
  const [, id = ""] = /"(?:session_id|thread_id)":"([^"]+)"/.exec(stdout) ?? [];
  return `${client.name}:${id}`;
};
