import { Panel, Problem } from "../../parts.tsx";
import { useRefusals } from "../../use-refusals.ts";
import { Actor, Ago, visible } from "../../words.tsx";

/** The newest refusals; they come in as they happen. */
export const RefusalStream = () => {
  const { refusals, isReady, error } = useRefusals(shown);
  return (
    <Panel
      title="Refused"
      tools={
        <a class="more" href="#/refusals">
          All
        </a>
      }
    >
      {error && <Problem error={error} />}
      {isReady && refusals.length === 0 && (
        <p class="note">Nothing was refused. An edit that would break something appears here.</p>
      )}
      <ol class="list scrolls" aria-live="polite" aria-relevant="additions">
        {refusals.slice(0, shown).map((one) => (
          <li key={one.seq} class="refusal-item">
            <a class="list-row" href={`#/refusals?seq=${one.seq}`}>
              <span class="reason-code">{visible(one.code)}</span>
              <bdi class="list-detail is-path" title={visible(one.path)}>
                {visible(one.path)}
                {one.symbol !== undefined && `#${visible(one.symbol)}`}
              </bdi>
              <Ago at={one.at} />
            </a>
            <p class="under">
              <Actor id={one.actor} /> by {visible(one.tool)}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
};

const shown = 12;
