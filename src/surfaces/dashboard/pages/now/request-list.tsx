import { useState } from "preact/hooks";
import type { RequestView } from "../../../http/api/shapes.ts";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Code, shortActor, visible } from "../../words.tsx";
import { AnswerDialog } from "./notice-dialogs.tsx";

/** Who asked whom to release what. A person may answer all of them but their own. */
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
                asks {request.holder === props.me ? "you" : visible(shortActor(request.holder))}
              </span>
              <Ago at={request.askedAt} />
              {request.asker !== props.me && (
                <button type="button" class="button is-small" onClick={() => answer(request)}>
                  Answer…
                </button>
              )}
            </div>
            <p class="under">
              for <Code text={request.target} />
              <span class="under-rest">
                {request.answer === "none" ? "open" : visible(request.answer)},{" "}
                <Ago at={request.deadline} until /> left
              </span>
            </p>
            {request.reason && <p class="under is-said">“{visible(request.reason)}”</p>}
            {request.note && <p class="under is-said">answer: “{visible(request.note)}”</p>}
          </li>
        ))}
      </ul>
      {answering && (
        <AnswerDialog request={answering} me={props.me} close={() => answer(undefined)} />
      )}
    </Panel>
  );
};
