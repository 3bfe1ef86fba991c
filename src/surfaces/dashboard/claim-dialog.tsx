/** One claim with all that is known of it, and what a person may do about it. Every action asks first. */
import { useState } from "preact/hooks";
import type { ClaimView } from "../http/api/shapes.ts";
import { TextField } from "./ask-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./parts.tsx";
import { useAction } from "./use-action.ts";
import { Actor, Ago, Code, dateAndTime, Life } from "./words.tsx";

interface Action {
  readonly name: "ask" | "take-over" | "release";
  readonly label: string;
  readonly question: string;
  readonly consequence: string;
  readonly isHard: boolean;
}

const actionsFor = (claim: ClaimView, me: string): readonly Action[] => {
  const isOwn = claim.actor === me;
  const release: Action = {
    name: "release",
    label: "Release",
    question: isOwn ? "Release your claim?" : "Release somebody else's claim?",
    consequence: isOwn
      ? "Whoever waits for it gets it."
      : "Its holder can no longer write under it: the next edit is refused. Whoever waits gets it. This is recorded under your name.",
    isHard: !isOwn,
  };
  if (isOwn) return [release];
  const ask: Action = {
    name: "ask",
    label: "Ask for it",
    question: "Ask the holder to release it?",
    consequence:
      "The holder reads it with its next call and answers within 15 minutes, or does not.",
    isHard: false,
  };
  const takeOver: Action = {
    name: "take-over",
    label: "Take over",
    question: "Take this claim over?",
    consequence: `It becomes ${me}'s with a new fence; what its holder still writes under it is refused. This is recorded under your name.`,
    isHard: true,
  };
  return [ask, takeOver, release];
};

export const ClaimDialog = (props: { claim: ClaimView; me: string; close(): void }) => {
  const { claim, me, close } = props;
  const [chosen, choose] = useState<Action>();
  return (
    <Dialog title={chosen?.question ?? "Claim"} close={close}>
      <dl class="facts">
        <dt>Target</dt>
        <dd>
          <Code text={claim.target} />
        </dd>
        <dt>Held by</dt>
        <dd>
          <Actor id={claim.actor} /> <Life state={claim.life} />
        </dd>
        {!chosen && <Facts claim={claim} />}
      </dl>
      {chosen ? (
        <Confirm action={chosen} claim={claim} back={() => choose(undefined)} close={close} />
      ) : (
        <div class="dialog-actions">
          {actionsFor(claim, me).map((action) => (
            <button
              key={action.name}
              type="button"
              class={action.isHard ? "button is-hard" : "button"}
              onClick={() => choose(action)}
            >
              {action.label}…
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
};

const Facts = ({ claim }: { claim: ClaimView }) => (
  <>
    <dt>Why</dt>
    <dd>{claim.reason ? <Code text={claim.reason} /> : <span class="muted">not said</span>}</dd>
    <dt>Mode</dt>
    <dd>{claim.mode}</dd>
    <dt>Since</dt>
    <dd>
      {dateAndTime(claim.grantedAt)} (<Ago at={claim.grantedAt} />)
    </dd>
    <dt>Ends</dt>
    <dd>
      {dateAndTime(claim.expiresAt)} (in <Ago at={claim.expiresAt} until />)
    </dd>
    <dt>Fence</dt>
    <dd>{claim.fence}</dd>
    <dt>Id</dt>
    <dd>
      <Code text={claim.id} />
    </dd>
  </>
);

const Confirm = (props: { action: Action; claim: ClaimView; back(): void; close(): void }) => {
  const { action, claim, back, close } = props;
  const { act, error, isBusy } = useAction(close);
  const [reason, setReason] = useState("");
  const body = { claim: claim.id, fence: claim.fence, reason };
  const submit = (event: Event): void => {
    event.preventDefault();
    const within = action.name === "ask" ? { withinMs: 15 * 60_000 } : {};
    void act([action.name, { ...body, ...within }]);
  };
  return (
    <form onSubmit={submit}>
      <p>{action.consequence}</p>
      <TextField label="Reason, for the event log" value={reason} set={setReason} isFirst />
      {error && <Problem error={error} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={back}>
          Back
        </button>
        <button
          type="submit"
          class={action.isHard ? "button is-hard is-main" : "button is-main"}
          disabled={isBusy}
        >
          {action.label}
        </button>
      </div>
    </form>
  );
};
