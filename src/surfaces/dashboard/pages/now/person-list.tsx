import { useState } from "preact/hooks";
import type { PersonRequestView } from "../../../http/api/shapes.ts";
import { AskDialog } from "../../ask-dialog.tsx";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Code } from "../../words.tsx";

/** Acts that sessions wanted and only a person may do. */
export const PersonList = ({ wanted }: { wanted: readonly PersonRequestView[] }) => {
  const [answering, answer] = useState<Answering>();
  return (
    <Panel title="For a person" count={wanted.length}>
      <ul class="list scrolls">
        {wanted.slice(0, 50).map((one) => (
          <li key={one.id} class="waiter">
            <div class="list-row">
              <Actor id={one.actor} />
              <span class="list-detail">wants</span>
              <Ago at={one.at} />
              <button
                type="button"
                class="button is-small"
                onClick={() => answer({ one, word: "decline" })}
              >
                Decline…
              </button>
              <button
                type="button"
                class="button is-small"
                onClick={() => answer({ one, word: "approve" })}
              >
                Approve…
              </button>
            </div>
            <p class="under">
              <Code text={one.line} />
            </p>
          </li>
        ))}
      </ul>
      {answering && <PersonDialog answering={answering} close={() => answer(undefined)} />}
    </Panel>
  );
};

interface Answering {
  readonly one: PersonRequestView;
  readonly word: "approve" | "decline";
}

const PersonDialog = ({ answering, close }: { answering: Answering; close(): void }) => {
  const { one, word } = answering;
  const isYes = word === "approve";
  return (
    <AskDialog
      title={isYes ? "Let this command pass once?" : "Decline this command?"}
      close={close}
      main={{
        label: isYes ? "Approve" : "Decline",
        steps: [[`person-${word}`, { id: one.id }]],
      }}
      isHard={isYes}
    >
      <dl class="facts is-inside">
        <dt>Command</dt>
        <dd>
          <Code text={one.line} />
        </dd>
        <dt>Act</dt>
        <dd>
          <Code text={one.what} />
        </dd>
        <dt>Wanted by</dt>
        <dd>
          <Actor id={one.actor} /> <Ago at={one.at} />
        </dd>
      </dl>
      <p>
        {isYes
          ? "The session may run exactly this command once, within an hour. The words are the session's own."
          : "The session reads that you declined."}
      </p>
    </AskDialog>
  );
};
