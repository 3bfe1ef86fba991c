import { isAbsolute, resolve } from "node:path";
import { HeadgateError } from "../errors.ts";
import { systemClock } from "../base/clock.ts";
import { systemEnvironment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { systemProcessGroups } from "../base/process-group.ts";
import { systemRandom } from "../base/random.ts";
import { nearestName, showText } from "../base/text.ts";
import { without } from "./answers.ts";
import type { Ports, RunnerPorts, RunnerSpec } from "./spec.ts";
import type { Runner } from "./types.ts";

const presetNames = ["claude", "codex", "gemini", "opencode"] as const;
type PresetName = (typeof presetNames)[number];

/** The name of asking nobody. */
export const noRunner = "none";

/**
 * By a name of the user's configuration, a preset's name, `fixture:DIR` or `none`, or by a whole
 * description. Throws RUNNER_UNKNOWN, RUNNER_NOT_READY (program or key variable missing).
 */
export const openRunner = async (
  asked: string | RunnerSpec,
  given: RunnerPorts = {},
): Promise<Runner> => {
  const ports: Ports = {
    environment: given.environment ?? systemEnvironment(),
    files: given.files ?? systemFiles,
    processes: given.processes ?? systemProcessGroups,
    clock: given.clock ?? systemClock,
    random: given.random ?? systemRandom,
    fetch: given.fetch ?? globalThis.fetch,
  };
  const configured = given.config?.runners ?? {};
  if (asked === noRunner) return nobody;
  const [name, spec] =
    typeof asked === "string" ? [asked, specOf(asked, configured, ports)] : [nameOf(asked), asked];
  return open(name, spec, { ports, config: { runners: configured } });
};

const nobody: Runner = {
  name: noRunner,
  family: noRunner,
  cost: { prices: { input: 0, output: 0 } },
  run: () => Promise.resolve(without("failed", "no runner is chosen, so no model was asked")),
};

const nameOf = (spec: RunnerSpec): string => (spec.kind === "preset" ? spec.preset : spec.kind);

const specOf = (
  name: string,
  configured: Readonly<Record<string, RunnerSpec>>,
  { environment }: Ports,
): RunnerSpec => {
  const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (own) return own;
  const preset = presetNames.find((one) => one === name);
  if (preset) return { kind: "preset", preset };
  const folder = /^fixture:(.+)$/s.exec(name)?.[1];
  if (folder !== undefined) {
    return {
      kind: "fixture",
      folder: isAbsolute(folder) ? folder : resolve(environment.cwd, folder),
    };
  }
  const known = [...Object.keys(configured), ...presetNames, "fixture:DIR", noRunner];
  const near = nearestName(name, known);
  throw new HeadgateError(
    "RUNNER_UNKNOWN",
    `there is no runner ${showText(name)}${near === undefined ? "" : `, did you mean ${near}?`}; known: ${known.map((one) => showText(one)).join(", ")}`,
    { data: { name, known } },
  );
};

const open = async (
  name: string,
  spec: RunnerSpec,
  { ports, config }: { readonly ports: Ports; readonly config: NonNullable<RunnerPorts["config"]> },
): Promise<Runner> => {
  switch (spec.kind) {
    case "exec": {
      const { execRunner } = await import("./exec/exec-runner.ts");
      return execRunner(name, spec, ports);
    }
    case "preset": {
      const { presetRunner } = await import("./exec/preset-runner.ts");
      return presetRunner(name, spec, ports);
    }
    case "http": {
      const [{ httpRunner }, { withRetries }] = await Promise.all([
        import("./http/http-runner.ts"),
        import("./retry.ts"),
      ]);
      return withRetries(httpRunner(name, spec, ports), ports);
    }
    case "fixture": {
      const { fixtureRunner } = await import("./fixture.ts");
      if (spec.record === undefined) return fixtureRunner(name, spec, ports);
      if (spec.record === name) {
        throw new HeadgateError("RUNNER_UNKNOWN", `runner ${showText(name)} would record itself`);
      }
      const behind = await openRunner(spec.record, { ...ports, config });
      return fixtureRunner(name, spec, ports, behind);
    }
  }
};

export type { PresetName };
