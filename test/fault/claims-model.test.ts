import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { type Claims, FenceMark, openClaimsIn, parseActor } from "../../src/claims/index.ts";
import { openStore, type Scope, type Store, type StoreStep } from "../../src/store/index.ts";
import { freshDir, movableClock } from "../helpers/claims.ts";
import { describeOperation, perform } from "../helpers/claims-history.ts";
import {
  type Call,
  claimsModel,
  type ClaimsOperation,
  type ClaimsState,
  covers,
  type Held,
  isHeldBy,
  type Mode,
  type Outcome,
  overlaps,
  type TargetText,
  targetTexts,
} from "../helpers/claims-model.ts";
import { countRounds } from "../helpers/rounds.ts";
import { testSeed } from "../helpers/seed.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const actors = ["ann", "ann/sub", "bob", "cid"];
const second = 1000;
/** Far apart, so that what a run really takes decides nothing. */
const ttlsMs = [60 * second, 600 * second, 6000 * second];
const passesMs = [1 * second, 61 * second, 601 * second];

/** What the model knows. After a crash there may be several states until somebody looks. */
interface Known {
  states: readonly ClaimsState[];
  /** The last claims that were shown, ended ones too. */
  seen: readonly Held[];
  fences: Set<number>;
  trace: string[];
}

class Real {
  readonly #machine: Machine;
  readonly #scope: Scope;
  readonly #dir: string;
  passedMs = 0;

  constructor(machine: Machine, scope: Scope, dir: string) {
    this.#machine = machine;
    this.#scope = scope;
    this.#dir = dir;
  }

  claims(actor: string): Claims {
    const { store, clock } = this.#machine;
    const fences = new FenceMark({
      files: systemFiles,
      dir: this.#dir,
      store: store.location,
      isShared: store.capabilities.shared,
      bootId: ownIdentity().bootId,
    });
    const place = { store, scope: this.#scope, fences };
    return openClaimsIn(place, { clock, actor: { ...parseActor(actor), process: ownIdentity() } });
  }

  nowMs(): number {
    return this.#machine.wallMs() + this.passedMs;
  }

  /** Nobody releases anything: it is like the end of the process. */
  async crash(): Promise<void> {
    this.#machine.crashAt = undefined;
    await this.#machine.reopen();
  }

  /** Runs a call; with `crashAt` it dies at that step, if it comes there. */
  async run(call: Call, crashAt?: StoreStep): Promise<ClaimsOperation | "crashed"> {
    this.#machine.crashAt = crashAt;
    const from = this.nowMs();
    try {
      const outcome = await perform(this.claims(call.actor), call, -this.passedMs);
      if (outcome === "nothing") throw new Error("the store was busy without any other user");
      return { client: call.actor, call, outcome, from, to: this.nowMs() };
    } catch (error) {
      if (!this.#machine.isCrashed(error)) throw error;
      return "crashed";
    } finally {
      this.#machine.crashAt = undefined;
    }
  }

  async pass(ms: number): Promise<void> {
    await this.#machine.pass(ms, this.#scope);
    if (this.#machine.isServer) this.passedMs += ms;
  }
}

/** A store that can be reopened, whose time can be made to pass, and whose process can die. */
class Machine {
  readonly clock = movableClock();
  readonly isServer: boolean;
  crashAt: StoreStep | undefined;
  readonly #place: StorePlace;
  readonly #client: pg.Client | undefined;
  #store: Store | undefined;

  private constructor(place: StorePlace, client: pg.Client | undefined) {
    this.#place = place;
    this.#client = client;
    this.isServer = client !== undefined;
  }

  static async start(place: StorePlace): Promise<Machine> {
    const isServer = place.backend === "postgres";
    const client = isServer ? new pg.Client({ connectionString: place.address }) : undefined;
    await client?.connect();
    const machine = new Machine(place, client);
    onTestFinished(async () => {
      await machine.#store?.close();
      await client?.end();
    });
    await machine.reopen();
    return machine;
  }

  get store(): Store {
    return this.#store!;
  }

  wallMs(): number {
    return this.isServer ? systemClock.wallMs() : this.clock.wallMs();
  }

  async reopen(): Promise<void> {
    const { address, localDir } = this.#place;
    await this.#store?.close();
    this.#store = await openStore({
      address,
      localDir,
      ...(!this.isServer && { clock: this.clock }),
      onStep: (step) => {
        if (step === this.crashAt) throw crash;
      },
    });
  }

  isCrashed(error: unknown): boolean {
    return error === crash || (error as Error).cause === crash;
  }

  async pass(ms: number, { id }: Scope): Promise<void> {
    this.clock.forward(ms);
    const text = `UPDATE headgate.claims SET expires_at = expires_at - $1 WHERE scope_id = $2`;
    await this.#client?.query(text, [ms, id]);
  }
}

const crash = new Error("the process died here");

type Command = fc.AsyncCommand<Known, Real>;

/** One call: the outcome must be one the model allows, and so must what everybody then sees. */
class CallCommand implements Command {
  readonly #make: (known: Known) => Call | undefined;
  readonly #crashAt: StoreStep | undefined;
  #text = "(not run)";

  constructor(make: (known: Known) => Call | undefined, crashAt?: StoreStep) {
    this.#make = make;
    this.#crashAt = crashAt;
  }

  check(): boolean {
    return true;
  }

  async run(known: Known, real: Real): Promise<void> {
    const call = this.#make(known);
    if (call === undefined) return;
    const from = real.nowMs();
    const done = await real.run(call, this.#crashAt);
    if (done === "crashed") {
      this.#text = `${describeOperation({ client: "", call, outcome: undefined, from, to: from })} (crashed at ${this.#crashAt})`;
      known.trace.push(this.#text);
      await real.crash();
      const unanswered = { client: call.actor, call, outcome: undefined, from, to: real.nowMs() };
      const isDone = this.#crashAt === "after-commit";
      if (isDone) known.states = [...known.states, ...stepAll(known.states, unanswered)];
    } else {
      this.#text = describeOperation(done);
      judge(known, done);
    }
    await look(known, real);
  }

  toString(): string {
    return this.#text;
  }
}

class PassCommand implements Command {
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  check(): boolean {
    return true;
  }

  async run(known: Known, real: Real): Promise<void> {
    known.trace.push(this.toString());
    await real.pass(this.#ms);
    await look(known, real);
  }

  toString(): string {
    return `${this.#ms} ms pass`;
  }
}

class ReopenCommand implements Command {
  check(): boolean {
    return true;
  }

  async run(known: Known, real: Real): Promise<void> {
    known.trace.push("reopen");
    await real.crash();
    await look(known, real);
  }

  toString(): string {
    return "reopen";
  }
}

const slackMs = 50;
const model = claimsModel({ slackMs });
const stepAll = (states: readonly ClaimsState[], operation: ClaimsOperation): ClaimsState[] =>
  states.flatMap((state) => model.step(state, operation));

const judge = (known: Known, operation: ClaimsOperation): void => {
  known.trace.push(describeOperation(operation));
  const next = stepAll(known.states, operation);
  expect(next, `the model does not allow the last of\n${known.trace.join("\n")}\n`).not.toEqual([]);
  known.states = next;
  const { outcome } = operation;
  if (outcome?.kind !== "claims" || operation.call.kind === "release") return;
  // G2, apart from the model: what shows up for the first time is higher than everything before.
  const last = Math.max(0, ...known.fences);
  for (const { fence } of outcome.claims) {
    if (!known.fences.has(fence)) expect(fence, known.trace.join("\n")).toBeGreaterThan(last);
  }
  for (const { fence } of outcome.claims) known.fences.add(fence);
  const ids = new Set(outcome.claims.map(({ id }) => id));
  known.seen = [...known.seen.filter(({ id }) => !ids.has(id)), ...outcome.claims].slice(-12);
};

/** After every step: everybody's claims are those of the model (G5), and no two collide (G1). */
const look = async (known: Known, real: Real): Promise<void> => {
  const done = await real.run({ kind: "list", actor: "cid", whose: "all" });
  judge(known, done as ClaimsOperation);
  const { claims } = (done as ClaimsOperation).outcome as Outcome & { kind: "claims" };
  for (const [at, one] of claims.entries()) {
    for (const other of claims.slice(at + 1)) {
      const isTogether = isHeldBy(one, other.actor) || isHeldBy(other, one.actor);
      const isShared = one.mode === "shared" && other.mode === "shared";
      const isApart = isTogether || isShared || !overlaps(one.target, other.target);
      expect(isApart, `G1 ${known.trace.join("\n")}`).toBe(true);
    }
  }
};

const actor = fc.constantFrom(...actors);
const target = fc.constantFrom<TargetText>(...targetTexts);
const targets = fc.uniqueArray(target, { minLength: 1, maxLength: 3 });
const mode = fc.constantFrom<Mode>("exclusive", "shared");
const ttl = fc.constantFrom(...ttlsMs);
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const crashAt = rarely(fc.constantFrom<StoreStep>("before-begin", "before-commit", "after-commit"));
/** One of the last claims that were seen, and who acts on it: mostly its holder. */
const pick = fc.record({ index: fc.nat(), other: rarely(actor) });
type Pick = { readonly index: number; readonly other: string | undefined };

const onSeen =
  (
    { index, other }: Pick,
    make: (claim: Held, actor: string) => Call | undefined,
  ): ((known: Known) => Call | undefined) =>
  (known) => {
    const claim = known.seen[index % known.seen.length];
    return claim && make(claim, other ?? claim.actor);
  };

const commands = [
  fc
    .record({
      actor,
      targets,
      mode,
      ttlMs: ttl,
      partial: fc.boolean(),
      forSession: rarely(fc.constant(true)).map((is) => is === true),
      crashAt,
    })
    .map(
      ({ crashAt: at, ...wish }) =>
        new CallCommand(
          () => ({ kind: "claim", ...wish, forSession: wish.forSession === true }),
          at,
        ),
    ),
  fc.record({ pick, ttlMs: ttl, crashAt }).map(
    ({ pick: which, ttlMs, crashAt: at }) =>
      new CallCommand(
        onSeen(which, (claim, who) => ({ kind: "renew", actor: who, claim, ttlMs })),
        at,
      ),
  ),
  fc.record({ pick, crashAt }).map(
    ({ pick: which, crashAt: at }) =>
      new CallCommand(
        onSeen(which, (claim, who) => ({ kind: "release", actor: who, claim })),
        at,
      ),
  ),
  fc.record({ pick, targets, crashAt }).map(
    ({ pick: which, targets: wanted, crashAt: at }) =>
      new CallCommand(
        onSeen(which, (claim, who) => {
          const keep = wanted.filter((one) => covers(claim.target, one));
          return keep.length > 0 ? { kind: "narrow", actor: who, claim, keep } : undefined;
        }),
        at,
      ),
  ),
  fc.record({ pick, to: actor, crashAt }).map(
    ({ pick: which, to, crashAt: at }) =>
      new CallCommand(
        onSeen(which, (claim, who) =>
          who === to ? undefined : { kind: "transfer", actor: who, claim, to },
        ),
        at,
      ),
  ),
  fc
    .record({ pick, target, kind: fc.constantFrom<"verify" | "write">("verify", "write") })
    .map(
      ({ pick: which, target: wanted, kind }) =>
        new CallCommand(
          onSeen(which, ({ fence }, who) => ({ kind, actor: who, fence, targets: [wanted] })),
        ),
    ),
  fc
    .record({ actor, targets, mode })
    .map((question) => new CallCommand(() => ({ kind: "check", ...question }))),
  fc.constantFrom(...passesMs).map((ms) => new PassCommand(ms)),
  fc.constant(new ReopenCommand()),
];

describe.each(backends)("claims against a model on $name", ({ name, place: newPlace }) => {
  it(
    "G1 G2 G5 C-08 C-10 C-17 any calls, crashes and passing of time do what the model does",
    { timeout: 60 * 60_000 },
    async () => {
      const numRuns = countRounds(`runs against the model on ${name}`, 2000);
      const machine = await Machine.start(await newPlace());
      const dir = freshDir();
      let runs = 0;
      const property = fc.asyncProperty(
        fc.commands(commands, { maxCommands: 20, size: "max" }),
        async (list) => {
          runs += 1;
          const key = `run-${runs}`;
          const scope = await machine.store.scope({ key, name: key });
          const runDir = join(dir, key);
          mkdirSync(runDir);
          const known: Known = { states: [model.initial], seen: [], fences: new Set(), trace: [] };
          const setup = () => ({ model: known, real: new Real(machine, scope, runDir) });
          await fc.asyncModelRun(setup, list);
        },
      );
      // What a failure prints names the seed.
      await fc.assert(property, { numRuns, seed: testSeed, endOnFailure: false });
      expect(runs).toBeGreaterThanOrEqual(numRuns);
    },
  );
});
