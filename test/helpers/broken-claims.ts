/**
 * Claims in memory, under a simulated clock and scheduler, with one defect or none: proof that the
 * checker of histories finds what it is there for. Written apart from the model on purpose.
 */
import { RandomClient, randomNumbers } from "./claims-history.ts";
import {
  type Blocking,
  type Call,
  type ClaimsOperation,
  covers,
  type Held,
  type Mode,
  type Outcome,
  overlaps,
} from "./claims-model.ts";

export const defects = [
  /** Looks, and inserts later without looking again: no write transaction. */
  "check-then-insert",
  /** The last fence is kept in memory only. */
  "fence-reused-after-restart",
  /** A write is let through whoever holds the target by now. */
  "no-fence-check",
  /** Each client decides by its own clock whether a claim is over. */
  "expiry-by-client-clock",
  /** Only equal texts are taken for an overlap. */
  "equal-texts-only",
  /** An ended claim can be renewed. */
  "renew-revives",
  /** A claim is released whoever asks. */
  "anyone-releases",
  /** What was granted last before a crash is forgotten. */
  "grant-not-durable",
  /** A refused call keeps what it got before it met the conflict. */
  "not-all-or-nothing",
  /** Somebody else's shared claim does not stop an exclusive one. */
  "shared-ignored",
  /** The receiver goes on under the giver's fence. */
  "fence-kept-on-transfer",
  /** A transfer looks at the receiver's other claims, not at what the giver keeps. */
  "transfer-past-the-giver",
  /** Narrowing forgets to give up the rest. */
  "narrow-changes-nothing",
] as const;
export type Defect = (typeof defects)[number];

export interface Simulation {
  readonly seed: number;
  readonly defect?: Defect;
  readonly operations: number;
}

const ttlsMs = [300, 900, 2500];

/** The history of eight clients; some are stopped for a while, some are killed. */
export const simulateHistory = ({
  seed,
  defect,
  operations,
}: Simulation): {
  readonly history: readonly ClaimsOperation[];
  readonly diedAt: (actor: string) => number | undefined;
} => {
  const random = randomNumbers(seed);
  const memory = new Memory(defect);
  const history: ClaimsOperation[] = [];
  const deaths = new Map<string, number>();
  let nowMs = 1000;
  let count = 0;
  const newClient = (place: number): Running => {
    count += 1;
    const client = new RandomClient(`client-${count}`, random, ttlsMs);
    // Half a second is more than any operation takes, and less than most claims live.
    return { client, skewMs: place % 2 === 0 ? 0 : 500, wakesAt: 0, call: undefined };
  };
  const running = Array.from({ length: 8 }, (_, place) => newClient(place));
  const actors = () => running.map(({ client }) => client.actor);

  const note = ({ client, call }: Running, outcome: Outcome | undefined): void => {
    if (call === undefined) return;
    const { call: asked, from } = call;
    history.push({ client: client.actor, call: asked, outcome, from, to: nowMs });
    client.learn(asked, outcome);
  };
  while (history.length < operations) {
    nowMs += random() * 8;
    const place = Math.floor(random() * running.length);
    const one = running[place]!;
    if (one.wakesAt > nowMs) continue;
    const dice = random();
    if (dice < 0.002) memory.restart();
    if (dice > 0.997) one.wakesAt = nowMs + 200 + random() * 3000;
    else if (dice > 0.994) {
      deaths.set(one.client.actor, nowMs);
      note(one, undefined);
      running[place] = newClient(place);
    } else if (one.call === undefined) {
      const call = one.client.next(actors().filter((actor) => actor !== one.client.actor));
      one.call = { call, from: nowMs, work: memory.perform(call) };
    } else {
      const step = one.call.work.next({ storeMs: nowMs, clientMs: nowMs + one.skewMs });
      if (!step.done) continue;
      note(one, step.value);
      one.call = undefined;
    }
  }
  for (const one of running) note(one, undefined);
  return { history, diedAt: (actor) => deaths.get(actor) };
};

interface Running {
  readonly client: RandomClient;
  readonly skewMs: number;
  wakesAt: number;
  call: { readonly call: Call; readonly from: number; readonly work: Work } | undefined;
}

interface Now {
  readonly storeMs: number;
  readonly clientMs: number;
}

/** Each `yield` is a moment at which others may come in between; the first and the last are the way there and back. */
type Work = Generator<void, Outcome, Now>;

class Memory {
  readonly #defect: Defect | undefined;
  #claims: Held[] = [];
  #ended: Held[] = [];
  #fence = 0;
  #count = 0;

  constructor(defect: Defect | undefined) {
    this.#defect = defect;
  }

  restart(): void {
    if (this.#defect === "fence-reused-after-restart") {
      this.#fence = Math.max(0, ...this.#claims.map(({ fence }) => fence)) - 1;
    }
    if (this.#defect === "grant-not-durable") this.#claims.pop();
  }

  *perform(call: Call): Work {
    const now = yield;
    const outcome = yield* this.#transaction(call, now);
    yield;
    return outcome;
  }

  *#transaction(call: Call, now: Now): Work {
    const timeMs = this.#defect === "expiry-by-client-clock" ? now.clientMs : now.storeMs;
    this.#ended.push(...this.#claims.filter(({ ends }) => ends <= timeMs));
    this.#claims = this.#claims.filter(({ ends }) => ends > timeMs);
    switch (call.kind) {
      case "claim":
        return yield* this.#claim(call, timeMs);
      case "check": {
        const { actor, targets, mode } = call;
        return { kind: "blocked", blockers: shown(this.#inTheWay(actor, targets, mode)) };
      }
      case "verify":
      case "write":
        return { kind: "verified", ok: this.#mayWrite(call) };
      case "list":
        return granted(this.#claims.filter(({ actor }) => actor === call.actor));
    }
    return this.#change(call, timeMs);
  }

  *#claim(call: Call & { kind: "claim" }, timeMs: number): Work {
    const { actor, targets, mode, partial, ttlMs } = call;
    const wishes = targets.map((target) => {
      const own = this.#claims.filter((one) => one.actor === actor);
      const same = own.find((one) => one.target === target);
      const enough = own.find(
        (one) => covers(one.target, target) && (one.mode === "exclusive" || mode === "shared"),
      );
      const before = same?.mode === mode || mode === "shared" ? (same ?? enough) : enough;
      const blockers = before ? [] : this.#inTheWay(actor, [target], mode);
      return { target, before: before ?? same, blockers };
    });
    const refused = wishes.filter(({ blockers }) => blockers.length > 0);
    const isRefused = refused.length > 0 && (!partial || refused.length === wishes.length);
    const isLeaky = this.#defect === "not-all-or-nothing";
    if (isRefused && !isLeaky) return { kind: "blocked", blockers: blocking(refused) };
    if (this.#defect === "check-then-insert") yield;
    const claims: Held[] = [];
    for (const { target, before, blockers } of wishes) {
      if (blockers.length > 0) continue;
      const covering = claims.find((one) => covers(one.target, target));
      const current = before && this.#claims.find(({ id }) => id === before.id);
      if (covering) claims.push(covering);
      else if (current) claims.push(this.#again(current, { targets, mode, ttlMs, timeMs }));
      else claims.push(this.#insert({ actor, target, mode, ends: timeMs + ttlMs }));
    }
    if (isRefused) return { kind: "blocked", blockers: blocking(refused) };
    const told = refused.map(({ target, blockers }) => ({ target, blockers: shown(blockers) }));
    return { kind: "claims", claims, refused: told };
  }

  #again(
    before: Held,
    asked: {
      readonly targets: readonly string[];
      readonly mode: Mode;
      readonly ttlMs: number;
      readonly timeMs: number;
    },
  ): Held {
    const isItself = asked.targets.includes(before.target);
    const isRaised = isItself && before.mode === "shared" && asked.mode === "exclusive";
    const ends = Math.max(before.ends, asked.timeMs + asked.ttlMs);
    return this.#put(before, {
      ...before,
      ends,
      ...(isItself && { mode: asked.mode }),
      ...(isRaised && { fence: this.#nextFence() }),
    });
  }

  #insert(claim: Pick<Held, "actor" | "target" | "mode" | "ends">): Held {
    this.#count += 1;
    const held = { ...claim, id: `c${this.#count}`, fence: this.#nextFence(), forSession: false };
    this.#claims.push(held);
    return held;
  }

  #change(
    call: Call & { kind: "renew" | "release" | "narrow" | "transfer" },
    timeMs: number,
  ): Outcome {
    const isReviving = this.#defect === "renew-revives" && call.kind === "renew";
    const known = isReviving ? [...this.#claims, ...this.#ended] : this.#claims;
    const held = known.find(({ id }) => id === call.claim.id);
    if (!held && call.kind === "release") return granted([]);
    if (!held) return { kind: "refused", code: "CLAIM_UNKNOWN" };
    const isAnyone = this.#defect === "anyone-releases" && call.kind === "release";
    if (held.actor !== call.actor && !isAnyone) return { kind: "refused", code: "CLAIM_NOT_HELD" };
    switch (call.kind) {
      case "renew":
        return granted([
          this.#put(held, { ...held, ends: Math.max(held.ends, timeMs + call.ttlMs) }),
        ]);
      case "release":
        this.#claims = this.#claims.filter((one) => one !== held);
        return granted([held]);
      case "narrow": {
        const parts = call.keep.map((target, at) => {
          this.#count += 1;
          return { ...held, target, id: at === 0 ? held.id : `c${this.#count}` };
        });
        if (this.#defect !== "narrow-changes-nothing") {
          this.#claims = [...this.#claims.filter((one) => one !== held), ...parts];
        }
        return granted(parts);
      }
      case "transfer": {
        const inTheWay = this.#claims.filter(
          (one) =>
            one !== held &&
            overlaps(one.target, held.target) &&
            (one.actor === call.to ||
              (this.#defect !== "transfer-past-the-giver" &&
                (one.mode === "exclusive" || held.mode === "exclusive"))),
        );
        if (inTheWay.length > 0) return { kind: "blocked", blockers: shown(inTheWay) };
        const fence = this.#defect === "fence-kept-on-transfer" ? held.fence : this.#nextFence();
        return granted([this.#put(held, { ...held, actor: call.to, fence })]);
      }
    }
  }

  #put(before: Held, after: Held): Held {
    this.#claims = [...this.#claims.filter(({ id }) => id !== before.id), after];
    return after;
  }

  #mayWrite({ actor, fence, targets }: Call & { kind: "verify" | "write" }): boolean {
    if (this.#defect === "no-fence-check") return true;
    return this.#claims.some(
      (one) =>
        one.actor === actor &&
        one.fence === fence &&
        one.mode === "exclusive" &&
        targets.every((target) => covers(one.target, target)),
    );
  }

  #inTheWay(actor: string, targets: readonly string[], mode: Mode): Held[] {
    const isMet =
      this.#defect === "equal-texts-only" ? (a: string, b: string) => a === b : overlaps;
    return this.#claims.filter(
      (one) =>
        one.actor !== actor &&
        (one.mode === "exclusive" || (mode === "exclusive" && this.#defect !== "shared-ignored")) &&
        targets.some((target) => isMet(one.target, target)),
    );
  }

  #nextFence(): number {
    this.#fence += 1;
    return this.#fence;
  }
}

const granted = (claims: readonly Held[]): Outcome => ({ kind: "claims", claims, refused: [] });

const shown = (claims: readonly Held[]): Blocking[] =>
  claims.map(({ id, actor, target, mode }) => ({ id, actor, target, mode }));

const blocking = (refused: readonly { readonly blockers: readonly Held[] }[]): Blocking[] =>
  shown([...new Set(refused.flatMap(({ blockers }) => blockers))]);
