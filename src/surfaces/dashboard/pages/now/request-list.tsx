import { useState } from "preact/hooks";
import type { RequestView } from "../../../http/api/shapes.ts";
import { Dialog } from "../../dialog.tsx";
import { Panel, Problem } from "../../parts.tsx";
import { useAction } from "../../use-action.ts";
import { Actor, Ago, Code, visible } from "../../words.tsx";

/** Who asked whom to release what; what the dashboard's user was asked can be answered. */
export const RequestList = (props: { requests: readonly RequestView[]; me: string }) => {
  const [answering, answer] = useState<RequestView>();
  return (
    <Panel title="Asked for" count={props.requests.length}>
      <ul class="list scrolls">
        {props.requests.slice(0, 50).map((request) => (
          <li key={request.id} class="waiter">
            <div class="list-row">
              <Actor id={request.asker} />
              <span class="list-detail">
                asks {request.holder === props.me ? "you" : visible(request.holder)}
              </span>
              <Ago at={request.deadline} until />
              {request.holder === props.me && (
                <button type="button" class="button is-small" onClick={() => answer(request)}>
                  Answer…
                </button>
              )}
            </div>
            <p class="under">
              for <Code text={request.target} />
              {request.answer !== "none" && ` · ${request.answer}`}
            </p>
            {request.reason && <p class="under">“{visible(request.reason)}”</p>}
          </li>
        ))}
      </ul>
      {answering && <AnswerDialog request={answering} close={() => answer(undefined)} />}
    </Panel>
  );
};

const AnswerDialog = ({ request, close }: { request: RequestView; close(): void }) => {
  const { act, error, isBusy } = useAction(close);
  const give = (answer: object): void => void act(["answer", { request: request.id, answer }]);
  return (
    <Dialog title="Answer the request?" close={close}>
      <dl class="facts">
        <dt>Target</dt>
        <dd>
          <Code text={request.target} />
        </dd>
        <dt>Asked by</dt>
        <dd>
          <Actor id={request.asker} />
        </dd>
      </dl>
      {error && <Problem error={error} />}
      <div class="dialog-actions">
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => give({ kind: "defer", forMs: 10 * 60_000, note: "" })}
        >
          In 10 minutes
        </button>
        <button
          type="button"
          class="button is-main"
          disabled={isBusy}
          onClick={() => give({ kind: "release" })}
        >
          Release it
        </button>
      </div>
    </Dialog>
  );
};
