/**
 * Which answers the shim has handed on to its client. An answer that carries notices has a name, and the shim makes a file of that
 * name once it has printed the answer. Without the file the notices count as not delivered: the hook was killed,
 * or its client is gone (N-04).
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { systemFiles } from "../../base/files.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { removeFile } from "../../base/open-file.ts";
import type { HookAnswer } from "./types.ts";

type Settle = NonNullable<HookAnswer["settle"]>;

export class Receipts {
  readonly #folder: string;
  readonly #clock: Pick<Clock, "monoMs" | "sleep">;
  readonly #expected = new Map<string, { readonly settle: Settle; readonly monoMs: number }>();
  readonly #ended = new AbortController();

  constructor(folder: string, clock: Pick<Clock, "monoMs" | "sleep">) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The name that goes with the answer. */
  expect(settle: Settle): string {
    const name = newId("receipt");
    this.#expected.set(name, { settle, monoMs: this.#clock.monoMs() });
    return name;
  }

  /** Once the answer was sent. The next call of any hook looks as well. */
  async follow(name: string): Promise<void> {
    for (const ms of looksMs) {
      if (!this.#expected.has(name) || this.#ended.signal.aborted) return;
      await this.#clock.sleep(ms, this.#ended.signal).catch(() => {});
      await this.look();
    }
  }

  /** Never throws. */
  async look(): Promise<void> {
    const now = this.#clock.monoMs();
    for (const [name, { settle, monoMs }] of this.#expected) {
      const file = join(this.#folder, name);
      const isThere = systemFiles.stat(file) !== undefined;
      if (!isThere && now - monoMs < limits.noticeTakenMs) continue;
      this.#expected.delete(name);
      try {
        if (isThere) removeFile(systemFiles, file);
      } catch {
        // It is counted all the same; the server that starts next takes it away.
      }
      await settle(isThere);
    }
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.look();
  }
}

/** Most shims end at once; a machine under load takes its time. */
const looksMs = [20, 200, 2_000, 20_000];
