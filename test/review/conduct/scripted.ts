/** Whole reviews without a network: a repository, models that say what a script tells, the real program. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Environment, systemEnvironment } from "../../../src/base/environment.ts";
import { copyRepository, git, makeRepository } from "../../helpers/git-repository.ts";
import type { runInside } from "../../helpers/inside.ts";
import { cleanEnvironment, type Ended, run, start, type Started } from "../../helpers/program.ts";
import { type AtEnd, put, temporaryFolder } from "../../helpers/temporary-folder.ts";

/** The last line of a whole report: what stands in the prompt, with the number of findings. */
export const markerLine = (count: number): string =>
  `{{match:<!-- headgate:complete run=\\S+ agent=\\S+ n=}}${count} {{match:sha256=[0-9a-f]+}} -->`;

export interface Said {
  readonly title: string;
  readonly severity?: string;
  readonly place?: string;
  readonly body?: string;
}

export const report = (
  agent: string,
  findings: readonly Said[],
  { verdict = "safe", last = markerLine(findings.length) } = {},
): string =>
  [
    "### Findings Index",
    ...(findings.length === 0 ? ["No findings."] : []),
    ...findings.map(
      ({ title, severity = "P2", place = "src/store.js:2" }, at) =>
        `- ${severity} | ${agent}-${at + 1} | "${place}" | ${title} | 0.8`,
    ),
    `Verdict: ${verdict}`,
    "",
    ...findings.map(({ title, body = title }, at) => `### ${agent}-${at + 1}: ${title}\n${body}\n`),
    last,
  ].join("\n");

export type Step = string | Record<string, unknown>;

/** What one reviewer says, whenever it is asked. */
export const says = (agent: string, step: Step, ...more: Step[]) => ({
  when: `Answer as ${agent},`,
  withoutTools: true,
  steps: [step, ...more],
});

/** What second looks say, by words of the report; unsure about the others. */
export const looks = (outcomes: Record<string, string>) => ({
  when: "# Is this really so?",
  withoutTools: true,
  steps: [
    [
      ...Object.entries(outcomes).map(([when, outcome]) => ({ when, text: look(outcome) })),
      { text: look("unsure") },
    ],
  ],
});

export const look = (outcome: string): string =>
  `Outcome: ${outcome}\nReason: line 2 decides it\n{{match:<!-- headgate:look run=\\S+ -->}}`;

export const code = "export const save = (a) => a;\n";
export const changed = `${code}export const load = (name) => read(name);\nexport const drop = (name) => remove(name);\n`;

export interface Place {
  readonly cwd: string;
  readonly folder: string;
  /** As a program in the repository sees it. */
  readonly environment: Environment;
  /** Headgate in the repository. */
  run(args: readonly string[], input?: string): Promise<Ended>;
  start(args: readonly string[], input?: string | "open"): Started;
  // oxlint-disable-next-line no-explicit-any -- what it holds is what the test expects.
  json(args: readonly string[], input?: string): Promise<any>;
  /** What the models were asked so far. */
  asked(): { lastUserText: string; wire: string }[];
  /** Who was asked how often. */
  names(): string[];
  edit(path: string, content: string): void;
}

const addresses = {
  anthropic: "/v1/messages",
  responses: "/v1/responses",
  chat: "/v1/chat/completions",
} as const;

export const scriptedPlace = async (
  conversations: readonly object[],
  options: {
    readonly protocol?: keyof typeof addresses;
    readonly runners?: Record<string, unknown>;
    readonly review?: Record<string, unknown>;
    readonly spec?: Record<string, unknown>;
    readonly atEnd?: AtEnd;
    /** How `run` and `json` call the program: `runInside` where no process of its own is needed. */
    readonly call?: typeof runInside;
  } = {},
): Promise<Place> => {
  const { protocol = "anthropic", atEnd = onTestFinished, call = run } = options;
  const folder = temporaryFolder(atEnd);
  const cwd = copyRepository(join(folder, "app"), "app", (template) => {
    makeRepository(template);
    put(join(template, "src/store.js"), code);
    git(template, "add", ".");
    git(template, "commit", "-q", "-m", "begin");
  });
  put(join(cwd, "src/store.js"), changed);
  const [script, record] = [join(folder, "script.json"), join(folder, "record.jsonl")];
  writeFileSync(script, JSON.stringify({ conversations }).replaceAll("GATE", join(folder, "GATE")));
  const model = start(["mock-llm", "--script", script, "--record", record], { cwd: folder });
  atEnd(async () => {
    model.child.kill("SIGKILL");
    await model.ended;
  });
  const [address] = await model.until(/http:\/\/127\.0\.0\.1:\d+/);
  const config = join(folder, "no-home/config/headgate/config.jsonc");
  mkdirSync(join(config, ".."), { recursive: true });
  const scripted = {
    ...{ kind: "http", protocol, url: `${address}${addresses[protocol]}`, model: "m" },
    ...{ keyVariable: "SCRIPTED_KEY", prices: { input: 1, output: 1 } },
    ...options.spec,
  };
  writeFileSync(
    config,
    JSON.stringify({
      runners: { scripted, ...options.runners },
      review: { runner: "scripted", ...options.review },
    }),
  );
  const env = { SCRIPTED_KEY: "sk-dummy", ANTHROPIC_BASE_URL: address };
  const place = { cwd, env };
  const asked = () =>
    readFileSync(record, { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { lastUserText: string; wire: string });
  const home = join(folder, "no-home");
  return {
    cwd,
    folder,
    environment: {
      ...systemEnvironment(),
      ...{ home, cwd, variables: { ...cleanEnvironment(home), ...env } },
    },
    asked,
    names: () =>
      asked()
        .map(({ lastUserText: text }) => /Answer as ([\w-]+),/.exec(text)?.[1] ?? "look")
        .toSorted(),
    run: (args, input = "") => call(args, { ...place, input }),
    start: (args, input = "") => start(args, { ...place, input }),
    json: async (args, input = "") => {
      const ended = await call([...args, "--json"], { ...place, input });
      try {
        return { ...JSON.parse(ended.stdout), exit: ended.code };
      } catch {
        throw new Error(`no JSON (exit ${ended.code}): ${ended.stdout}${ended.stderr}`);
      }
    },
    edit: (path, content) => void put(join(cwd, path), content),
  };
};
