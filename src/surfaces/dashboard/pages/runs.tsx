/** Runs: plans with their tasks, what agents ask, and what happens in them. */
import { useState } from "preact/hooks";
import type { NoteView, RunPlanView, RunsAnswer, RunView } from "../../http/api/runs-shape.ts";
import type { NowAnswer } from "../../http/api/shapes.ts";
import { Empty, NotYet, PageHead, Panel } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { Actor, Ago, clock, Code, plural, visible } from "../words.tsx";
import { type Asking, RunDialog } from "./runs/dialogs.tsx";
import { Output } from "./runs/output.tsx";

export const RunsPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<RunsAnswer>("/api/runs");
  const [asking, ask] = useState<Asking>();
  if (error || !answer) {
    return <NotYet title="Runs" what="Looking for runs" error={error} />;
  }
  const { runs, more } = answer;
  return (
    <>
      <PageHead title="Runs">
        <p class="summary">
          {more > 0 ? (
            <>
              the newest {runs.length}; <code>headgate run list</code> knows {more} more
            </>
          ) : (
            "plans that agents carry out, task by task"
          )}
        </p>
      </PageHead>
      {runs.length === 0 && <NothingYet />}
      {runs.map((run) => (
        <Run key={run.id} run={run} ask={ask} />
      ))}
      {asking && <RunDialog asking={asking} close={() => ask(undefined)} />}
    </>
  );
};

const NothingYet = () => (
  <Empty title="No run yet" icon="runs">
    <p>
      <code>headgate run new plans</code> writes plans to start from;{" "}
      <code>headgate run start plans --exec …</code> lets agents work through them, each task
      verified and committed.
    </p>
    <p>Their tasks, questions and commits appear here while they work.</p>
  </Empty>
);

const finished = ["done", "skipped"];
const stopped = ["failed", "timeout", "needs-decision", "needs-action", "interrupted"];

export const stateTag = (state: string): string => {
  if (state === "done") return "tag is-armed";
  if (stopped.includes(state)) return "tag is-unarmed";
  return state === "running" ? "tag is-accent" : "tag";
};

type Ask = (asking: Asking) => void;

const Run = ({ run, ask }: { run: RunView; ask: Ask }) => {
  const tasks = run.plans.flatMap((plan) => plan.tasks);
  const done = tasks.filter(({ state }) => finished.includes(state)).length;
  const isAtWork = run.executor !== undefined;
  const isOver = ["done", "rolled-back"].includes(run.state);
  const canRetry = !isAtWork && !isOver && tasks.some(({ state }) => stopped.includes(state));
  return (
    <Panel
      title={visible(run.name)}
      class="run"
      tools={
        <span class="tags">
          {run.isPausing && <span class="tag">pausing</span>}
          <span class={stateTag(run.state)}>{visible(run.state)}</span>
          {isAtWork && (
            <button
              type="button"
              class="button is-small"
              onClick={() => ask({ kind: "pause", run })}
            >
              Pause…
            </button>
          )}
          {canRetry && (
            <button
              type="button"
              class="button is-small"
              onClick={() => ask({ kind: "retry", run })}
            >
              Try again…
            </button>
          )}
        </span>
      }
    >
      <div class="run-body">
        <p class="run-facts">
          <Ago at={run.startedAt} />
          <span>
            {done} of {plural(tasks.length, "task")} done
          </span>
          <Code text={run.id} />
          {factsOf(run).map((fact) => (
            <span key={fact}>{visible(fact)}</span>
          ))}
        </p>
        <progress
          class="run-progress"
          max={Math.max(1, tasks.length)}
          value={done}
          aria-label={`${done} of ${tasks.length} tasks done`}
        />
        {run.reason !== undefined && run.reason !== "" && !isSaid(run) && (
          <p class={stopped.includes(run.state) ? "is-warning" : "muted"}>{visible(run.reason)}</p>
        )}
        {!isOver && <p class="run-next">Next: {visible(run.next)}</p>}
        {run.notes.length > 0 && (
          <ul class="notes" aria-label="What agents said">
            {run.notes.map((note) => (
              <Said key={note.id} note={note} answer={() => ask({ kind: "decide", run, note })} />
            ))}
          </ul>
        )}
        <ul class="plans">
          {run.plans.map((plan) => (
            <Plan key={plan.plan} plan={plan} run={run} ask={ask} />
          ))}
        </ul>
        <Output run={run} />
        <Happened run={run} />
      </div>
    </Panel>
  );
};

/** The question that waits says it already. */
const isSaid = ({ reason = "", notes }: RunView): boolean =>
  notes.some(({ kind, answer, text }) => kind === "question" && !answer && reason.includes(text));

const factsOf = ({ executor, working, claimed, tokens, costUsd }: RunView): string[] => [
  ...(executor === undefined ? [] : [`${plural(working.length, "agent")} at work`]),
  ...(claimed.length === 0 ? [] : [`holds ${claimed.join(", ")}`]),
  ...(tokens === 0 ? [] : [`${tokens.toLocaleString("en")} tokens`]),
  ...(costUsd === 0 ? [] : [`$${costUsd.toFixed(2)}`]),
];

const noteWords: Readonly<Record<string, string>> = {
  fixed: "repaired on the way",
  issue: "left for later",
  question: "question",
  action: "somebody must do something",
};

const Said = ({ note, answer }: { note: NoteView; answer(): void }) => {
  const isWaiting = note.kind === "question" && note.answer === undefined;
  return (
    <li class={isWaiting ? "said is-waiting" : "said"}>
      <div class="entry-head">
        <div class="entry-name">
          <span class="tag">{visible(noteWords[note.kind] ?? note.kind)}</span>
          <span class="entry-title">{visible(note.text)}</span>
        </div>
        {isWaiting && (
          <button
            type="button"
            class="button is-small is-main"
            aria-label={`Answer ${visible(note.id)}…`}
            onClick={answer}
          >
            Answer…
          </button>
        )}
      </div>
      <p class="entry-text">
        {visible(note.id)} · plan {visible(note.plan)}, task {note.task}
        {note.answer !== undefined && ` · answered: “${visible(note.answer)}”`}
      </p>
    </li>
  );
};

const Plan = ({ plan, run, ask }: { plan: RunPlanView; run: RunView; ask: Ask }) => {
  const isFree = run.executor === undefined && run.state !== "rolled-back";
  const isOpen = isFree && !finished.includes(plan.state);
  return (
    <li class="plan">
      <div class="entry-head">
        <div class="entry-name">
          <b class="entry-title">
            {visible(plan.plan)} {visible(plan.title ?? "")}
          </b>
          <span class={stateTag(plan.state)}>{visible(plan.state)}</span>
        </div>
        {isOpen && (
          <button
            type="button"
            class="button is-small"
            aria-label={`Leave out plan ${visible(plan.plan)}…`}
            onClick={() => ask({ kind: "skip", run, plan })}
          >
            Leave out…
          </button>
        )}
      </div>
      {plan.after.length > 0 && plan.state === "pending" && (
        <p class="entry-text">after {plan.after.map(visible).join(", ")}</p>
      )}
      {plan.reason && !plan.tasks.some(({ reason }) => reason === plan.reason) && (
        <p class="entry-text">{visible(plan.reason)}</p>
      )}
      <ol class="tasks">
        {plan.tasks.map((task) => (
          <li key={task.number} class={`task is-${task.state.replaceAll(/[^a-z-]/g, "")}`}>
            <span class="life-dot" aria-hidden="true" />
            <span class="task-name">
              {visible(task.name)}
              <span class="task-state">{visible(task.reason || task.state)}</span>
            </span>
            {task.commit !== undefined && <Code text={task.commit.slice(0, 10)} />}
            {isOpen && stopped.includes(task.state) && plan.tasks.length > 1 && (
              <button
                type="button"
                class="button is-small"
                aria-label={`Leave out task ${task.number} of plan ${visible(plan.plan)}…`}
                onClick={() => ask({ kind: "skip", run, plan, task: task.number })}
              >
                Leave out…
              </button>
            )}
          </li>
        ))}
      </ol>
    </li>
  );
};

/** The log of the run, live. */
const Happened = ({ run }: { run: RunView }) => {
  if (run.happened.length === 0) return null;
  return (
    <details class="happened" open={run.executor !== undefined}>
      <summary>What happened ({run.executor === undefined ? "newest first" : "live"})</summary>
      <ul>
        {run.happened.map(({ seq, at, kind, text }) => (
          <li key={seq}>
            <time dateTime={at}>{clock(at)}</time> <b>{visible(kind.replace(/^run\./, ""))}</b>{" "}
            {visible(text)}
          </li>
        ))}
      </ul>
      {run.executor !== undefined && (
        <p class="entry-text">
          carried out by <Actor id={run.executor} />
        </p>
      )}
    </details>
  );
};
