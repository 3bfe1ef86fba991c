/** The counter "routed around": how many writes never passed the gate. */
import type { EventPages } from "./types.ts";

export interface RoutedAround {
  /** Tool uses that did. */
  readonly times: number;
  readonly files: number;
  /** When it was noticed last. */
  readonly lastAt?: string;
}

/** Over all events that are kept, from behind `since` on. */
export const countRoutedAround = async (events: EventPages, since = 0): Promise<RoutedAround> => {
  let times = 0;
  let files = 0;
  let lastAt: string | undefined;
  for (let cursor = since; ;) {
    const page = await events.page({ since: cursor, kind: "write.ungated", limit: 500 });
    for (const { data, at } of page.events) {
      const count = data["count"];
      times += 1;
      files += typeof count === "number" ? count : 1;
      lastAt = at;
    }
    if (page.cursor <= cursor || page.cursor >= page.head) break;
    cursor = page.cursor;
  }
  return { times, files, ...(lastAt !== undefined && { lastAt }) };
};
