import { plural, showText } from "../base/text.ts";
import { type CarriedOut, carryOut, type Failure } from "./carry-out.ts";
import { textDiff } from "./text-diff.ts";
import { clearLeftOver } from "./left-over.ts";
import type { Library } from "./library.ts";
import { type Place, whileLocked } from "./place.ts";
import {
  type GenerateRequest,
  type Kept,
  makePlan,
  type Merge,
  type Plan,
  type PlannedStep,
  type StepAction,
} from "./plan.ts";
import { survey } from "./survey.ts";

export interface GenerateOptions extends GenerateRequest {
  /** All files or none. */
  readonly strict?: boolean;
  /** Plan and show the diff; write nothing. */
  readonly dryRun?: boolean;
}

export interface DoneStep {
  readonly name: string;
  readonly domain: string;
  readonly action: StepAction;
  readonly file: string;
}

export interface GenerateReport {
  readonly ok: boolean;
  readonly dryRun: boolean;
  /** What was written, or would be. */
  readonly done: readonly DoneStep[];
  readonly failed: readonly Failure[];
  readonly kept: readonly Kept[];
  readonly skipped: Plan["skipped"];
  readonly manifestFailure?: Pick<Failure, "reason" | "code">;
  /** No domain that was asked for has a usable document (A-04). */
  readonly noDomain: boolean;
  /** One line per domain and per thing that went wrong. */
  readonly messages: readonly string[];
  /** Unified, in git's form; of the files written or to be written. */
  readonly diff: string;
}

export const generate = async (
  place: Place,
  library: Library,
  options: GenerateOptions,
): Promise<GenerateReport> => {
  const merge = await loadMerge(options);
  if (options.dryRun) {
    const plan = makePlan(survey(place, library), options, merge);
    return reportOf(plan, { done: plan.steps, failed: [] }, options);
  }
  return whileLocked(place, async () => {
    await clearLeftOver(place);
    const found = survey(place, library);
    const plan = makePlan(found, options, merge);
    const { strict = false } = options;
    const carried = await carryOut(place, plan.steps, { manifest: found.manifest, strict });
    return reportOf(plan, carried, options);
  });
};

/** The same three-way merge as for edits; a heavy room, so only when something may have to be merged. */
export const loadMerge = async ({ update, overwrite }: GenerateRequest): Promise<Merge> => {
  if (!update && !overwrite) return () => ({ ok: false, line: 1 });
  return (await import("../structure/index.ts")).merge3;
};

const reportOf = async (
  plan: Plan,
  carried: CarriedOut,
  options: GenerateOptions,
): Promise<GenerateReport> => {
  const { kept, skipped } = plan;
  const { done, failed, manifestFailure } = carried;
  const asked = new Set(options.domains);
  const noDomain = asked.size > 0 && skipped.length === asked.size;
  const conflicts = kept.filter(({ why }) => why === "conflict");
  const isWhole = failed.length === 0 && manifestFailure === undefined && conflicts.length === 0;
  return {
    ok: isWhole && skipped.length === 0,
    dryRun: options.dryRun ?? false,
    done: done.map(({ name, domain, action, file }) => ({ name, domain, action, file })),
    ...{ failed, kept, skipped, noDomain },
    ...(manifestFailure && { manifestFailure }),
    messages: messagesOf(plan, carried, options),
    diff: await textDiff(done),
  };
};

const messagesOf = (plan: Plan, carried: CarriedOut, options: GenerateOptions): string[] => {
  const lines: string[] = [];
  for (const domain of new Set(options.domains)) {
    const skip = plan.skipped.find((one) => one.domain === domain);
    if (skip) lines.push(`Skipped ${showText(domain)}: ${skip.why}`);
    else lines.push(...domainLines(domain, plan, carried, options));
  }
  const { manifestFailure, failed } = carried;
  if (manifestFailure) lines.push(`The manifest was not written (${manifestFailure.reason})`);
  if (options.strict && (failed.length > 0 || manifestFailure)) {
    const left = failed.filter(({ code }) => code === "OUTCOME_UNKNOWN").map(({ name }) => name);
    if (left.length === 0) lines.push("Nothing was kept, because of --strict");
    else lines.push(`Not everything could be taken back: look at ${left.join(", ")}`);
  } else if (manifestFailure) lines.push("The next run registers the files by their markers");
  return lines;
};

/** A-05: "Generated 1 of 2 agents for game-simulation (fd-game-systems: disk full)". */
const domainLines = (
  domain: string,
  plan: Plan,
  { done, failed }: CarriedOut,
  { dryRun }: GenerateOptions,
): string[] => {
  const of = (steps: readonly PlannedStep[], isNew: boolean): PlannedStep[] =>
    steps.filter(
      (step) =>
        step.domain === domain &&
        step.action !== "register" &&
        (step.action === "create") === isNew,
    );
  const lines = [true, false].flatMap((isNew) => {
    const planned = of(plan.steps, isNew);
    if (planned.length === 0) return [];
    const names = new Set(planned.map(({ name }) => name));
    const why = failed
      .filter(({ name }) => names.has(name))
      .map(({ name, reason }) => `${name}: ${reason}`);
    const verb = isNew ? ["Generated", "Would generate"] : ["Updated", "Would update"];
    const made = of(done, isNew).length;
    const agents = planned.length === 1 ? "agent" : "agents";
    const suffix = why.length > 0 ? ` (${why.join("; ")})` : "";
    return [
      `${verb[dryRun ? 1 : 0]} ${made} of ${planned.length} ${agents} for ${domain}${suffix}`,
    ];
  });
  const kept = plan.kept.filter((one) => one.domain === domain);
  if (lines.length === 0 && kept.every(({ why }) => why === "current")) {
    const registered = done.filter((step) => step.domain === domain).length;
    const count = plural(kept.length + registered, "agent");
    lines.push(`Nothing to do for ${domain}: ${count} there`);
  }
  for (const { name, why, file, detail } of kept) {
    if (why === "current") continue;
    lines.push(`Kept ${name} (${showText(file)}): ${keptTexts[why]}${detail ? `: ${detail}` : ""}`);
  }
  return lines;
};

const keptTexts: Readonly<Record<Exclude<Kept["why"], "current">, string>> = {
  outdated: "a newer text is there; --update merges it in",
  own: "a file of that name is there that Headgate did not make",
  unregistered: "changed and not in the manifest; `headgate reviewers adopt` takes it over",
  conflict: "your changes and the new text touch the same lines",
};
