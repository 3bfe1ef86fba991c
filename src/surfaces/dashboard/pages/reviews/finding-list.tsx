import { useState } from "preact/hooks";
import type { FindingView } from "../../../http/api/reviews-shape.ts";
import type { ActionAnswer } from "../../../http/api/shapes.ts";
import { post } from "../../call.ts";
import { Dialog } from "../../dialog.tsx";
import { Problem } from "../../parts.tsx";
import { say } from "../../toast.tsx";
import { useConnection, useLive } from "../../use-answer.ts";
import { Code, plural, visible } from "../../words.tsx";

type Outcome = "accepted" | "dismissed";

export const FindingList = ({ findings }: { findings: readonly FindingView[] }) => {
  const [deciding, decide] = useState<{ finding: FindingView; outcome: Outcome }>();
  return (
    <>
      <ul class="findings">
        {findings.map((finding) => (
          <li key={finding.id} class="finding">
            <Finding finding={finding} decide={(outcome) => decide({ finding, outcome })} />
          </li>
        ))}
      </ul>
      {deciding && <DecideDialog {...deciding} close={() => decide(undefined)} />}
    </>
  );
};

const Finding = (props: { finding: FindingView; decide(outcome: Outcome): void }) => {
  const { severity, title, body, path, line, reviewers, state, decision } = props.finding;
  const isOpen = !["accepted", "dismissed", "fixed"].includes(state);
  return (
    <>
      <div class="finding-head">
        <span class={`severity is-${severity.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}`}>
          {visible(severity)}
        </span>
        <b class="finding-title">{visible(title)}</b>
        <span class="tag">{visible(state)}</span>
      </div>
      {path !== undefined && <Code text={line === undefined ? path : `${path}:${line}`} />}
      {body !== undefined && <p class="finding-body">{lines(body)}</p>}
      <div class="finding-foot">
        <span class="muted" title={reviewers.map(visible).join(", ")}>
          {reviewers.length === 1
            ? visible(reviewers[0] ?? "")
            : plural(reviewers.length, "reviewer")}
          {decision && ` · by ${visible(decision.by)}`}
          {decision?.reason !== undefined && `: ${visible(decision.reason)}`}
          {decision?.note !== undefined && `, “${visible(decision.note)}”`}
        </span>
        {isOpen && (
          <span class="tags">
            <button type="button" class="button is-small" onClick={() => props.decide("accepted")}>
              Accept…
            </button>
            <button type="button" class="button is-small" onClick={() => props.decide("dismissed")}>
              Dismiss…
            </button>
          </span>
        )}
      </div>
    </>
  );
};

/** Paragraphs stay paragraphs. */
const lines = (text: string): string =>
  text
    .split("\n")
    .map(visible)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");

const reasons = [
  ["wrong", "It is wrong"],
  ["not-applicable", "It does not apply here"],
  ["deprioritized", "Right, but not now"],
  ["stale", "It is about old code"],
  ["severity", "Right, but graded too high"],
  ["duplicate", "It is said elsewhere"],
] as const;

const DecideDialog = (props: { finding: FindingView; outcome: Outcome; close(): void }) => {
  const { finding, outcome, close } = props;
  const live = useLive();
  const isOnline = useConnection() === "live";
  const [reason, setReason] = useState<string>(reasons[0][0]);
  const [note, setNote] = useState("");
  const [error, setError] = useState<Error>();
  const isDismissal = outcome === "dismissed";
  const act = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const body = { finding: finding.id, outcome, note, ...(isDismissal && { reason }) };
      say((await post<ActionAnswer>("/api/actions/finding", body)).text);
      live.refresh();
      close();
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <Dialog title={isDismissal ? "Dismiss this finding?" : "Accept this finding?"} close={close}>
      <form onSubmit={(event) => void act(event)}>
        <p>
          <b>{visible(finding.title)}</b>
        </p>
        <p class="muted">
          {isDismissal
            ? "It stays dismissed when a review reports it again. The reason counts for the reviewers that reported it."
            : "It counts for the reviewers that reported it, and stays accepted until a review does not see it any more."}
        </p>
        {isDismissal && (
          <label class="field">
            <span>Why</span>
            <select value={reason} onChange={(event) => setReason(event.currentTarget.value)}>
              {reasons.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span>Note</span>
          <input
            type="text"
            maxLength={400}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        {error && <Problem error={error} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={close}>
            Back
          </button>
          <button type="submit" class="button is-main" disabled={!isOnline}>
            {isDismissal ? "Dismiss" : "Accept"}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
