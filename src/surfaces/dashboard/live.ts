/**
 * The stream of events, read with fetch because EventSource cannot send a header. It goes on where it
 * ended; what the page shows is asked for anew when something happened, at most a few times a second.
 */
import { after, every, pause } from "./browser.ts";
import { CallError, openStream } from "./call.ts";

export interface LiveEvent {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Connection = "connecting" | "live" | "offline";

export class Live {
  connection: Connection = "connecting";
  /** Counts up whenever what is shown may be old. */
  tick = 0;
  #since: number | undefined;
  #isDue = false;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: LiveEvent) => void>();

  start(): void {
    void this.#follow();
    // Claims run out and processes die without any event.
    const stop = every(refreshMs, () => this.refresh());
    this.#ending.signal.addEventListener("abort", stop);
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Where the first picture ended; only the first call counts. */
  beginAt(head: number): void {
    this.#since ??= head;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  refresh(): void {
    this.tick += 1;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #become(connection: Connection): void {
    if (this.connection === connection) return;
    const isBack = connection === "live" && this.connection === "offline";
    this.connection = connection;
    if (isBack) this.refresh();
    else this.#tell();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      if (this.#since === undefined) {
        await pause(50);
        continue;
      }
      try {
        await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CallError && error.status === 401) return;
        // A log that is another one now, or was pruned: from its end on.
        if (error instanceof CallError && error.code.startsWith("CURSOR_")) this.#since = undefined;
      }
      if (this.#since === undefined) continue;
      this.#become("offline");
      await pause(retryMs);
      // Whoever has not got its first picture yet asks again.
      if (this.connection === "offline") this.refresh();
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const answer = await openStream(`/api/events/stream?since=${this.#since}`, signal);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    this.#become("live");
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return;
    const event = JSON.parse(data) as LiveEvent;
    this.#since = event.seq;
    for (const listener of this.#eventListeners) listener(event);
    if (this.#isDue) return;
    this.#isDue = true;
    after(gatherMs, () => {
      this.#isDue = false;
      this.refresh();
    });
  }
}

const retryMs = 1000;
const refreshMs = 15_000;
/** Events come in bursts; one question answers all of them. */
const gatherMs = 300;
