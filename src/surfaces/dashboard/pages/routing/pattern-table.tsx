import type { RoutingAnswer } from "../../../http/api/routing-shape.ts";
import { Panel } from "../../parts.tsx";
import { plural, visible } from "../../words.tsx";

/** What the outcomes say of each reviewer, how strong that is, and what is still missing. */
export const PatternTable = ({ answer }: { answer: RoutingAnswer }) => (
  <Panel title="Patterns" count={answer.patterns.length}>
    <ul class="entries">
      {answer.patterns.map((one) => (
        <li key={one.reviewer + one.class} class="entry">
          <div class="entry-name">
            <b class="entry-title">{visible(one.reviewer)}</b>
            <span class="tag">{visible(one.class)}</span>
            <span class={one.state === "ready" ? "tag is-accent" : "tag"}>{one.state}</span>
          </div>
          <p class="entry-text">
            {`${Number(one.wrong.toFixed(1))} of ${plural(one.outcomes, "finding")} dismissed · `}
            <span title="How strongly the outcomes speak against it being useful; 20 is needed.">
              evidence e ={" "}
              {one.eValue >= 1000 ? one.eValue.toExponential(1) : one.eValue.toPrecision(3)}
            </span>
            {one.missing.length > 0 && ` · not ready: ${one.missing.map(visible).join("; ")}`}
          </p>
          <p class="entry-text">{wayOf(one, answer)}</p>
        </li>
      ))}
    </ul>
  </Panel>
);

const wayOf = (
  { reviewer, state, remedy }: RoutingAnswer["patterns"][number],
  { overrides, proposals, blacklist }: RoutingAnswer,
) => {
  const isAbout = (one: { readonly reviewer: string }): boolean => one.reviewer === reviewer;
  if (overrides.some(isAbout)) return "An override is in force.";
  if (blacklist.some(({ pattern }) => pattern === reviewer)) return "It is not proposed again.";
  if (proposals.some(isAbout)) return `Proposed. The least that would do: ${visible(remedy)}`;
  if (state !== "ready") return `Would be: ${visible(remedy)}`;
  return (
    <>
      Would do: {visible(remedy)}. <code>headgate routing propose {visible(reviewer)}</code>
    </>
  );
};
