/** The runs of one repository. */
import { basename, join, resolve } from "node:path";
import { newId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { plural, showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { executeRun, type Executed, type ExecuteOptions } from "./execute/executor.ts";
import { holdRun } from "./execute/hold-run.ts";
import type { RunPorts } from "./execute/ports.ts";
import { committedTasks } from "./execute/recover.ts";
import { type RolledBack, rollbackRun } from "./execute/rollback.ts";
import { createWritingGit, readHead, type WritingGit } from "../git/index.ts";
import { newPlans } from "./plan/new-plans.ts";
import { type PlanSet, readPlans } from "./plan/read-plans.ts";
import { reportText } from "./report.ts";
import { baseOf, placeFor, refuseProblems, removeWorktree } from "./run-place.ts";
import { type Printed, readPrinted } from "./state/printed.ts";
import { openRunFiles, type RunFiles } from "./state/run-files.ts";
import { type Restored, restoreRun } from "./state/restore.ts";
import { listRuns, type RunLine } from "./store/list-runs.ts";
import { openRunStore, type RunStore, unknownRun } from "./store/run-store.ts";
import type { AgentRecord, Note, RunOptionsKept, RunRecord } from "./types.ts";
import { wayForward } from "./ways-forward.ts";

export interface CreateRun {
  /** A folder of NN-PLAN.md files, or one Markdown file. */
  readonly source: string;
  readonly name?: string;
  readonly actor: string;
  readonly options: RunOptionsKept;
  /** Commits to a branch of its own, here or in a worktree of its own. */
  readonly own?: "branch" | "worktree";
}

export interface RunStatus {
  readonly run: RunRecord & {
    /** Who carries it out at this moment. */
    readonly executor?: { readonly actor: string; readonly evidence: readonly string[] };
    /** It says that it is running, and nobody is there. */
    readonly isInterrupted: boolean;
    readonly claimed: readonly string[];
    readonly next: string;
  };
  readonly agents: readonly AgentRecord[];
  readonly notes: readonly Note[];
}

export interface Runs {
  check(source: string): Promise<PlanSet>;
  scaffold(folder: string, count: number): Promise<readonly string[]>;
  /** Reads and checks the plans and keeps them; nothing is carried out yet. Throws PLAN_INVALID, RUN_NEEDS_GIT. */
  create(request: CreateRun): Promise<RunRecord>;
  /** From the first unfinished task on. Throws RUN_UNKNOWN, RUN_BUSY. */
  execute(options: ExecuteOptions): Promise<Executed>;
  /** The id itself, the one run that begins like it, or the newest. */
  find(run?: string): Promise<string>;
  list(): Promise<readonly RunLine[]>;
  status(run: string): Promise<RunStatus>;
  report(run: string): Promise<string>;
  /** What the agents at work print, and what the last one printed; the end of it. */
  printed(run: string): Promise<readonly Printed[]>;
  pause(
    run: string,
    options: { readonly actor: string; readonly now: boolean },
  ): Promise<"asked" | "paused">;
  skip(
    run: string,
    what: { readonly actor: string; readonly plan: string; readonly task?: number },
  ): Promise<void>;
  /** Opens stopped tasks again, also those that wait for an answer. */
  retry(run: string, what: { readonly actor: string; readonly plan?: string }): Promise<number>;
  /** An agent of the run cannot answer itself; with `isFinal`, an answer that was given stands. Throws RUN_STATE. */
  decide(
    run: string,
    what: {
      readonly actor: string;
      readonly note: string;
      readonly answer: string;
      readonly isFinal?: boolean;
    },
  ): Promise<void>;
  rollback(run: string, what?: { readonly plan?: string }): Promise<RolledBack>;
  rebuild(run: string): Promise<readonly string[]>;
  rebuildFromSummaries(run: string, actor: string): Promise<Restored>;
  importFolder(dir: string, actor: string): Promise<Restored>;
  /** Removes the run, its files and its own worktree; commits and rescued changes stay. */
  clean(run: string, actor: string): Promise<void>;
}

export const openRuns = (options: {
  readonly ports: RunPorts;
  /** The same for a worktree that a run has of its own. */
  portsAt(worktree: string): Promise<RunPorts>;
}): Runs => {
  const { ports } = options;
  const { files, clock, repository, environment, place } = ports;
  const storeOf = (run: string): RunStore => openRunStore(place, run);
  const dirOf = (run: string): string => join(repository.localDir, "runs", run);
  const filesOf = (store: RunStore): RunFiles =>
    openRunFiles(store, { dir: dirOf(store.id), files, clock });
  const gitOf = (cwd: string, actor: string): WritingGit =>
    createWritingGit({ cwd, environment, files, actor });
  const portsOf = async (run: string): Promise<RunPorts> => {
    const { worktree } = await storeOf(run).load();
    if (worktree === repository.worktree) return ports;
    if (!files.statFollowing(worktree)?.isDirectory()) {
      throw new HeadgateError(
        "RUN_STATE",
        `the worktree of run ${run} is gone: ${showText(worktree)}`,
      );
    }
    return options.portsAt(worktree);
  };

  return {
    check: (source) => readPlans(resolve(environment.cwd, source), files),
    scaffold: (folder, count) => newPlans(resolve(environment.cwd, folder), { count, files }),

    create: async (request) => {
      const source = resolve(environment.cwd, request.source);
      const set = await readPlans(source, files);
      refuseProblems(set);
      if (repository.kind !== "git") {
        throw new HeadgateError(
          "RUN_NEEDS_GIT",
          `no git repository at ${showText(repository.root)}`,
        );
      }
      const id = newId("run");
      const { actor } = request;
      const home = await placeFor({
        id,
        own: request.own,
        ports,
        git: gitOf(repository.worktree, actor),
      });
      const store = storeOf(id);
      await store.create(actor, {
        ...{ id, actor, source, ...home, state: "paused", options: request.options },
        name: request.name ?? basename(source),
        plans: set.plans.map((plan) => ({ plan, source: set.sources[plan.file] ?? "" })),
      });
      const runFiles = filesOf(store);
      await runFiles.create();
      await runFiles.state();
      return store.load();
    },

    execute: async (options) => executeRun(await portsOf(options.run), options),

    find: async (given) => {
      const all = await listRuns(place, 1_000);
      if (given === undefined) {
        const [newest] = all;
        if (!newest)
          throw new HeadgateError(
            "RUN_UNKNOWN",
            "there are no runs yet: headgate run start begins one",
          );
        return newest.id;
      }
      const matching = all.filter(({ id }) => id === given || id.startsWith(given));
      const exact = matching.find(({ id }) => id === given);
      if (exact) return exact.id;
      if (matching.length > 1) {
        throw new HeadgateError(
          "RUN_UNKNOWN",
          `${plural(matching.length, "run")} begin with ${showText(given)}`,
        );
      }
      const [only] = matching;
      if (!only) throw unknownRun(showText(given));
      return only.id;
    },

    list: () => listRuns(place),

    status: async (run) => {
      const store = storeOf(run);
      const record = await store.load();
      const { claims } = ports.as({ id: "status", session: "status" });
      const { claims: held } = await claims.list({ target: `name:run/${run}` });
      const [executor] = held.filter(({ liveness }) => liveness.state !== "dead");
      const mine = (await claims.list({ limit: limits.claimsListedMax })).claims.filter(
        (claim) => claim.actor.startsWith(`run:${run}/plan-`) && claim.liveness.state !== "dead",
      );
      const isInterrupted = record.state === "running" && executor === undefined;
      return {
        run: {
          ...record,
          ...(executor && {
            executor: { actor: executor.actor, evidence: executor.liveness.evidence },
          }),
          isInterrupted,
          claimed: mine.map(({ target }) => target),
          next: wayForward({ ...record, isInterrupted }),
        },
        agents: await store.agents(),
        notes: await store.notes(),
      };
    },

    printed: async (run) => readPrinted(await storeOf(run).agents(), dirOf(run), files),

    report: async (run) => {
      const store = storeOf(run);
      return reportText(await store.load(), await store.agents(1_000), await store.notes());
    },

    pause: async (run, { actor, now }) => {
      const store = storeOf(run);
      try {
        // Nobody carries it out: it is paused by saying so.
        return await holdRun(ports, run, async () => {
          const { state } = await store.load();
          if (state === "running")
            await store.setRun(actor, { state: "paused", reason: "paused by request" });
          return "paused" as const;
        });
      } catch (error) {
        if (!HeadgateError.isInstance(error) || error.code !== "RUN_BUSY") throw error;
        await store.setPause(actor, now ? "now" : "soon");
        return "asked";
      }
    },

    skip: (run, { actor, plan, task }) =>
      holdRun(ports, run, async ({ store, runFiles }) => {
        const found = (await store.load()).plans.find((one) => one.plan === plan);
        const tasks =
          found?.tasks.filter(({ number }) => task === undefined || number === task) ?? [];
        if (!found || tasks.length === 0) {
          throw new HeadgateError(
            "RUN_UNKNOWN",
            `run ${run} has no plan ${showText(plan)}${task === undefined ? "" : ` with task ${task}`}`,
          );
        }
        for (const { number, state } of tasks) {
          if (state === "done") continue;
          await store.setTask(
            actor,
            { plan, number },
            { state: "skipped", reason: "left out by request", ended: true },
          );
        }
        const isOver = (await store.load()).plans
          .find((one) => one.plan === plan)
          ?.tasks.every(({ state }) => state === "done" || state === "skipped");
        await store.setPlan(
          actor,
          plan,
          isOver
            ? { state: task === undefined ? "skipped" : "done", reason: "left out by request" }
            : { state: "pending" },
        );
        const { state, plans } = await store.load();
        const isAllOver = plans.every((one) => one.state === "done" || one.state === "skipped");
        if (state !== "rolled-back")
          await store.setRun(actor, { state: isAllOver ? "done" : "paused" });
        await runFiles.checkpoint(plan);
        await runFiles.summary(plan);
        await runFiles.state();
      }),

    retry: (run, { actor, plan }) =>
      holdRun(ports, run, async ({ store }) => {
        let count = 0;
        const { plans } = await store.load();
        if (plan !== undefined && !plans.some((one) => one.plan === plan)) {
          throw new HeadgateError("RUN_UNKNOWN", `run ${run} has no plan ${showText(plan)}`);
        }
        for (const one of plans) {
          if (plan !== undefined && one.plan !== plan) continue;
          for (const { number, state } of one.tasks) {
            if (
              state === "pending" ||
              state === "done" ||
              state === "skipped" ||
              state === "committing"
            )
              continue;
            await store.setTask(actor, { plan: one.plan, number }, { state: "pending" });
            count += 1;
          }
          if (one.state !== "done" && one.state !== "skipped") {
            await store.setPlan(actor, one.plan, { state: "pending" });
          }
        }
        return count;
      }),

    decide: async (run, { actor, note, answer, isFinal = false }) => {
      const store = storeOf(run);
      await store.load();
      // Somebody else has to be asked: that is what the question is for.
      if (actor.startsWith(`run:${run}/`)) {
        throw new HeadgateError("RUN_STATE", `an agent of run ${run} cannot answer its questions`);
      }
      const end = await store.answer(actor, note, answer, isFinal);
      if (end === "unknown") {
        throw new HeadgateError("RUN_UNKNOWN", `run ${run} has no question ${showText(note)}`);
      }
      if (end === "answered") {
        throw new HeadgateError("RUN_STATE", `${showText(note)} of run ${run} has an answer`);
      }
      await filesOf(store).notes();
    },

    rollback: async (run, what = {}) => rollbackRun(await portsOf(run), { run, ...what }),

    rebuild: async (run) => {
      const store = storeOf(run);
      await store.load();
      return filesOf(store).all();
    },

    rebuildFromSummaries: async (run, actor) => {
      const store = storeOf(run);
      if (await store.exists()) {
        throw new HeadgateError(
          "RUN_STATE",
          `the store knows run ${run}: headgate run rebuild ${run} restores its files`,
        );
      }
      if (!files.statFollowing(dirOf(run))?.isDirectory()) throw unknownRun(showText(run));
      return restore({ dir: dirOf(run), store, actor, name: run });
    },

    importFolder: (dir, actor) => {
      const from = resolve(environment.cwd, dir);
      if (!files.statFollowing(from)?.isDirectory()) {
        throw new HeadgateError("FILE_ABSENT", `no folder ${showText(from)}`);
      }
      return restore({ dir: from, store: storeOf(newId("run")), actor, name: basename(from) });
    },

    clean: async (run, actor) => {
      const record = await storeOf(run).load();
      if (record.state === "running") {
        throw new HeadgateError(
          "RUN_STATE",
          `run ${run} is not over: headgate run pause ${run} first`,
        );
      }
      await holdRun(ports, run, async ({ store }) => {
        if (record.own === "worktree") await removeWorktree(gitOf(repository.root, actor), record);
        removeFolder(dirOf(run));
        await store.remove(actor);
      });
    },
  };

  async function restore(what: {
    readonly dir: string;
    readonly store: RunStore;
    readonly actor: string;
    readonly name: string;
  }): Promise<Restored> {
    const { store, actor } = what;
    const git = gitOf(repository.worktree, actor);
    const isGit = repository.kind === "git";
    const head = isGit ? await readHead(git) : { branch: "HEAD" };
    const found = isGit
      ? await committedTasks({ run: { id: store.id }, git })
      : new Map<string, string>();
    const commits = new Map(
      [...found].map(([trailer, commit]) => [trailer.slice(store.id.length + 1), commit]),
    );
    const base = await baseOf(git, [...commits.values()]);
    const restored = await restoreRun({
      ...{ ...what, files, worktree: repository.worktree, branch: head.branch, commits },
      ...(base !== undefined && { base }),
    });
    await filesOf(store).all();
    return restored;
  }

  function removeFolder(path: string): void {
    for (const entry of files.statFollowing(path) ? files.list(path) : []) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) removeFolder(inner);
      else files.unlink(inner);
    }
    if (files.stat(path)) files.removeDirectory(path);
  }
};
