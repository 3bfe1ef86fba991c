import { limits } from "../../base/limits.ts";
import type { StoreContext } from "../store-context.ts";
import type { Connections } from "./connections.ts";

/**
 * Wakes those who wait for a scope's events or a notice of their own, by LISTEN on its own connection.
 * That may be lost, or a pooler may swallow the messages; every wait therefore ends by itself after a while.
 */
export class Listener {
  readonly #connections: Connections;
  readonly #context: StoreContext;
  readonly #waiting = new Map<string, Set<AbortController>>();
  readonly #closed = new AbortController();
  #running: Promise<void> | undefined;

  constructor(connections: Connections, context: StoreContext) {
    this.#connections = connections;
    this.#context = context;
  }

  /** A wake for the topic (a scope, a waiter) from now on; wait with `sleep`, give it up with `stop`. */
  watch(topic: string): { sleep(signal: AbortSignal): Promise<void>; stop(): void } {
    this.#running ??= this.#run();
    const wake = new AbortController();
    const group = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, group.add(wake));
    return {
      sleep: (signal) =>
        this.#context.clock.sleep(
          limits.eventFallbackPollMs,
          AbortSignal.any([signal, wake.signal, this.#closed.signal]),
        ),
      stop: () => {
        group.delete(wake);
        if (group.size === 0 && this.#waiting.get(topic) === group) this.#waiting.delete(topic);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const closed = this.#closed.signal;
    while (!closed.aborted) {
      await this.#listen();
      // Nobody is told: followers look by themselves meanwhile.
      await this.#context.clock.sleep(limits.eventFallbackPollMs, closed);
    }
  }

  /** Returns when the connection is gone, or could not be made. */
  async #listen(): Promise<void> {
    const client = this.#connections.listeningClient();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    client.on("error", () => end());
    client.on("end", () => end());
    client.on("notification", ({ payload = "" }) => this.#wake(payload.split(" ")[0] ?? ""));
    const closed = this.#closed.signal;
    const stop = () => end();
    closed.addEventListener("abort", stop);
    try {
      await client.connect();
      await client.query("LISTEN headgate_events");
      // Something may have come between the follower's look and this moment.
      for (const topic of [...this.#waiting.keys()]) this.#wake(topic);
      if (!closed.aborted) await ended;
    } catch {
      // The fallback covers it, and the next round tries again.
    } finally {
      closed.removeEventListener("abort", stop);
      await client.end().catch(() => {});
    }
  }

  #wake(topic: string): void {
    for (const wake of this.#waiting.get(topic) ?? []) wake.abort();
  }
}
