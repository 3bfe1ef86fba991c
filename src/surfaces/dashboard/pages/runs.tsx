/** Runs: plans with their tasks, and what the agent at work prints. */
import type { RunsAnswer, RunView } from "../../http/api/runs-shape.ts";
import type { NowAnswer } from "../../http/api/shapes.ts";
import { Empty, Loading, PageHead, Panel, Problem } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { Ago, Code, visible } from "../words.tsx";

export const RunsPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<RunsAnswer>("/api/runs");
  if (error) return <Problem error={error} />;
  if (!answer) return <Loading what="Looking for runs" />;
  return (
    <>
      <PageHead title="Runs" />
      {answer.runs.length === 0 && (
        <Empty title="No run yet" icon="runs">
          <p>
            <code>headgate run start PLANDIR</code> works through a folder of plans, task by task,
            each step checkpointed.
          </p>
        </Empty>
      )}
      {answer.runs.map((run) => (
        <Run key={run.id} run={run} />
      ))}
    </>
  );
};

const Run = ({ run }: { run: RunView }) => (
  <Panel
    title={visible(run.name)}
    tools={
      <span class="tags">
        <span class="tag is-accent">{visible(run.state)}</span>
        <Ago at={run.startedAt} />
      </span>
    }
  >
    <p class="muted">{facts(run).map(visible).join(" · ")}</p>
    <ul class="list">
      {run.plans.map(({ plan, title, state, reason, tasks }) => (
        <li key={plan} class="cluster">
          <div class="list-row">
            <b>{visible(title ?? plan)}</b>
            <span class="list-detail">{title === undefined ? "" : visible(plan)}</span>
            <span class="tag">{visible(state)}</span>
          </div>
          {reason !== undefined && <p class="muted">{visible(reason)}</p>}
          <ul class="tasks">
            {tasks.map((task) => (
              <li key={task.name} class={`task is-${task.state.replaceAll(/[^a-z-]/g, "")}`}>
                <span class="life-dot" aria-hidden="true" />
                <span>{visible(task.name)}</span>
                <span class="muted">{visible(task.reason ?? task.state)}</span>
                {task.commit !== undefined && <Code text={task.commit.slice(0, 10)} />}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
    {run.state !== "done" && (
      <p>
        Next: <Code text={run.next} />
      </p>
    )}
  </Panel>
);

const facts = (run: RunView): string[] => [
  run.id,
  ...(run.executor === undefined ? [] : [`carried out by ${run.executor}`]),
  ...(run.agentSince === undefined ? [] : ["an agent is at work"]),
  ...(run.claimed.length === 0 ? [] : [`holds ${run.claimed.join(", ")}`]),
  ...(run.tokens === 0 ? [] : [`${run.tokens} tokens`]),
  ...(run.costUsd === 0 ? [] : [`$${run.costUsd.toFixed(2)}`]),
  ...(run.reason === undefined ? [] : [run.reason]),
];
