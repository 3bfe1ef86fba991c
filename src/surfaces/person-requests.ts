/** Acts that are a person's and that another wanted: shown by `status`, which loads nothing else for it, and the dashboard. */
import type { Headgate } from "../compose.ts";

export interface PersonRequest {
  /** Of the event that asked. */
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly what: string;
  readonly line: string;
}

/** Of the last day, each line once, without those that were answered or followed by what they ask for. */
export const personRequests = async (
  { events }: Pick<Headgate, "events">,
  nowMs: number,
): Promise<PersonRequest[]> => {
  const { events: asked } = await events.page({ kind: "person.needed", last: 50 });
  const { events: answers } = await events.page({ kind: "person.answered", last: 100 });
  const answered = new Set(answers.map(({ subject }) => subject));
  const open = new Map<string, PersonRequest>();
  for (const { id, at, actor, data, seq } of asked) {
    const [what, line] = [String(data["what"]), String(data["line"])];
    if (nowMs - Date.parse(at) > dayMs) continue;
    const done = endings[what];
    const last = done === undefined ? undefined : await events.page({ kind: done, last: 1 });
    const key = `${actor} ${line}`;
    if ((last?.events[0]?.seq ?? 0) > seq || answered.has(id)) open.delete(key);
    else open.set(key, { id, at, actor: actor ?? "", what, line });
  }
  return [...open.values()].toReversed();
};

const dayMs = 24 * 60 * 60 * 1000;

/** The event that says that it was done. */
const endings: Readonly<Record<string, string>> = {
  HEADGATE_BYPASS: "gate.bypassed",
  "transfer --force": "claim.transferred",
  "routing autonomy on": "routing.autonomy",
};
