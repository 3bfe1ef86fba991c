import type { Event, Scope, Store } from "../port.ts";

export interface FollowOptions {
  /** Where to go on: the seq of the last event seen; 0 starts at the oldest kept one. */
  readonly since?: number;
  readonly kind?: string;
  readonly signal: AbortSignal;
}

/** Every event after `since` in order, without gaps, then each new one as it comes, until aborted. */
export async function* followEvents(
  store: Store,
  scope: Scope,
  options: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  const { kind, signal } = options;
  let since = options.since ?? 0;
  while (!signal.aborted) {
    const page = await store.readEvents({ scope, since, ...(kind !== undefined && { kind }) });
    for (const event of page.events) {
      if (signal.aborted) return;
      yield event;
    }
    since = page.cursor;
    if (page.cursor >= page.head) await store.waitForEvents(scope, since, signal);
  }
}
