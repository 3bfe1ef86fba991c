/** Others' words and times, shown so that they cannot pretend to be something else. */
import { useEffect, useState } from "preact/hooks";
import type { LifeState } from "../http/api/shapes.ts";
import { every, nowMs } from "./browser.ts";

/** Control characters and those that reorder text become visible. */
export const visible = (text: string): string =>
  text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => {
      if (char === "\n") return "⏎";
      if (char === "\t") return "⇥";
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    },
  );

export const Code = ({ text, title }: { text: string; title?: string }) => (
  <code class="code" title={title ?? visible(text)}>
    <bdi>{visible(text)}</bdi>
  </code>
);

/** Words between backticks are code, as people write it; nothing else in the text means anything. */
export const Marked = (props: { text: string; show?(text: string): string }) => {
  const { text, show = visible } = props;
  return (
    <>
      {text
        .split(/`([^`\n]+)`/)
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{show(part)}</code> : show(part),
        )}
    </>
  );
};

/** The same actor has the same mark everywhere. */
export const ActorMark = ({ id }: { id: string }) => (
  <span class="actor-mark" style={{ "--hue": String(hueOf(id)) }} aria-hidden="true">
    {markLetters(id)}
  </span>
);

export const Actor = ({ id }: { id: string }) => (
  <span class="actor" title={visible(id)}>
    <ActorMark id={visible(id)} />
    <bdi class="actor-name">{visible(shortActor(id))}</bdi>
  </span>
);

/** Session ids are long; their start and the sub-agent tell them apart. */
export const shortActor = (id: string): string => {
  const [session = "", agent] = id.split("/", 2);
  const short = /^[a-z]+:[0-9a-f-]{20,}$/.test(session) ? `${session.slice(0, 16)}…` : session;
  return agent === undefined ? short : `${short}/${agent}`;
};

/** The client's first letter and the session's last one: sessions of one client differ at their ends. */
const markLetters = (id: string): string => {
  const [client = "", session = ""] = (id.split("/")[0] ?? id).split(":", 2);
  return session === "" ? client.slice(0, 2) : `${client.slice(0, 1)}${session.slice(-1)}`;
};

/** Names that differ in their last character only are far apart on the circle. */
const hueOf = (id: string): number => {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (Math.imul(hash, 0x9e3779b1) >>> 0) % 360;
};

export const lifeWords: Readonly<Record<LifeState, string>> = {
  alive: "alive",
  stale: "silent",
  dead: "gone",
  unknown: "not sure",
};

export const Life = ({ state, evidence }: { state: LifeState; evidence?: readonly string[] }) => (
  <span class={`life life-${state}`} title={evidence?.join("; ") ?? lifeWords[state]}>
    <span class="life-dot" aria-hidden="true" />
    <span class="life-word">{lifeWords[state]}</span>
  </span>
);

export const clock = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { hour12: false });

export const dateAndTime = (at: string): string =>
  new Date(at).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "medium",
    hour12: false,
  });

export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
};

/** How long ago, or how long still; it moves on by itself. */
export const Ago = ({ at, until = false }: { at: string; until?: boolean }) => {
  const [, setCount] = useState(0);
  useEffect(() => every(5000, () => setCount((count) => count + 1)), []);
  const ms = Date.parse(at) - nowMs();
  const words = until ? (ms > 0 ? span(ms) : "now") : ms > -1500 ? "now" : `${span(-ms)} ago`;
  return (
    <time dateTime={at} title={dateAndTime(at)} class="time">
      {words}
    </time>
  );
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
