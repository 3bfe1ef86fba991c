import type { ActorView } from "../../../http/api/shapes.ts";
import { Icon } from "../../icons.tsx";
import { Panel } from "../../parts.tsx";
import { Actor, Ago, Life, plural, visible } from "../../words.tsx";
import type { Letter } from "./notice-dialogs.tsx";

export const ActorList = (props: {
  actors: readonly ActorView[];
  total: number;
  chosen: string;
  choose(id: string): void;
  me: string;
  write(letter: Letter): void;
}) => (
  <Panel
    title="Actors"
    count={props.total}
    tools={
      props.actors.some((actor) => canRead(actor, props.me)) && (
        <button type="button" class="button is-small" onClick={() => props.write({ to: "all" })}>
          Write to all…
        </button>
      )
    }
  >
    {props.actors.length === 0 && (
      <p class="note">
        Nobody was here yet. Agents appear with their first edit; <code>headgate init</code>{" "}
        installs their hooks.
      </p>
    )}
    <ul class="list scrolls">
      {props.actors.slice(0, shownMax).map((actor) => (
        <li key={actor.id} class="actor-item">
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
          {canRead(actor, props.me) && (
            <button
              type="button"
              class="icon-button"
              aria-label={`Write to ${visible(actor.id)}`}
              title={`Write to ${visible(actor.id)}`}
              onClick={() => props.write({ to: actor.id })}
            >
              <Icon name="write" />
            </button>
          )}
        </li>
      ))}
    </ul>
  </Panel>
);

const shownMax = 100;

/** A message to a session that is gone would never be read. */
const canRead = ({ id, life }: ActorView, me: string): boolean =>
  id !== me && life.state !== "dead";

const doing = ({ claims, waiting }: ActorView): string => {
  const parts = [];
  if (claims > 0) parts.push(plural(claims, "claim"));
  if (waiting > 0) parts.push("waits");
  return parts.join(", ");
};
