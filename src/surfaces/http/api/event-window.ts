/** A part of the event log, however long the log is. */
import { limits } from "../../../base/limits.ts";
import type { EventLog } from "../../../compose-events.ts";
import type { Event } from "../../../store/index.ts";

/** Looked through at once where few events are of the wanted kind. */
export const windowSize = 20_000;

export const logBounds = async (log: EventLog): Promise<{ oldest: number; head: number }> => {
  const { events, head } = await log.page({ since: 0, limit: 1 });
  return { oldest: events[0]?.seq ?? head + 1, head };
};

/** Of this kind, in order; those after `since` and before `end`. */
export const eventsIn = async (
  log: EventLog,
  kind: string,
  { since, end }: { readonly since: number; readonly end: number },
): Promise<Event[]> => {
  const found: Event[] = [];
  for (let cursor = since; cursor < end - 1;) {
    const page = await log.page({ since: cursor, kind, limit: limits.eventPageMax });
    found.push(...page.events.filter(({ seq }) => seq < end));
    if (page.cursor <= cursor) break;
    ({ cursor } = page);
  }
  return found;
};
