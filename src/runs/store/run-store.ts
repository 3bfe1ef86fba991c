/**
 * Runs as the store knows them: the authority. Every change is one transaction with its event; the files
 * beside the store are made from these rows and never read back, but for answers of people.
 */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Scope, Store, Writer } from "../../store/index.ts";
import type {
  AgentRecord,
  AgentStatus,
  Note,
  Plan,
  PlanState,
  RunOptionsKept,
  RunRecord,
  RunState,
} from "../types.ts";
import {
  agentOf,
  type AgentRow,
  noteOf,
  type NoteRow,
  type PlanRow,
  recordOf,
  type RunRow,
  type TaskRow,
} from "./run-rows.ts";
import type { NewRun, TaskChange, TaskFacts, TaskKey } from "./run-changes.ts";
import * as sql from "./run-statements.ts";

export type { NewRun, TaskChange, TaskFacts, TaskKey } from "./run-changes.ts";

export interface RunPlace {
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
}

export type RunStore = ReturnType<typeof openRunStore>;

/** With a fence, every change is refused once somebody has taken the run under a later one. Throws RUN_BUSY then. */
export const openRunStore = (place: RunPlace, run: string, fence?: number) => {
  const read = async <T>(
    work: (tx: Reader, key: { scope: string; run: string }) => Promise<T>,
  ): Promise<T> => {
    const there = await place.look();
    if (!there) throw unknownRun(run);
    return there.store.read((tx) => work(tx, { scope: there.scope.id, run }));
  };
  const write = async (
    actor: string,
    work: (
      tx: Writer,
      key: { scope: string; run: string; now: number },
      emit: Emit,
    ) => Promise<void>,
  ): Promise<void> => {
    const { store, scope } = await place.open();
    await store.write({ scope }, async (tx) => {
      const now = (await tx.now()).wallMs;
      let isChanged = false;
      const emit: Emit = (kind, data = {}) => {
        isChanged = true;
        tx.emit({ kind: `run.${kind}`, actor, subject: run, data });
      };
      if (isTaken) await refuseStale(tx, { scope: scope.id, run });
      await work(tx, { scope: scope.id, run, now }, emit);
      if (isChanged) await tx.run(sql.touchRun, { scope: scope.id, run, now });
      return null;
    });
  };

  let isTaken = false;
  const refuseStale = async (
    tx: Reader,
    key: { readonly scope: string; readonly run: string },
  ): Promise<void> => {
    const row = await tx.get<RunRow>(sql.selectRun, key);
    if (!row) throw unknownRun(run);
    if (row.fence !== fence) throw lostRun(run);
  };

  const changeTask = async (
    tx: Writer,
    key: { scope: string; run: string; now: number },
    { plan, number }: TaskKey,
    change: TaskChange,
  ): Promise<void> => {
    const at = { scope: key.scope, run: key.run, plan, number };
    const row = await tx.get<TaskRow>(sql.selectTask, at);
    if (!row) throw unknownRun(`${run} plan ${plan} task ${number}`);
    await tx.run(sql.updateTask, {
      ...at,
      state: change.state ?? row.state,
      reason: change.reason ?? row.reason,
      operation: change.operation === undefined ? row.operation : change.operation,
      commit: change.commit === undefined ? row.commit_id : change.commit,
      parent: change.parent === undefined ? row.parent : change.parent,
      tries: change.tries ?? row.tries,
      touched: change.touched === undefined ? row.touched : Number(change.touched),
      rescues: change.rescues ? JSON.stringify(change.rescues) : row.rescues,
      started: change.started ? key.now : row.started_at,
      ended: change.ended ? key.now : change.started ? null : row.ended_at,
    });
  };

  return {
    id: run,

    create: (actor: string, wanted: NewRun): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { plans, options, id: _, base, own, ...rest } = wanted;
        await tx.run(sql.insertRun, {
          ...key,
          ...rest,
          base: base ?? null,
          own: own ?? null,
          options: JSON.stringify(options),
        });
        for (const [index, one] of plans.entries()) {
          const { plan, source, state = "pending", reason = "" } = one;
          const content = JSON.stringify(plan);
          const ended = state === "pending" ? null : key.now;
          await tx.run(sql.insertPlan, {
            ...{ scope: key.scope, run, plan: plan.id, number: index + 1 },
            ...{ state, reason, content, source, ended },
          });
          for (const [at, task] of plan.tasks.entries()) {
            const known = one.tasks?.[at];
            await tx.run(sql.insertTask, {
              ...{ scope: key.scope, run, plan: plan.id, number: at + 1, name: task.name },
              ...{ state: known?.state ?? "pending", commit: known?.commit ?? null },
            });
          }
        }
        emit("created", { name: wanted.name, plans: plans.length, source: wanted.source });
      }),

    load: (): Promise<RunRecord> =>
      read(async (tx, key) => {
        const row = await tx.get<RunRow>(sql.selectRun, key);
        if (!row) throw unknownRun(run);
        const plans = await tx.all<PlanRow>(sql.selectPlans, key);
        const tasks = await tx.all<TaskRow>(sql.selectTasks, key);
        return recordOf(row, plans, tasks);
      }),

    plans: (): Promise<readonly Plan[]> =>
      read(async (tx, key) => {
        const rows = await tx.all<PlanRow>(sql.selectPlans, key);
        return rows.map(({ content }) => JSON.parse(content) as Plan);
      }),

    sources: (): Promise<readonly { readonly plan: string; readonly source: string }[]> =>
      read(async (tx, key) => {
        const rows = await tx.all<PlanRow>(sql.selectPlans, key);
        return rows.map(({ plan, source }) => ({ plan, source }));
      }),

    facts: ({ plan, number }: TaskKey): Promise<TaskFacts> =>
      read(async (tx, key) => {
        const row = await tx.get<TaskRow>(sql.selectTask, { ...key, plan, number });
        if (!row) throw unknownRun(`${run} plan ${plan} task ${number}`);
        return {
          ...(row.operation !== null && { operation: row.operation }),
          ...(row.commit_id !== null && { commit: row.commit_id }),
          ...(row.parent !== null && { parent: row.parent }),
          isTouched: row.touched === 1,
          tries: row.tries,
          reason: row.reason,
          rescues: JSON.parse(row.rescues) as string[],
        };
      }),

    wantsPause: async (): Promise<RunRecord["wantsPause"]> =>
      read(async (tx, key) => (await tx.get<RunRow>(sql.selectRun, key))?.wants_pause ?? "no"),

    setRun: (
      actor: string,
      change: { readonly state: RunState; readonly reason?: string },
    ): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { state, reason = "" } = change;
        const ended = state === "running" || state === "paused" ? null : key.now;
        const count = await tx.run(sql.updateRun, { ...key, state, reason, ended });
        if (count === 0) throw unknownRun(run);
        emit(state === "running" ? "started" : state, { reason });
      }),

    /** From here on nobody with an older claim can change the run. Throws RUN_BUSY when somebody has a later one. */
    take: async (actor: string): Promise<void> => {
      if (fence === undefined) throw new TypeError("a run is taken under a fence");
      await write(actor, async (tx, { scope }, emit) => {
        if ((await tx.run(sql.updateFence, { scope, run, fence })) === 0) throw lostRun(run);
        emit("taken", { fence });
      });
      isTaken = true;
    },

    /** Before something outside the store is changed. Throws RUN_BUSY. */
    requireHeld: (): Promise<void> => read((tx, key) => refuseStale(tx, key)),

    setOptions: (actor: string, options: RunOptionsKept): Promise<void> =>
      write(actor, async (tx, { scope }, emit) => {
        await tx.run(sql.updateOptions, { scope, run, options: JSON.stringify(options) });
        emit("changed", { options: { ...options } });
      }),

    setPause: (actor: string, wanted: RunRecord["wantsPause"]): Promise<void> =>
      write(actor, async (tx, { scope }, emit) => {
        await tx.run(sql.updatePause, { scope, run, wanted });
        emit("pause", { wanted });
      }),

    setRollback: (actor: string, commit: string | null): Promise<void> =>
      write(actor, async (tx, { scope }, emit) => {
        await tx.run(sql.updateRollback, { scope, run, commit });
        emit("rollback", { commit });
      }),

    rollback: (): Promise<string | undefined> =>
      read(async (tx, key) => (await tx.get<RunRow>(sql.selectRun, key))?.rollback ?? undefined),

    setPlan: (
      actor: string,
      plan: string,
      change: { readonly state: PlanState; readonly reason?: string },
    ): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { state, reason = "" } = change;
        const isOver = state !== "pending" && state !== "running";
        const times = {
          started: state === "running" ? key.now : null,
          ended: isOver ? key.now : null,
        };
        const { scope } = key;
        await tx.run(sql.updatePlan, { scope, run, plan, state, reason, ...times });
        emit(`plan.${state}`, { plan, reason });
      }),

    setTask: (actor: string, at: TaskKey, change: TaskChange): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        await changeTask(tx, key, at, change);
        const { state, reason, commit, rescues } = change;
        emit(`task.${state ?? "changed"}`, {
          ...{ plan: at.plan, task: at.number },
          ...(reason !== undefined && { reason }),
          ...(commit && { commit }),
          ...(rescues && { rescues }),
        });
      }),

    /** The task begins and its agent is about to be started: one transaction. */
    spawn: (actor: string, at: TaskKey, agent: string, tries: number): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const clear = { operation: null, commit: null, parent: null, reason: "" };
        const change = { ...clear, state: "running", tries, touched: true, started: true } as const;
        await changeTask(tx, key, at, change);
        await tx.run(sql.insertAgent, { ...key, agent, plan: at.plan, task: at.number });
        emit("agent.spawned", { agent, plan: at.plan, task: at.number, tries });
      }),

    endAgent: (
      actor: string,
      agent: string,
      end: {
        readonly status: AgentStatus;
        readonly exit?: number;
        readonly inputTokens: number;
        readonly outputTokens: number;
        readonly costUsd?: number;
        readonly problem?: string;
        readonly notes: readonly (TaskKey & Pick<Note, "kind" | "text">)[];
      },
    ): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { status, exit, inputTokens, outputTokens, costUsd, problem, notes } = end;
        const cost = costUsd === undefined ? null : Math.round(costUsd * 1_000_000);
        const used = { input: inputTokens, output: outputTokens };
        const how = { exit: exit ?? null, problem: problem ?? null };
        await tx.run(sql.updateAgent, { ...key, agent, status, ...how, ...used, cost });
        const { scope } = key;
        await tx.run(sql.addSpent, { scope, run, ...used, cost: cost ?? 0 });
        let number = (await tx.get<{ last: number }>(sql.lastNote, { scope, run }))?.last ?? 0;
        for (const note of notes) {
          number += 1;
          const { kind, plan, number: task, text } = note;
          await tx.run(sql.insertNote, { ...key, number, kind, plan, task, text });
          emit(`note.${kind}`, { plan, task, text: text.slice(0, limits.runNoteLengthMax) });
        }
        emit(`agent.${status}`, { agent, ...(problem !== undefined && { problem }) });
      }),

    addNote: (
      actor: string,
      note: TaskKey & Pick<Note, "kind" | "text"> & { readonly missed?: readonly MissedFile[] },
    ): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { scope } = key;
        const last = (await tx.get<{ last: number }>(sql.lastNote, { scope, run }))?.last ?? 0;
        const { kind, plan, number: task, text } = note;
        await tx.run(sql.insertNote, { ...key, number: last + 1, kind, plan, task, text });
        emit(`note.${kind}`, { plan, task, text: text.slice(0, limits.runNoteLengthMax) });
        for (const { what, where, why } of (note.missed ?? []).slice(0, missedEventsMax)) {
          tx.emit({ kind: "judgement.missed", actor, subject: run, data: { what, where, why } });
        }
      }),

    /** Agents that are known from files only. */
    restoreAgents: (actor: string, agents: readonly AgentRecord[]): Promise<void> =>
      write(actor, async (tx, key, emit) => {
        const { scope } = key;
        for (const one of agents) {
          const ended = one.ended_at === undefined ? null : Date.parse(one.ended_at);
          await tx.run(sql.restoreAgent, {
            ...{
              scope,
              run,
              agent: one.agent_id,
              plan: one.plan,
              task: one.task,
              status: one.status,
            },
            ...{ started: Date.parse(one.started_at), ended },
            ...{ exit: one.exit ?? null, problem: one.problem ?? null },
          });
        }
        emit("restored", { agents: agents.length });
      }),

    exists: async (): Promise<boolean> => {
      const there = await place.look();
      if (!there) return false;
      const key = { scope: there.scope.id, run };
      return (await there.store.read((tx) => tx.get(sql.selectRun, key))) !== undefined;
    },

    /** Oldest first, the last `limit` of them. */
    agents: (limit: number = limits.runHistoryMax): Promise<readonly AgentRecord[]> =>
      read(async (tx, key) => {
        const rows = await tx.all<AgentRow>(sql.selectAgents, { ...key, count: limit });
        return rows.toReversed().map(agentOf);
      }),

    notes: (): Promise<readonly Note[]> =>
      read(async (tx, key) => (await tx.all<NoteRow>(sql.selectNotes, key)).map(noteOf)),

    /** `answered`: it has an answer, which stands if this one is `isFinal`. */
    answer: async (
      actor: string,
      note: string,
      answer: string,
      isFinal: boolean,
    ): Promise<"done" | "unknown" | "answered"> => {
      const number = Number(/^[cq]?(\d+)$/.exec(note)?.[1] ?? 0);
      let end: "done" | "unknown" | "answered" = "unknown";
      await write(actor, async (tx, key, emit) => {
        const { scope, now } = key;
        const known = (await tx.all<NoteRow>(sql.selectNotes, { scope, run })).find(
          (one) => one.number === number && (one.kind === "question" || one.kind === "action"),
        );
        end =
          known === undefined ? "unknown" : known.answer !== null && isFinal ? "answered" : "done";
        if (end !== "done") return;
        await tx.run(sql.answerNote, { scope, run, now, number, answer });
        emit("answered", { note: `c${number}` });
      });
      return end;
    },

    remove: (actor: string): Promise<void> =>
      write(actor, async (tx, { scope }, emit) => {
        for (const statement of sql.deleteRun) await tx.run(statement, { scope, run });
        emit("removed");
      }),
  };
};

/** A file that was committed without a judgement. */
type MissedFile = Readonly<Record<"what" | "where" | "why", string>>;

const missedEventsMax = 50;

type Emit = (kind: string, data?: Parameters<Writer["emit"]>[0]["data"]) => void;

export const lostRun = (run: string): HeadgateError =>
  new HeadgateError("RUN_BUSY", `the claim on run ${run} was lost: somebody else carries it out`);

export const unknownRun = (run: string): HeadgateError =>
  new HeadgateError("RUN_UNKNOWN", `no run ${run}`, { data: { run } });
