import type { WaiterView } from "../../../http/api/shapes.ts";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Code } from "../../words.tsx";

export const WaiterList = (props: { waiters: readonly WaiterView[]; total: number }) => (
  <Panel title="Waiting" count={props.total}>
    {props.waiters.length === 0 && (
      <p class="note">Nobody waits. Who wants what somebody else holds queues here.</p>
    )}
    <ol class="list scrolls">
      {props.waiters.slice(0, 50).map((waiter) => (
        <li key={waiter.id} class="waiter">
          <div class="list-row">
            <span class="position">{waiter.position}</span>
            <Actor id={waiter.actor} />
            <span class="list-detail" />
            <Ago at={waiter.queuedAt} />
          </div>
          <p class="under">
            for{" "}
            {waiter.targets.slice(0, 3).map((target) => (
              <Code key={target} text={target} />
            ))}
            {waiter.targets.length > 3 && ` and ${waiter.targets.length - 3} more`}
            {waiter.blockedBy?.[0] && (
              <>
                behind <Actor id={waiter.blockedBy[0].actor} />
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  </Panel>
);
