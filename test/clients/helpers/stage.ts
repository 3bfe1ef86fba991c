import {
  existsSync,
  readdirSync,
  readlinkSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { takeServerLock } from "../../../src/surfaces/http/server-lock.ts";
import type { Conversation, Recorded, Step } from "../../../src/surfaces/mock-llm/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { programPath } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import type { Client, Place } from "./client.ts";
import { type LoneNetwork, type Ran, type Running, startProgram } from "./lone-network.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const patience = { timeoutMs: 500_000 };

/** What the model says at each of its turns: a step, or alternatives. */
export type Steps = readonly (Step | readonly Step[] | undefined)[];

export interface ClientRun extends Running {
  readonly place: Place;
  /** What the client has sent to its model so far, except for titles and the like. */
  requests(): Recorded[];
  /** What the model was told after this step, counted from 0; undefined as long as it was not. */
  toldAfter(step: number): string | undefined;
  /** Resolves when the client has asked its model for this step, rejects when it ends before. */
  reached(step: number): Promise<void>;
}

/** A repository in a network of its own, in which clients work one after the other or at once. */
export interface Stage {
  readonly repo: string;
  file(path: string): string;
  put(path: string, content: string): void;
  /** Our own program, inside. */
  headgate(...args: string[]): Promise<Ran>;
  /** A script of Node's, inside; ends with the test. */
  node(...args: string[]): Running;
  /** `headgate up`, inside; ends with the test. */
  up(): Promise<Running>;
  /** No server can start as long as the test runs: hooks may want to start one. */
  forbidServer(): void;
  isServed(): boolean;
  start(client: Client, says: Says, limits?: typeof patience): Promise<ClientRun>;
  run(client: Client, says: Says, limits?: typeof patience): Promise<ClientRun & Ran>;
}

/** What the model says; sub-agents are given by a text in their first message. */
export type Says = (place: Place) => Steps | { readonly main: Steps; readonly agents: Agents };
export type Agents = Readonly<Record<string, Steps>>;

export const makeStage = (network: LoneNetwork, files: Readonly<Record<string, string>>): Stage => {
  const folder = temporaryFolder();
  const repo = join(folder, "repo");
  for (const [path, content] of Object.entries(files)) put(join(repo, path), content);
  git(repo, "init", "--quiet", "--initial-branch=main");
  git(repo, "add", ".");
  git(repo, "commit", "--quiet", "--message", "One");
  const localDir = stateFolder(repo);
  let runs = 0;

  const ownEnv = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(folder, "no-home"),
    LC_ALL: "C.UTF-8",
  };
  const own = (args: readonly string[]): Running => node(programPath, ...args);
  const node = (...args: string[]): Running =>
    startProgram(network.inside([process.execPath, ...args]), {
      cwd: repo,
      env: ownEnv,
      ...patience,
    });

  // One that a hook started would outlive the test.
  onTestFinished(async () => {
    // A session may have started one in the background that is only now getting ready: it would make its
    // folder again after the test has removed it.
    while (isServed(localDir) || isWorkedIn(folder)) {
      if (isServed(localDir)) await own(["up", "--stop"]).ended;
      else await new Promise((done) => setTimeout(done, 20));
    }
  });

  const start: Stage["start"] = async (client, says, limits = patience) => {
    runs += 1;
    const name = `${client.name}-${runs}`;
    const home = join(folder, `home-${name}`);
    mkdirSync(home, { recursive: true });
    const draft: Place = { repo, home, address: "" };
    const record = join(folder, `${name}.record.jsonl`);
    const script = join(folder, `${name}.script.json`);
    writeFileSync(script, JSON.stringify({ conversations: conversationsOf(says(draft)) }));
    const model = own(["mock-llm", "--script", script, "--record", record]);
    const [address] = await model.until(/http:\/\/127\.0\.0\.1:\d+/);
    const place: Place = { ...draft, address };
    client.prepare(place);
    const running = startProgram(network.inside(client.argv("go")), {
      cwd: repo,
      env: client.env(place),
      ...limits,
    });
    const requests = (): Recorded[] =>
      readLines(record).filter(({ conversation }) => conversation !== null);
    const at = (step: number) => requests().findLast((request) => request.step === step);
    return {
      ...running,
      place,
      requests,
      toldAfter: (step) =>
        at(step + 1)
          ?.results.map(({ text }) => text)
          .join("\n"),
      reached: async (step) => {
        let hasEnded = false;
        running.ended.finally(() => (hasEnded = true)).catch(() => {});
        while (at(step) === undefined) {
          if (hasEnded) {
            const { stdout, stderr } = await running.ended;
            throw new Error(`${name} ended before step ${step}: ${stdout}${stderr}`);
          }
          await new Promise((done) => setTimeout(done, 30));
        }
      },
    };
  };

  return {
    repo,
    file: (path) => readFileSync(join(repo, path), "utf8"),
    put: (path, content) => {
      put(join(repo, path), content);
    },
    headgate: (...args) => own(args).ended,
    node,
    up: async () => {
      const server = own(["up"]);
      await server.until(/http:\/\/127\.0\.0\.1:\d+/);
      return server;
    },
    forbidServer: () => {
      const lock = takeServerLock(localDir);
      if (!lock) throw new Error("a server runs already");
      onTestFinished(() => lock.release());
    },
    isServed: () => existsSync(join(localDir, "socket-path")),
    start,
    run: async (client, says, limits) => {
      const running = await start(client, says, limits);
      return { ...running, ...(await running.ended) };
    },
  };
};

const conversationsOf = (said: ReturnType<Says>): Conversation[] => {
  const { main, agents } = Array.isArray(said)
    ? { main: said as Steps, agents: {} }
    : (said as { readonly main: Steps; readonly agents: Agents });
  return [
    ...Object.entries(agents).map(([when, steps]) => ({ when, steps: listed(steps) })),
    { steps: listed(main) },
  ];
};

const listed = (steps: Steps): readonly (readonly Step[])[] =>
  steps
    .filter((step) => step !== undefined)
    .map((step) => (Array.isArray(step) ? (step as readonly Step[]) : [step as Step]));

/** Only whole lines: the last one may be in the middle of its writing. */
const readLines = (path: string): Recorded[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Recorded)
    : [];

/** Whether a process has its working folder there. */
const isWorkedIn = (folder: string): boolean =>
  readdirSync("/proc").some((name) => /^\d+$/.test(name) && workingFolder(name).startsWith(folder));

/** Empty for a process that has ended since it was listed. */
const workingFolder = (pid: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES") return "";
    throw error;
  }
};

const isServed = (localDir: string): boolean => {
  if (!existsSync(join(localDir, "server.lock"))) return false;
  const lock = takeServerLock(localDir);
  lock?.release();
  return lock === undefined;
};
