/** What a person may do about a run; each says what will happen. */
import { useState } from "preact/hooks";
import type { NoteView, RunPlanView, RunView } from "../../../http/api/runs-shape.ts";
import { AskDialog, TextField } from "../../ask-dialog.tsx";
import { Code, plural, visible } from "../../words.tsx";

export type Asking =
  | { readonly kind: "pause" | "retry"; readonly run: RunView }
  | { readonly kind: "decide"; readonly run: RunView; readonly note: NoteView }
  | {
      readonly kind: "skip";
      readonly run: RunView;
      readonly plan: RunPlanView;
      readonly task?: number;
    };

export const RunDialog = ({ asking, close }: { asking: Asking; close(): void }) => {
  if (asking.kind === "decide") return <Decide {...asking} close={close} />;
  if (asking.kind === "skip") return <Skip {...asking} close={close} />;
  if (asking.kind === "retry") return <Retry run={asking.run} close={close} />;
  return <Pause run={asking.run} close={close} />;
};

/** Agents are programs of the user's; only the user's own terminal starts them. */
const GoesOn = ({ run }: { run: RunView }) => (
  <p class="muted">
    Nothing is started from here. <Code text={`headgate run resume ${run.id}`} /> goes on.
  </p>
);

const Pause = ({ run, close }: { run: RunView; close(): void }) => (
  <AskDialog
    title="Pause this run?"
    close={close}
    main={{ label: "Pause", steps: [["run-pause", { run: run.id }]] }}
    other={{ label: "Stop agents now", steps: [["run-pause", { run: run.id, now: true }]] }}
  >
    <p>
      <b>{visible(run.name)}</b>: Pause lets {plural(run.working.length, "agent")} finish the
      present task and starts no other. Stop agents now ends them at once; what they wrote is kept
      apart, and their tasks begin anew later.
    </p>
    <GoesOn run={run} />
  </AskDialog>
);

const Retry = ({ run, close }: { run: RunView; close(): void }) => (
  <AskDialog
    title="Try the stopped tasks again?"
    close={close}
    main={{ label: "Try again", steps: [["run-retry", { run: run.id }]] }}
  >
    <p>
      Every task of <b>{visible(run.name)}</b> that failed, ran out of time or waits for an answer
      is opened again. Tasks that are done stay done.
    </p>
    <GoesOn run={run} />
  </AskDialog>
);

const Skip = (props: { run: RunView; plan: RunPlanView; task?: number; close(): void }) => {
  const { run, plan, task, close } = props;
  const left = plan.tasks.filter(
    ({ number, state }) => state !== "done" && (task === undefined || number === task),
  );
  const body = { run: run.id, plan: plan.plan, ...(task !== undefined && { task }) };
  return (
    <AskDialog
      title={task === undefined ? "Leave this plan out?" : "Leave this task out?"}
      close={close}
      main={{ label: "Leave out", steps: [["run-skip", body]] }}
      isHard
    >
      <p>
        Of plan <b>{visible(`${plan.plan} ${plan.title ?? ""}`.trim())}</b>, not done and not done
        later: {left.map(({ name }) => `“${visible(name)}”`).join(", ")}. Plans that come after it
        go on without it; what is committed stays.
      </p>
      <GoesOn run={run} />
    </AskDialog>
  );
};

const Decide = (props: { run: RunView; note: NoteView; close(): void }) => {
  const { run, note, close } = props;
  const [answer, setAnswer] = useState("");
  return (
    <AskDialog
      title="Answer this question?"
      close={close}
      main={{ label: "Answer", steps: [["run-decide", { run: run.id, note: note.id, answer }]] }}
      isOpen={answer.trim() === ""}
    >
      <p>
        “{visible(note.text)}”{" "}
        <span class="muted">
          plan {visible(note.plan)}, task {note.task}
        </span>
      </p>
      <p>The task's next agent is told your answer.</p>
      <TextField label="Answer" value={answer} set={setAnswer} lengthMax={2000} isFirst />
      <GoesOn run={run} />
    </AskDialog>
  );
};
