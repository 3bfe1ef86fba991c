import { useState } from "preact/hooks";
import type { FindingView } from "../../../http/api/reviews-shape.ts";
import { AskDialog, TextField } from "../../ask-dialog.tsx";
import { Code, Marked, plural, visible } from "../../words.tsx";

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
        <b class="finding-title">
          <Marked text={title} />
        </b>
        <span class="tag">{visible(state)}</span>
      </div>
      {path !== undefined && <Code text={line === undefined ? path : `${path}:${line}`} />}
      {body !== undefined && (
        <p class="finding-body">
          <Marked text={lines(body)} show={(text) => text} />
        </p>
      )}
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
  const [reason, setReason] = useState<string>(reasons[0][0]);
  const [note, setNote] = useState("");
  const isDismissal = outcome === "dismissed";
  const body = { finding: finding.id, outcome, note, ...(isDismissal && { reason }) };
  return (
    <AskDialog
      title={isDismissal ? "Dismiss this finding?" : "Accept this finding?"}
      close={close}
      main={{ label: isDismissal ? "Dismiss" : "Accept", steps: [["finding", body]] }}
    >
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
      <TextField label="Note" value={note} set={setNote} />
    </AskDialog>
  );
};
