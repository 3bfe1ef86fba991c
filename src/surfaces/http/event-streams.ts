import { type Clock, systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { EventLog } from "../../compose-events.ts";
import { HeadgateError } from "../../errors.ts";
import type { Event } from "../../store/index.ts";
import { errorAnswer } from "./error-answer.ts";

/**
 * Server-sent events. Every stream reads the log by its own cursor when its reader has room, so a slow
 * reader costs a connection and nothing else; one that stops reading is dropped by the idle timeout.
 */
export interface EventStreams {
  open(options: {
    readonly since: number | undefined;
    readonly kind: string | undefined;
  }): Response;
  readonly count: number;
  close(): void;
}

export const createEventStreams = (events: EventLog, clock: Clock = systemClock): EventStreams => {
  const open = new Set<AbortController>();
  return {
    get count() {
      return open.size;
    },
    open: ({ since, kind }) => {
      if (open.size >= limits.httpStreamsMax) {
        const message = `${open.size} event streams are open, which is the limit`;
        return errorAnswer(new HeadgateError("HTTP_STREAMS_FULL", message));
      }
      const ending = new AbortController();
      open.add(ending);
      ending.signal.addEventListener("abort", () => open.delete(ending));
      const source = events.follow({
        signal: ending.signal,
        ...(since === undefined ? {} : { since }),
        ...(kind === undefined ? {} : { kind }),
      });
      return new Response(textStream(source, ending, clock), {
        headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
      });
    },
    close: () => {
      for (const ending of open) ending.abort();
    },
  };
};

const textStream = (
  source: AsyncIterable<Event>,
  ending: AbortController,
  clock: Clock,
): ReadableStream<Uint8Array> => {
  const events = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<Event>> | undefined;
  return new ReadableStream({
    // The first bytes go out at once: the reader knows it is connected, and how soon to come back.
    start: (controller) => controller.enqueue(encoder.encode("retry: 1000\n\n")),
    pull: async (controller) => {
      try {
        next ??= events.next();
        const result = await orBeat(next, clock);
        if (result === undefined) controller.enqueue(encoder.encode(":\n\n"));
        else if (result.done) {
          ending.abort();
          controller.close();
        } else {
          next = undefined;
          controller.enqueue(encoder.encode(eventText(result.value)));
        }
      } catch (error) {
        ending.abort();
        throw error;
      }
    },
    cancel: () => ending.abort(),
  });
};

/** Undefined when nothing came for so long that the reader must be shown a sign of life. */
const orBeat = async <T>(next: Promise<T>, clock: Clock): Promise<T | undefined> => {
  const beat = new AbortController();
  const sleeping = clock.sleep(limits.httpStreamHeartbeatMs, beat.signal);
  try {
    return await Promise.race([next, sleeping.then(() => undefined)]);
  } finally {
    beat.abort();
  }
};

/** JSON escapes line breaks, so an event is always one `data` line. */
const eventText = (event: Event): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
