/**
 * The last look at who is here and what is claimed. Several pages and every scroll of a long list ask for parts of
 * the same picture: it is read anew when it is a moment old. The claims themselves may be many, so they are read
 * only when one of them has changed or ended.
 */
import type { Clock } from "../../../base/clock.ts";
import type { Claim, ClaimOverview } from "../../../claims/index.ts";
import type { Headgate } from "../../../compose.ts";

export interface Picture extends ClaimOverview {
  readonly head: number;
  readonly atWallMs: number;
}

interface SeenClaims {
  readonly claims: readonly Claim[];
  /** The newest event of a claim that they contain. */
  readonly seq: number;
  /** When the first of them ends by itself. */
  readonly untilMs: number;
}

export class Overviews {
  readonly #headgate: Headgate;
  readonly #clock: Clock;
  #claims: Promise<SeenClaims | undefined> = Promise.resolve(undefined);
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

  /** The same list as before, while no claim has changed. */
  async claims(): Promise<readonly Claim[]> {
    const claims = this.#lookAtClaims(this.#claims);
    this.#claims = claims.catch(() => undefined);
    return (await claims).claims;
  }

  async #lookAtClaims(last: Promise<SeenClaims | undefined>): Promise<SeenClaims> {
    const { events } = await this.#headgate.events.page({
      kind: "claim.*",
      last: 1,
    });
    const seq = events[0]?.seq ?? 0;
    const known = await last;
    if (known && known.seq >= seq && this.#clock.wallMs() < known.untilMs) return known;
    const { claims } = await this.#headgate.claims.all();
    const untilMs = claims.reduce(
      (first, { expiresAt }) => Math.min(first, Date.parse(expiresAt)),
      Number.POSITIVE_INFINITY,
    );
    return { claims, seq, untilMs };
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
