/**
 * What goes on after a call was answered: one review at a time, as it costs money and reads the whole change. It ends
 * with the server; what was answered by then is kept, and the review can be resumed.
 */
import { HeadgateError } from "../../errors.ts";

export interface BackgroundReview {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  id?: string;
}

export class Background {
  #current: BackgroundReview | undefined;

  /** The review that runs now. */
  get running(): string | undefined {
    return this.#current?.id;
  }

  /**
   * Starts `work` and answers the review's id as soon as it has one; undefined when there is nothing to review.
   * Throws REVIEW_RUNNING while another runs, and what `work` throws before it has an id.
   */
  async start(
    work: (signal: AbortSignal, began: (id: string) => void) => Promise<void>,
  ): Promise<string | undefined> {
    if (this.#current) {
      const { id = "another" } = this.#current;
      const message = `review ${id} runs in this server; wait for it (review_status)`;
      throw new HeadgateError("REVIEW_RUNNING", message, { data: { review: id } });
    }
    const stop = new AbortController();
    const begun = Promise.withResolvers<string | undefined>();
    const run = work(stop.signal, (id) => {
      current.id = id;
      begun.resolve(id);
    });
    const ended = run
      .then(() => begun.resolve(undefined), begun.reject)
      .finally(() => {
        this.#current = undefined;
      });
    const current: BackgroundReview = { stop, ended };
    this.#current = current;
    return begun.promise;
  }

  /** Interrupts what runs and waits until that is written down. */
  async close(): Promise<void> {
    this.#current?.stop.abort();
    await this.#current?.ended;
  }
}
