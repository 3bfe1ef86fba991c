import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import type { Files } from "../base/files.ts";
import type { ProcessGroups } from "../base/process-group.ts";
import type { Random } from "../base/random.ts";
import type { Config } from "../config/index.ts";

/** One entry of the user's `runners` setting. */
export type RunnerSpec = Config["runners"][string];
export type ExecSpec = Extract<RunnerSpec, { kind: "exec" }>;
export type PresetSpec = Extract<RunnerSpec, { kind: "preset" }>;
export type HttpSpec = Extract<RunnerSpec, { kind: "http" }>;
export type FixtureSpec = Extract<RunnerSpec, { kind: "fixture" }>;

/** What the room touches of the outside. */
export interface RunnerPorts {
  /** The loaded configuration; without it only presets, `fixture:DIR` and `none` are known. */
  readonly config?: { readonly runners: Config["runners"] };
  readonly environment?: Environment;
  readonly files?: Files;
  readonly processes?: ProcessGroups;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly fetch?: typeof globalThis.fetch;
}

export type Ports = Required<Omit<RunnerPorts, "config">>;
