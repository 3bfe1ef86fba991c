import type { ActorView } from "../../../http/api/shapes.ts";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Life, plural } from "../../words.tsx";

export const ActorList = (props: {
  actors: readonly ActorView[];
  total: number;
  chosen: string;
  choose(id: string): void;
}) => (
  <Panel title="Actors" count={props.total}>
    {props.actors.length === 0 && (
      <p class="note">
        Nobody was here yet. Agents appear with their first edit; <code>headgate init</code>{" "}
        installs their hooks.
      </p>
    )}
    <ul class="list scrolls">
      {props.actors.slice(0, shownMax).map((actor) => (
        <li key={actor.id}>
          <button
            type="button"
            class="list-row"
            aria-pressed={actor.id === props.chosen}
            title="Show only what this actor holds"
            onClick={() => props.choose(actor.id)}
          >
            <Actor id={actor.id} />
            <span class="list-detail">{doing(actor)}</span>
            <Ago at={actor.lastSeen} />
            <Life state={actor.life.state} evidence={actor.life.evidence} />
          </button>
        </li>
      ))}
    </ul>
  </Panel>
);

const shownMax = 100;

const doing = ({ claims, waiting }: ActorView): string => {
  const parts = [];
  if (claims > 0) parts.push(plural(claims, "claim"));
  if (waiting > 0) parts.push("waits");
  return parts.join(", ");
};
