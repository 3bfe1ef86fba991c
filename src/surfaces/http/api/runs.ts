/**
 * GET /api/runs: the newest plan executions with their tasks, and what each needs next; GET /api/run-output:
 * what their agents print. POST
 * /api/actions/run-…: a person pauses, answers, leaves out or opens again, as on the command line. Agents
 * are started by `headgate run resume` only, never from here.
 */
import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import type { EventLog } from "../../../compose-events.ts";
import type { Note, RunStatus } from "../../../runs/index.ts";
import type { Event } from "../../../store/index.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { NoteView, RunOutputAnswer, RunPlanView, RunsAnswer, RunView } from "./runs-shape.ts";
import type { ActionAnswer } from "./shapes.ts";

export const addRuns = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/runs", async (context) => {
    const all = await headgate.runs.list();
    const newest = all.slice(0, runsShown);
    const events = all.length === 0 ? [] : await readNewest(headgate.events);
    const runs: RunView[] = [];
    for (const { id } of newest) runs.push(runView(await headgate.runs.status(id), events));
    return context.json({ runs, more: all.length - newest.length } satisfies RunsAnswer);
  });
  app.get("/api/run-output", async (context) => {
    const { run } = parseBody(outputQuery, { run: context.req.query("run") });
    const agents = await headgate.runs.printed(await headgate.runs.find(run));
    return context.json({ agents } satisfies RunOutputAnswer);
  });
  for (const [verb, action] of Object.entries(actions)) {
    app.post(`/api/actions/run-${verb}`, async (context) => {
      const text = await action(await readJsonBody(context.req.raw), headgate);
      return context.json({ ok: true, text } satisfies ActionAnswer);
    });
  }
};

const readNewest = async (log: EventLog): Promise<readonly Event[]> =>
  (await log.page({ kind: "run.*", last: limits.eventPageMax })).events;

const runsShown = 10;
const eventsShown = 30;
const notesShown = 50;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const outputQuery = v.strictObject({ run: name });
const pauseBody = v.strictObject({ run: name, now: v.optional(v.boolean(), false) });
const number = v.pipe(v.number(), v.integer(), v.minValue(1));
const skipBody = v.strictObject({ run: name, plan: name, task: v.optional(number) });
const retryBody = v.strictObject({ run: name, plan: v.optional(name) });
const decideBody = v.strictObject({
  run: name,
  note: name,
  answer: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(limits.runNoteLengthMax)),
});

/** Each gives the words for the person who did it. */
const actions: Readonly<
  Record<string, (body: unknown, headgate: Pick<Headgate, "runs" | "claims">) => Promise<string>>
> = {
  pause: async (body, { runs, claims }) => {
    const { run, now } = parseBody(pauseBody, body);
    const answer = await runs.pause(run, { actor: claims.actor.id, now });
    return answer === "asked"
      ? `${showText(run)} was asked to pause`
      : `${showText(run)} is paused`;
  },
  skip: async (body, { runs, claims }) => {
    const { run, plan, task } = parseBody(skipBody, body);
    const what = { plan, ...(task !== undefined && { task }) };
    await runs.skip(run, { actor: claims.actor.id, ...what });
    const words = `plan ${showText(plan)}${task === undefined ? "" : `, task ${task}`}`;
    return `${words} is left out; headgate run resume ${showText(run)} goes on`;
  },
  retry: async (body, { runs, claims }) => {
    const { run, plan } = parseBody(retryBody, body);
    const which = plan === undefined ? {} : { plan };
    const count = await runs.retry(run, { actor: claims.actor.id, ...which });
    return `${plural(count, "task")} opened again; headgate run resume ${showText(run)} goes on`;
  },
  decide: async (body, { runs, claims }) => {
    const { run, note, answer } = parseBody(decideBody, body);
    // What somebody else answered since the person looked stays.
    await runs.decide(run, { actor: claims.actor.id, note, answer, isFinal: true });
    return `${showText(note)} is answered; headgate run resume ${showText(run)} goes on`;
  },
};

const runView = ({ run, agents, notes }: RunStatus, events: readonly Event[]): RunView => {
  const { id, name: called, state, reason, createdAt, next, claimed, executor, spent } = run;
  return {
    ...{ id, name: called, startedAt: createdAt, next, claimed, costUsd: spent.costUsd },
    state: run.isInterrupted ? "interrupted" : state,
    tokens: spent.inputTokens + spent.outputTokens,
    isPausing: executor !== undefined && run.wantsPause !== "no",
    ...(reason !== undefined && { reason }),
    ...(executor && { executor: executor.actor }),
    working: agents
      .filter(({ status }) => status === "spawned" && executor !== undefined)
      .map(({ plan, task, started_at: since }) => ({ plan, task, since })),
    plans: run.plans.map(planView),
    notes: notesOf(notes),
    happened: events
      .filter(({ subject }) => subject === id)
      .slice(-eventsShown)
      .toReversed()
      .map(({ seq, at, kind, data }) => ({ seq, at, kind, text: happenedText(data) })),
  };
};

const planView = (record: RunStatus["run"]["plans"][number]): RunPlanView => {
  const { plan, title, state, reason, tasks, dependsOn } = record;
  return {
    ...{ plan, title, state, after: dependsOn },
    ...(reason !== undefined && { reason }),
    tasks: tasks.map(({ number: place, name: called, state: taskState, commit, reason: why }) => ({
      ...{ number: place, name: called, state: taskState },
      ...(commit !== undefined && { commit }),
      ...(why !== undefined && { reason: why }),
    })),
  };
};

const isWaiting = ({ kind, answer }: Note): boolean => kind === "question" && answer === undefined;

const notesOf = (notes: readonly Note[]): NoteView[] =>
  [...notes.filter(isWaiting), ...notes.filter((note) => !isWaiting(note)).toReversed()]
    .slice(0, notesShown)
    .map(({ id, kind, plan, task, text, answer }) => ({
      ...{ id, kind, plan, task, text },
      ...(answer !== undefined && { answer }),
    }));

/** Where, and what about it. */
const happenedText = (data: Event["data"]): string => {
  const { plan, task, reason, text, problem, commit, wanted } = data;
  const place = typeof plan === "string" ? `plan ${plan}` : "";
  const parts = [place, typeof task === "number" ? `task ${task}` : ""];
  const short = typeof commit === "string" ? commit.slice(0, 10) : undefined;
  const said = [reason, text, problem, short, wanted].find(
    (one) => typeof one === "string" && one !== "",
  );
  return [parts.filter(Boolean).join(", "), typeof said === "string" ? said : ""]
    .filter(Boolean)
    .join(": ")
    .slice(0, 300);
};
