/** Routing: reviewers that are noise here, what is proposed about them, and the watch on what was done. */
import { useState } from "preact/hooks";
import type { OverrideView, ProposalView, RoutingAnswer } from "../../http/api/routing-shape.ts";
import type { NowAnswer } from "../../http/api/shapes.ts";
import { Empty, NotYet, PageHead, Panel } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { Actor, Ago, Code, plural, visible } from "../words.tsx";
import { CanaryPanel } from "./routing/canary-panel.tsx";
import { PatternTable } from "./routing/pattern-table.tsx";
import { ApproveDialog, evidenceText, RevertDialog, UnblockDialog } from "./routing/dialogs.tsx";

type Asking =
  | { readonly kind: "approve"; readonly proposal: ProposalView }
  | { readonly kind: "revert"; readonly override: OverrideView }
  | { readonly kind: "unblock"; readonly pattern: string };

export const RoutingPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<RoutingAnswer>("/api/routing");
  const [asking, ask] = useState<Asking>();
  if (error || !answer) {
    return <NotYet title="Routing" what="Looking at the routing" error={error} />;
  }
  const {
    patterns,
    proposals,
    overrides,
    canaries,
    blacklist,
    evidence,
    held,
    needsPerson,
    problem,
  } = answer;
  const parts = [patterns, proposals, overrides, canaries, blacklist];
  const close = (): void => ask(undefined);
  return (
    <>
      <PageHead title="Routing">
        <p class="summary">
          which reviewers are asked, by what became of their findings
          {evidence > 0 && ` · ${plural(evidence, "outcome")} known`}
        </p>
      </PageHead>
      {problem !== undefined && (
        <p class="note is-warning">The overrides file is ignored: {visible(problem)}</p>
      )}
      {needsPerson !== undefined && (
        <p class="note is-warning">
          Autonomy is off: a person approves, applies and reverts
          {needsPerson !== "" && ` (${visible(needsPerson)})`}.{" "}
          <code>headgate routing autonomy on</code>
        </p>
      )}
      {held > 0 && (
        <p class="note is-warning">
          {plural(held, "outcome")} wait for you and count for nothing yet:{" "}
          <code>headgate routing evidence held</code>
        </p>
      )}
      {parts.every(({ length }) => length === 0) && <NothingYet evidence={evidence} />}
      {proposals.length > 0 && (
        <Panel title="Proposals" count={proposals.length}>
          <ul class="entries">
            {proposals.map((proposal) => (
              <Proposal
                key={proposal.id}
                proposal={proposal}
                decide={() => ask({ kind: "approve", proposal })}
              />
            ))}
          </ul>
        </Panel>
      )}
      {overrides.length > 0 && (
        <Panel title="Overrides" count={overrides.length}>
          <ul class="entries">
            {overrides.map((override) => (
              <Override
                key={override.reviewer}
                override={override}
                revert={() => ask({ kind: "revert", override })}
              />
            ))}
          </ul>
        </Panel>
      )}
      {canaries.length > 0 && (
        <div class="cards is-filled">
          {canaries.map((canary) => (
            <CanaryPanel key={canary.reviewer} canary={canary} />
          ))}
        </div>
      )}
      {patterns.length > 0 && <PatternTable answer={answer} />}
      {blacklist.length > 0 && (
        <Panel title="Not proposed again" count={blacklist.length}>
          <ul class="entries">
            {blacklist.map(({ pattern, at, actor, reason }) => (
              <li key={pattern} class="entry">
                <div class="entry-head">
                  <div class="entry-name">
                    <b class="entry-title">{visible(pattern)}</b>
                    <Ago at={at} />
                  </div>
                  <button
                    type="button"
                    class="button is-small"
                    aria-label={`Unblock ${visible(pattern)}…`}
                    onClick={() => ask({ kind: "unblock", pattern })}
                  >
                    Unblock…
                  </button>
                </div>
                <p class="entry-text">
                  <Actor id={actor} />
                  {reason !== "" && `: ${visible(reason)}`}
                </p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {asking?.kind === "approve" && (
        <ApproveDialog proposal={asking.proposal} path={answer.path} close={close} />
      )}
      {asking?.kind === "revert" && (
        <RevertDialog override={asking.override} path={answer.path} close={close} />
      )}
      {asking?.kind === "unblock" && <UnblockDialog pattern={asking.pattern} close={close} />}
    </>
  );
};

const NothingYet = ({ evidence }: { evidence: number }) => (
  <Empty title="Every reviewer is asked" icon="routing">
    <p>
      When you accept or dismiss findings on the Reviews page, Headgate learns which reviewers are
      noise here
      {evidence > 0 ? `; ${plural(evidence, "outcome")} so far are too few for a pattern.` : "."}
    </p>
    <p>
      Patterns, proposals (<code>headgate routing propose</code>), overrides and the watch on them
      appear here.
    </p>
  </Empty>
);

const Proposal = ({ proposal, decide }: { proposal: ProposalView; decide(): void }) => {
  const { reviewer, effect, state, reason, proposer, at, approver, isGuarded } = proposal;
  const verb = state === "proposed" ? "Approve" : "Apply";
  return (
    <li class="entry">
      <div class="entry-head">
        <div class="entry-name">
          <b class="entry-title">{visible(reviewer)}</b>
          <span class="tag is-accent">{visible(effect)}</span>
          {isGuarded && <span class="tag">guarded</span>}
          <span class="tag">{visible(state)}</span>
        </div>
        {state !== "applying" && (
          <button
            type="button"
            class="button is-small"
            aria-label={`${verb} the proposal for ${visible(reviewer)}…`}
            onClick={decide}
          >
            {verb}…
          </button>
        )}
      </div>
      {reason !== "" && <p class="entry-text">{visible(reason)}</p>}
      <p class="entry-text">
        <Actor id={proposer} /> <Ago at={at} /> · {evidenceText(proposal)}
        {approver !== undefined && ` · approved by ${visible(approver)}`}
      </p>
    </li>
  );
};

const Override = ({ override, revert }: { override: OverrideView; revert(): void }) => {
  const { reviewer, effect, reason, createdBy, commit, vanished, expired } = override;
  return (
    <li class="entry">
      <div class="entry-head">
        <div class="entry-name">
          <b class="entry-title">{visible(reviewer)}</b>
          <span class="tag is-accent">{visible(effect)}</span>
          {vanished && <span class="tag is-unarmed">nobody is called so any more</span>}
          {expired && <span class="tag">expired</span>}
        </div>
        <button
          type="button"
          class="button is-small is-hard"
          aria-label={`Revert the override of ${visible(reviewer)}…`}
          onClick={revert}
        >
          Revert…
        </button>
      </div>
      <p class="entry-text">
        {reason !== "" && `${visible(reason)} · `}
        {createdBy !== "" && `by ${visible(createdBy)} · `}
        {commit === undefined ? "written by hand" : <Code text={commit.slice(0, 10)} />}
      </p>
    </li>
  );
};
