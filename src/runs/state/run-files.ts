/**
 * The files beside a run, for people and for tools that read files: made from the store after every change,
 * through `state`, so that each is whole at any moment. `run rebuild` makes all of them anew.
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Files } from "../../base/files.ts";
import { removeFile } from "../../base/open-file.ts";
import { limits } from "../../base/limits.ts";
import { writeFileAtomic, writeJson, type WriteOptions } from "../../state/index.ts";
import { reportText } from "../report.ts";
import type { RunStore } from "../store/run-store.ts";
import type { PlanRecord, RunRecord } from "../types.ts";
import { clarificationsText, issuesText, planSummary, stateText } from "./run-texts.ts";

export interface RunFiles {
  readonly dir: string;
  /** The folders, and the plans as they were approved. */
  create(): Promise<void>;
  /** After each plan, and when the run begins and ends. */
  state(): Promise<void>;
  /** When an agent starts and when it ends. */
  history(): Promise<void>;
  /** While agents run: one id per line; no file otherwise. */
  currentAgents(ids: readonly string[]): Promise<void>;
  /** After each task. */
  checkpoint(plan: string): Promise<void>;
  summary(plan: string): Promise<void>;
  /** What agents noted and asked. */
  notes(): Promise<void>;
  /** What the run came to, when it has ended for now. */
  report(): Promise<void>;
  /** Everything anew; the names of the files. */
  all(): Promise<string[]>;
}

export const historyVersion = "1.0";

export const openRunFiles = (
  store: RunStore,
  { dir, files, clock }: { readonly dir: string; readonly files: Files; readonly clock: Clock },
): RunFiles => {
  // Losing one of these with the power costs nothing: the store has it. What a reader may rely on after a
  // crash of the machine without asking the store is synced.
  const critical: WriteOptions = { files, clock, durability: "normal" };
  const passing: WriteOptions = { files, clock, durability: "cache" };
  const at = (...names: string[]): string => join(dir, ...names);
  const planOf = (run: RunRecord, plan: string): PlanRecord | undefined =>
    run.plans.find((one) => one.plan === plan);

  const own: RunFiles = {
    dir,
    create: async () => {
      for (const folder of [dir, at("summaries"), at("plans")]) files.makeDirectory(folder, 0o700);
      for (const { plan, source } of await store.sources()) {
        if (source !== "") await writeFileAtomic(at("plans", `${plan}-PLAN.md`), source, passing);
      }
    },
    state: async () => {
      await writeFileAtomic(
        at("STATE.md"),
        stateText(await store.load(), await store.notes()),
        critical,
      );
    },
    history: async () => {
      const entries = await store.agents();
      const value = { version: historyVersion, max_entries: limits.runHistoryMax, entries };
      await writeJson(at("agent-history.json"), value, critical);
    },
    currentAgents: async (ids) => {
      if (ids.length > 0)
        await writeFileAtomic(at("current-agent-id.txt"), `${ids.join("\n")}\n`, passing);
      else removeFile(files, at("current-agent-id.txt"));
    },
    checkpoint: async (plan) => {
      const run = await store.load();
      const found = planOf(run, plan);
      if (!found) return;
      const next = found.tasks.find(({ state }) => state !== "done" && state !== "skipped");
      const value = {
        run: run.id,
        plan,
        status: found.state,
        ...(next && { next_task: next.number }),
        tasks: found.tasks.map(({ number, name, state, commit }) => ({
          ...{ task: number, name, status: state },
          ...(commit !== undefined && { commit }),
        })),
        updated_at: run.updatedAt,
      };
      await writeJson(at(`${plan}-CHECKPOINT.json`), value, critical);
    },
    summary: async (plan) => {
      const run = await store.load();
      const found = planOf(run, plan);
      if (!found) return;
      const agents = (await store.agents(1_000)).filter((agent) => agent.plan === plan);
      const notes = (await store.notes()).filter((note) => note.plan === plan);
      const text = planSummary(run, found, { agents, notes });
      await writeFileAtomic(at("summaries", `${plan}-SUMMARY.md`), text, critical);
    },
    notes: async () => {
      const [run, notes] = [await store.load(), await store.notes()];
      const issues = notes.filter(({ kind }) => kind === "issue" || kind === "fixed");
      const questions = notes.filter(({ kind }) => kind === "question" || kind === "action");
      if (issues.length > 0)
        await writeFileAtomic(at("ISSUES.md"), issuesText(run, issues), passing);
      if (questions.length > 0) {
        await writeFileAtomic(at("clarifications.md"), clarificationsText(run, questions), passing);
      }
    },
    report: async () => {
      const text = reportText(await store.load(), await store.agents(1_000), await store.notes());
      await writeFileAtomic(at("REPORT.md"), text, passing);
    },
    all: async () => {
      await own.create();
      await own.state();
      await own.history();
      const running = (await store.agents()).filter(({ status }) => status === "spawned");
      await own.currentAgents(running.map((agent) => agent.agent_id));
      const { plans } = await store.load();
      for (const { plan, state } of plans) {
        if (state === "pending") continue;
        await own.checkpoint(plan);
        if (state !== "running") await own.summary(plan);
      }
      await own.notes();
      await own.report();
      return [
        ...files.list(dir).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
        ...files.list(at("summaries")).map(({ name }) => `summaries/${name}`),
      ].toSorted();
    },
  };
  return own;
};
