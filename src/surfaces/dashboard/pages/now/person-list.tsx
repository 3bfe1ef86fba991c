import { useState } from "preact/hooks";
import type { PersonRequestView } from "../../../http/api/shapes.ts";
import { AskDialog } from "../../ask-dialog.tsx";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Code } from "../../words.tsx";

/** Acts that sessions wanted and only a person may do. */
export const PersonList = ({ wanted }: { wanted: readonly PersonRequestView[] }) => {
  const [answering, answer] = useState<PersonRequestView>();
  return (
    <Panel title="For a person" count={wanted.length}>
      <ul class="list scrolls">
        {wanted.slice(0, 50).map((one) => (
          <li key={one.id} class="waiter">
            <div class="list-row">
              <Actor id={one.actor} />
              <span class="list-detail">wants</span>
              <Ago at={one.at} />
              <button type="button" class="button is-small" onClick={() => answer(one)}>
                Answer…
              </button>
            </div>
            <p class="under">
              <Code text={one.line} />
            </p>
          </li>
        ))}
      </ul>
      {answering && <PersonDialog one={answering} close={() => answer(undefined)} />}
    </Panel>
  );
};

const PersonDialog = ({ one, close }: { one: PersonRequestView; close(): void }) => (
  <AskDialog
    title="Let this command pass once?"
    close={close}
    main={{ label: "Approve", steps: [["person-approve", { id: one.id }]] }}
    other={{ label: "Decline", steps: [["person-decline", { id: one.id }]] }}
    isHard
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
      Approved, the session may run exactly this command once, within an hour. The words are the
      session's own. It reads your answer with its next tool call.
    </p>
  </AskDialog>
);
