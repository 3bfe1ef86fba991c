/**
 * The last look at all claims. Several pages and every scroll of a long list ask for parts of the same
 * picture: it is read anew when something happened since, or when it is a moment old.
 */
import type { Clock } from "../../../base/clock.ts";
import type { ClaimOverview } from "../../../claims/index.ts";
import type { Headgate } from "../../../compose.ts";

export interface Picture extends ClaimOverview {
  readonly head: number;
  readonly atWallMs: number;
}

export class Overviews {
  readonly #headgate: Headgate;
  readonly #clock: Clock;
  #last: { readonly picture: Promise<Picture>; readonly monoMs: number } | undefined;

  constructor(headgate: Headgate, clock: Clock) {
    this.#headgate = headgate;
    this.#clock = clock;
  }

  get(): Promise<Picture> {
    const nowMs = this.#clock.monoMs();
    if (this.#last && nowMs - this.#last.monoMs < freshMs) return this.#last.picture;
    const picture = this.#look();
    this.#last = { picture, monoMs: nowMs };
    picture.catch(() => this.forget());
    return picture;
  }

  /** After a change of our own, which the next answer must show. */
  forget(): void {
    this.#last = undefined;
  }

  async #look(): Promise<Picture> {
    // The head first: what happens in between is then told again by the stream, never left out.
    const { head } = await this.#headgate.events.page({ last: 1 });
    const overview = await this.#headgate.claims.overview();
    return { ...overview, head, atWallMs: this.#clock.wallMs() };
  }
}

/** Shorter than the page waits between two questions. */
const freshMs = 250;
