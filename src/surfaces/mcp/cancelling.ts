/**
 * Cancelling over HTTP in the older revision: the wish comes as a request of its own, to a server object
 * that knows nothing of the call. Request numbers of several clients are alike, so a call is known by its
 * caller and its number; who has no name cannot be told from others and cannot cancel.
 */
export class Cancelling {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** Runs `work` with a signal that `cancel` aborts. */
  async during<T>(
    call: { readonly actor: string; readonly id: string | number },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(call);
    const controller = new AbortController();
    const same = this.#calls.get(key) ?? new Set();
    this.#calls.set(key, same.add(controller));
    try {
      return await work(controller.signal);
    } finally {
      same.delete(controller);
      if (same.size === 0) this.#calls.delete(key);
    }
  }

  cancel(call: { readonly actor: string; readonly id: string | number }): void {
    for (const controller of this.#calls.get(keyOf(call)) ?? []) controller.abort();
  }
}

const keyOf = ({ actor, id }: { readonly actor: string; readonly id: string | number }): string =>
  JSON.stringify([actor, id]);
