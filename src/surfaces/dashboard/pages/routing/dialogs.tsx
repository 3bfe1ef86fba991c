/** Each says what will happen before it does. */
import { useState } from "preact/hooks";
import type { OverrideView, ProposalView } from "../../../http/api/routing-shape.ts";
import { AskDialog, TextField } from "../../ask-dialog.tsx";
import { Actor, Ago, Code, plural, visible } from "../../words.tsx";

export const evidenceText = ({ support }: ProposalView): string => {
  const { outcomes, wrong, eValue, sessions, changes } = support;
  if (outcomes === 0) return "no evidence";
  return (
    `${wrong} of ${plural(outcomes, "finding")} dismissed, e = ${eValue}, ` +
    `${plural(sessions, "session")}, ${plural(changes, "change")}`
  );
};

export const ApproveDialog = (props: { proposal: ProposalView; path: string; close(): void }) => {
  const { proposal, path, close } = props;
  const { id, reviewer, effect, proposer, at, reason, isGuarded, support } = proposal;
  const isNew = proposal.state === "proposed";
  const mustConfirm = isNew && isGuarded;
  const [typed, setTyped] = useState("");
  const approve = [
    "routing-approve",
    { proposal: id, ...(mustConfirm && { confirm: typed }) },
  ] as const;
  const apply = ["routing-apply", { proposal: id }] as const;
  return (
    <AskDialog
      title={isNew ? "Approve and apply this proposal?" : "Apply this proposal?"}
      close={close}
      main={
        isNew
          ? { label: "Approve and apply", steps: [approve, apply] }
          : { label: "Apply", steps: [apply] }
      }
      other={isNew ? { label: "Approve only", steps: [approve] } : undefined}
      isOpen={mustConfirm && typed !== reviewer}
    >
      <dl class="facts">
        <dt>Reviewer</dt>
        <dd>{visible(reviewer)}</dd>
        <dt>Change</dt>
        <dd>{visible(effect)}</dd>
        <dt>Proposed by</dt>
        <dd>
          <Actor id={proposer} /> <Ago at={at} />
        </dd>
        {reason !== "" && (
          <>
            <dt>Because</dt>
            <dd>{visible(reason)}</dd>
          </>
        )}
        <dt>Evidence</dt>
        <dd>{evidenceText(proposal)}</dd>
      </dl>
      {support.notes.map((note) => (
        <p key={note} class="is-warning">
          {visible(note)}
        </p>
      ))}
      <p>
        {effectSentence(proposal)} One commit on the branch that is checked out changes{" "}
        <Code text={path} />; staged and unstaged work is not touched. Now and then the reviewer is
        run in shadow, and an alarm says when it is missed.
      </p>
      {mustConfirm && (
        <TextField
          label={`It guards safety or looks at everything: type ${visible(reviewer)} to confirm`}
          value={typed}
          set={setTyped}
          isFirst
        />
      )}
    </AskDialog>
  );
};

const effectSentence = ({ action, effect }: ProposalView): string => {
  if (action === "exclude") return "Reviews do not ask it any more.";
  if (action === "floor") {
    return `Reviews show only its findings of ${visible(effect.replace("floor ", ""))} and worse.`;
  }
  if (action === "scope") return `It is ${visible(effect)} any more.`;
  if (action === "stage") return "Reviews ask it only in their second stage.";
  return action === "sample" ? `It is asked in ${visible(effect)}.` : "Reviews honour it.";
};

export const RevertDialog = (props: { override: OverrideView; path: string; close(): void }) => {
  const { reviewer, effect, commit } = props.override;
  const [reason, setReason] = useState("");
  const body = { reviewer, reason, ...(commit !== undefined && { commit }) };
  return (
    <AskDialog
      title="Revert this override?"
      close={props.close}
      main={{ label: "Revert", steps: [["routing-revert", body]] }}
      isHard
    >
      <dl class="facts">
        <dt>Reviewer</dt>
        <dd>{visible(reviewer)}</dd>
        <dt>Now</dt>
        <dd>{visible(effect)}</dd>
      </dl>
      <p>
        From the next review on it is asked as before. One commit on the branch that is checked out
        takes it out of <Code text={props.path} />. It is not proposed again until you unblock it.
      </p>
      <TextField label="Reason, for the commit" value={reason} set={setReason} isFirst />
    </AskDialog>
  );
};

export const UnblockDialog = ({ pattern, close }: { pattern: string; close(): void }) => (
  <AskDialog
    title="Unblock this reviewer?"
    close={close}
    main={{ label: "Unblock", steps: [["routing-unblock", { pattern }]] }}
  >
    <p>
      <b>{visible(pattern)}</b> may be proposed again when the evidence says so. Reviews do not
      change by this.
    </p>
  </AskDialog>
);
