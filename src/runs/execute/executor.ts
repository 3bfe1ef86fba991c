/**
 * Carries a run out, alone: whoever executes holds `name:run/<id>` (S-08). Plans go in the order of their
 * dependencies; those that write different things go at the same time, each under claims of its own.
 */
import { limits } from "../../base/limits.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { showText } from "../../base/text.ts";
import { type Claim, type Claims, parseActor } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import { commonWrites } from "../plan/write-set.ts";
import { lostRun } from "../store/run-store.ts";
import type { Plan, PlanRecord, PlanState, RunOptionsKept, RunRecord, RunState } from "../types.ts";
import { stops } from "../ways-forward.ts";
import { claimTtlMs, type HeldRun, holderOf, holdRun } from "./hold-run.ts";
import type { RunPorts, RunProgress, RunStep } from "./ports.ts";
import { planActor, recoverRun } from "./recover.ts";
import type { PlanContext, RunContext } from "./run-context.ts";
import { runTask } from "./task.ts";
import { createWritingGit } from "../../git/index.ts";

export interface ExecuteOptions {
  readonly run: string;
  readonly signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
  readonly claimWaitMs?: number;
  /** Counts from here on. */
  readonly change?: Partial<RunOptionsKept>;
  readonly actor?: string;
}

export interface Executed {
  readonly run: RunRecord;
  /** It was told to stop before it was over. */
  readonly isInterrupted: boolean;
}

/**
 * A machine that slept longer than the claim lives has lost it: what was under way stops, and if nobody else
 * carries the run out by then, it goes on as after a crash. Throws RUN_BUSY.
 */
export const executeRun = async (ports: RunPorts, options: ExecuteOptions): Promise<Executed> => {
  const by = holderOf(options.run);
  for (;;) {
    const end = await holdRun(ports, options.run, (held) => carryOut(ports, options, held), by);
    if (end !== "lost") return end;
    options.onProgress?.({ what: "the claim on the run was lost; what was under way begins anew" });
  }
};

const carryOut = async (
  ports: RunPorts,
  options: ExecuteOptions,
  held: HeldRun,
): Promise<Executed | "lost"> => {
  try {
    return await new Executor(ports, options, held).execute();
  } catch (error) {
    // The store refuses a stale executor, perhaps before it has noticed by itself.
    const isStale = HeadgateError.isInstance(error) && error.code === "RUN_BUSY";
    if (held.lost.aborted || isStale) return "lost";
    throw error;
  }
};

class Executor {
  readonly #ports: RunPorts;
  readonly #options: ExecuteOptions;
  readonly #held: HeldRun;
  readonly #stop = new AbortController();
  readonly #active = new Map<string, { readonly plan: Plan; readonly over: Promise<void> }>();
  #isPaused = false;
  /** Plans that wait for an answer while others go on. */
  readonly #asking = new Set<string>();
  #answered = Promise.withResolvers<void>();
  #turn: Promise<unknown> = Promise.resolve();
  #files: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(ports: RunPorts, options: ExecuteOptions, held: HeldRun) {
    this.#ports = ports;
    this.#options = options;
    this.#held = held;
  }

  async execute(): Promise<Executed> {
    const { store, runFiles, lost } = this.#held;
    const { signal } = this.#options;
    const abort = () => this.#stop.abort();
    for (const one of [signal, lost]) {
      if (one.aborted) abort();
      else one.addEventListener("abort", abort);
    }
    this.#step("claimed");
    const before = await this.#withChange(await store.load());
    if (before.state === "done") return { run: before, isInterrupted: false };
    if (before.state === "rolled-back") {
      throw new HeadgateError("RUN_STATE", `run ${before.id} was taken back: start its plans anew`);
    }
    const run = await this.#begin(before);
    const plans = await store.plans();
    const context = this.#contextOf(run);
    const over = new AbortController();
    const looking = this.#lookForPause(over.signal);
    try {
      for (;;) {
        if (!(await this.#mustStop())) await this.#startReady(plans, context);
        if (this.#active.size === 0) break;
        const answered = this.#answered.promise;
        await Promise.race([...[...this.#active.values()].map((one) => one.over), answered]);
      }
    } finally {
      abort();
      await Promise.all([...this.#active.values()].map((one) => one.over));
      await this.#files;
      over.abort();
      await looking;
      for (const one of [signal, lost]) one.removeEventListener("abort", abort);
    }
    if (lost.aborted) throw lostRun(run.id);
    if (this.#failure !== undefined) throw this.#failure;
    const isInterrupted = signal.aborted;
    await this.#end(isInterrupted);
    await runFiles.state();
    await runFiles.report();
    await runFiles.currentAgents([]);
    return { run: await store.load(), isInterrupted };
  }

  async #withChange(run: RunRecord): Promise<RunRecord> {
    const { change = {}, actor = this.#held.actor } = this.#options;
    if (run.state === "done" || Object.keys(change).length === 0) return run;
    await this.#held.store.setOptions(actor, { ...run.options, ...change });
    return this.#held.store.load();
  }

  async #begin(before: RunRecord): Promise<RunRecord> {
    const { store, runFiles, actor } = this.#held;
    await runFiles.create();
    const git = this.#git(before, actor);
    await recoverRun({
      ...this.#ports,
      store,
      runFiles,
      run: before,
      git,
      actor,
      tell: (what) => this.#tell({ what }),
    });
    await store.setRun(actor, { state: "running" });
    if (before.wantsPause !== "no") await store.setPause(actor, "no");
    await runFiles.state();
    this.#step("recovered");
    return store.load();
  }

  #contextOf(run: RunRecord): RunContext {
    const { files, clock, environment } = this.#ports;
    const { store, runFiles } = this.#held;
    return {
      ...{ run, store, runFiles, files, clock, environment },
      stateFolder: this.#ports.repository.localDir,
      scratch: runFiles.dir,
      signal: this.#stop.signal,
      agents: new Set(),
      claimTtlMs: claimTtlMs(this.#ports),
      claimWaitMs: this.#options.claimWaitMs ?? limits.runClaimWaitMs,
      step: (step) => this.#step(step),
      later: (work) => {
        this.#files = this.#files.then(work).catch((error: unknown) => {
          this.#failure ??= error;
          this.#stop.abort();
        });
      },
      inTurn: (work) => {
        const mine = this.#turn.then(work);
        this.#turn = mine.catch(() => {});
        return mine;
      },
    };
  }

  /** Starts every plan that may begin now. */
  async #startReady(plans: readonly Plan[], context: RunContext): Promise<void> {
    await this.#reopenAnswered();
    const record = await this.#held.store.load();
    const stateOf = new Map(record.plans.map((one) => [one.plan, one.state]));
    const isOver = (id: string): boolean => finished.has(stateOf.get(id) ?? "pending");
    const most = Math.min(record.options.parallel, limits.runParallelMax);
    for (const [index, plan] of plans.entries()) {
      if (this.#active.size >= most) return;
      if (stateOf.get(plan.id) !== "pending" || this.#active.has(plan.id)) continue;
      if (!plan.dependsOn.every(isOver)) continue;
      // Plans before this one that write the same come first, and keep what they left for somebody to see.
      const isBehind = plans
        .slice(0, index)
        .some((other) => !isOver(other.id) && commonWrites(other.writes, plan.writes));
      const isBeside = [...this.#active.values()].some((one) =>
        commonWrites(one.plan.writes, plan.writes),
      );
      if (isBehind || isBeside) continue;
      const over = this.#runPlan(plan, context)
        .catch((error: unknown) => {
          this.#failure ??= error;
          this.#stop.abort();
        })
        .finally(() => this.#active.delete(plan.id));
      this.#active.set(plan.id, { plan, over });
    }
  }

  /** Whoever answers while the run goes on need not resume it. */
  async #reopenAnswered(): Promise<void> {
    this.#answered = Promise.withResolvers<void>();
    const { store, actor } = this.#held;
    for (const plan of await this.#answeredPlans()) {
      this.#asking.delete(plan);
      const record = (await store.load()).plans.find((one) => one.plan === plan);
      for (const { number, state } of record?.tasks ?? []) {
        if (state === "needs-decision")
          await store.setTask(actor, { plan, number }, { state: "pending" });
      }
      await store.setPlan(actor, plan, { state: "pending" });
    }
  }

  async #answeredPlans(): Promise<readonly string[]> {
    if (this.#asking.size === 0) return [];
    const open = (await this.#held.store.notes()).filter(
      ({ kind, answer }) => kind === "question" && answer === undefined,
    );
    return [...this.#asking].filter((plan) => !open.some((note) => note.plan === plan));
  }

  async #runPlan(plan: Plan, shared: RunContext): Promise<void> {
    const { store, runFiles, run } = shared;
    const actor = { ...parseActor(planActor(run.id, plan.id)), process: ownIdentity() };
    const acting = this.#ports.as(actor);
    const holder = {
      renew: async (ids: readonly string[]) => {
        await acting.claims.renew({ claims: ids }, { ttlMs: claimTtlMs(this.#ports) });
      },
    };
    let kept: readonly Claim[] = [];
    const context: PlanContext = {
      ...{ ...shared, plan, actor, acting },
      git: this.#git(run, actor.id),
      runner: await this.#ports.runnerOf(plan, run.options),
      othersWrite: () =>
        [...this.#active.values()].flatMap((one) =>
          one.plan.id === plan.id ? [] : one.plan.writes,
        ),
      isShared: () => this.#active.size > 1,
      keep: (claims) => {
        kept = claims;
        this.#held.keep(
          holder,
          claims.map(({ id }) => id),
        );
      },
      held: () => kept,
      tell: (task, what) => this.#tell({ plan: plan.id, task, what }),
    };
    await store.setPlan(actor.id, plan.id, { state: "running" });
    this.#tell({ plan: plan.id, what: `${plan.title}: begins` });
    try {
      const end = await this.#runTasks(context);
      await store.setPlan(actor.id, plan.id, end);
      if (end.state === "needs-decision") this.#asking.add(plan.id);
      this.#step("plan-recorded");
      shared.later(async () => {
        await runFiles.checkpoint(plan.id);
        if (end.state !== "pending") await runFiles.summary(plan.id);
        await runFiles.state();
      });
      this.#tell({
        plan: plan.id,
        what: `${plan.title}: ${end.state}${end.reason ? ` (${showText(end.reason)})` : ""}`,
      });
    } finally {
      await releaseOwn(acting.claims, kept);
    }
  }

  async #runTasks(
    context: PlanContext,
  ): Promise<{ readonly state: PlanState; readonly reason?: string }> {
    const { plan, store } = context;
    const record = (await store.load()).plans.find((one) => one.plan === plan.id);
    for (const { number, state } of record?.tasks ?? []) {
      if (state === "done" || state === "skipped") continue;
      if (await this.#mustStop()) return { state: "pending" };
      const end = await runTask(context, number);
      if (end.state === "done" || end.state === "skipped") continue;
      return end.state === "pending" ? { state: "pending" } : end;
    }
    return { state: "done" };
  }

  async #end(isInterrupted: boolean): Promise<void> {
    const { store, actor } = this.#held;
    const { plans, wantsPause } = await store.load();
    const state = this.#stateOf(plans, isInterrupted);
    const first = plans.find((plan) => plan.state === state && plan.reason !== undefined);
    const reason =
      state === "paused"
        ? isInterrupted
          ? "interrupted"
          : "paused by request"
        : first && `plan ${first.plan}: ${first.reason ?? ""}`;
    await store.setRun(actor, { state, ...(reason && { reason }) });
    if (wantsPause !== "no") await store.setPause(actor, "no");
    this.#step("run-recorded");
  }

  #stateOf(plans: readonly PlanRecord[], isInterrupted: boolean): RunState {
    if (plans.every(({ state }) => finished.has(state))) return "done";
    if (isInterrupted || this.#isPaused) return "paused";
    return stops.find((stop) => plans.some(({ state }) => state === stop)) ?? "paused";
  }

  /** Asked before anything new begins: between two looks a task may end and the next one begin. */
  async #mustStop(): Promise<boolean> {
    if (this.#stop.signal.aborted || this.#isPaused) return true;
    this.#obey(await this.#held.store.wantsPause());
    return this.#isPaused;
  }

  #obey(wanted: RunRecord["wantsPause"]): void {
    if (wanted === "no") return;
    this.#isPaused = true;
    if (wanted === "now") this.#stop.abort();
  }

  async #lookForPause(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#ports.clock.sleep(limits.runLookMs, over);
      if (over.aborted) return;
      if ((await this.#answeredPlans()).length > 0) this.#answered.resolve();
      this.#obey(await this.#held.store.wantsPause());
    }
  }

  #git(run: RunRecord, actor: string) {
    const { environment, files } = this.#ports;
    return createWritingGit({ cwd: run.worktree, environment, files, actor });
  }

  #tell(progress: RunProgress): void {
    this.#options.onProgress?.(progress);
  }

  #step(step: RunStep): void {
    this.#ports.onStep?.(step);
  }
}

/** By name: whoever came after a lost claim holds under the same actor. Some may have been handed on. */
const releaseOwn = async (claims: Claims, kept: readonly Claim[]): Promise<void> => {
  for (const { id } of kept) {
    try {
      await claims.release({ claims: [id] });
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code !== "CLAIM_NOT_HELD") throw error;
    }
  }
};

const finished: ReadonlySet<string> = new Set(["done", "skipped"]);
