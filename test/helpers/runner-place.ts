import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemEnvironment } from "../../src/base/environment.ts";
import type { RunnerPorts, RunRequest } from "../../src/runners/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface RunnerPlace {
  readonly folder: string;
  readonly repo: string;
  readonly ports: RunnerPorts & { readonly environment: NonNullable<RunnerPorts["environment"]> };
  request(more?: Partial<RunRequest>): RunRequest;
  /** A program for Node; returns the argv that starts it. */
  script(source: string): [string, string];
  /** What runs have left in the temporary folder. */
  leftOvers(): string[];
}

/** A user with an empty home, a repository folder and the given variables. */
export const runnerPlace = (variables: Readonly<Record<string, string>> = {}): RunnerPlace => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  for (const name of ["repo", "home", "tmp"]) mkdirSync(at(name));
  let scripts = 0;
  return {
    folder,
    repo: at("repo"),
    ports: {
      environment: {
        ...systemEnvironment(),
        variables: { PATH: process.env["PATH"] ?? "", ...variables },
        home: at("home"),
        temporary: at("tmp"),
        cwd: at("repo"),
      },
    },
    request: (more = {}) => ({
      label: "a reviewer",
      prompt: "Look at this.",
      cwd: at("repo"),
      readOnly: true,
      timeoutMs: 300_000,
      ...more,
    }),
    script: (source) => {
      scripts += 1;
      const file = at(`script-${scripts}.mjs`);
      writeFileSync(file, source);
      return [process.execPath, file];
    },
    leftOvers: () => readdirSync(at("tmp")),
  };
};

export const unaborted = (): { readonly signal: AbortSignal } => ({
  signal: new AbortController().signal,
});
