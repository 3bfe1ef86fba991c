/**
 * Decides whether a history of overlapping calls can be put into one order that a sequential model
 * accepts (Wing and Gong's search). What is remembered of a dead end is the set of calls already placed
 * and the model's state; that is exact but for the set's 64-bit hash, and a collision there could only
 * turn "linearizable" into "illegal", never the other way round.
 */
export interface Operation<Call, Outcome> {
  readonly client: string;
  readonly call: Call;
  /** Undefined when nobody knows what became of it: it may have happened, even later, or never. */
  readonly outcome: Outcome | undefined;
  /** When it was asked and when it was answered, in milliseconds of one monotonic clock. */
  readonly from: number;
  /** With an unknown outcome: the last moment at which it may still happen, Infinity if there is none. */
  readonly to: number;
}

export interface SequentialModel<State, Op> {
  readonly initial: State;
  /** Every state that may follow when the operation happens now; none: it cannot happen now. */
  step(state: State, operation: Op): readonly State[];
  /** Equal for equal states only. */
  key(state: State): string;
  /** False when `other` goes the same way whether or not the unanswered operation came before it. */
  mayMatterTo?(unanswered: Op, other: Op): boolean;
}

export type Verdict<Op> =
  | { readonly kind: "linearizable"; readonly order: readonly Op[]; readonly steps: number }
  | {
      /** Undecided when the cap was reached: nothing is proven, so a test must fail. */
      readonly kind: "illegal" | "undecided";
      /** How many operations the longest order has, the last of them, and what could not come next. */
      readonly placed: number;
      readonly last: readonly Op[];
      readonly stuck: readonly Op[];
      readonly steps: number;
    };

/**
 * Tries first with each unanswered operation placed only where something else needs it, or at the last
 * moment it has, and those that matter to nothing left out. That finds an order where there is one in
 * all but strange cases; only when it finds none, everything is tried.
 */
export const checkLinearizability = <State, Op extends Operation<unknown, unknown>>(
  history: readonly Op[],
  model: SequentialModel<State, Op>,
  { stepsMax = 2_000_000 }: { readonly stepsMax?: number } = {},
): Verdict<Op> => {
  const quick = searchOrder(history, model, { stepsMax, isLazy: true });
  const hasUnknown = history.some(({ outcome }) => outcome === undefined);
  if (quick.kind !== "illegal" || !hasUnknown) return quick;
  const whole = searchOrder(history, model, { stepsMax, isLazy: false });
  return whole.kind === "linearizable" ? whole : { ...quick, kind: whole.kind, steps: whole.steps };
};

const searchOrder = <State, Op extends Operation<unknown, unknown>>(
  history: readonly Op[],
  model: SequentialModel<State, Op>,
  { stepsMax, isLazy }: { readonly stepsMax: number; readonly isLazy: boolean },
): Verdict<Op> => {
  const search = new Search(history, isLazy ? model.mayMatterTo : undefined);
  const isDeadEnd = new Set<string>();
  const frames: Frame<State>[] = [search.frame(model.initial)];
  let farthest = { placed: 0, last: [] as readonly number[], stuck: frames[0]!.all };
  let steps = 0;
  const failure = (kind: "illegal" | "undecided"): Verdict<Op> => {
    const named = (places: readonly number[]) => places.map((at) => search.operations[at]!);
    const { placed, last, stuck } = farthest;
    return { kind, placed, last: named(last), stuck: named(stuck), steps };
  };
  for (;;) {
    if (search.isComplete) return { kind: "linearizable", order: search.placed(), steps };
    const frame = frames.at(-1)!;
    const next = frame.following.pop();
    if (next !== undefined) {
      const only = isLazy ? search.whatMustFollow(frame) : undefined;
      search.place(frame.candidate);
      const key = `${search.hash} ${model.key(next)} ${only?.join() ?? ""}`;
      if (isDeadEnd.has(key)) {
        search.unplace();
        continue;
      }
      isDeadEnd.add(key);
      const deeper = search.frame(next, only);
      frames.push(deeper);
      const placed = search.order.length;
      if (placed > farthest.placed) {
        farthest = { placed, last: search.order.slice(-12), stuck: deeper.all };
      }
      continue;
    }
    const candidate = frame.candidates.pop();
    if (candidate === undefined) {
      frames.pop();
      if (frames.length === 0) return failure("illegal");
      search.unplace();
      continue;
    }
    if (isLazy && search.isInVain(frame, candidate)) continue;
    if (steps === stepsMax) return failure("undecided");
    steps += 1;
    frame.candidate = candidate;
    frame.following.push(...model.step(frame.state, search.operations[candidate]!));
    if (frame.following.length === 0) frame.impossible.push(candidate);
  }
};

interface Frame<State> {
  readonly state: State;
  /** All operations that may come next by their times. */
  readonly all: readonly number[];
  /** Operations still to be tried here, the most promising last, unknown ones first. */
  readonly candidates: number[];
  candidate: number;
  readonly following: State[];
  /** Candidates that cannot come here. */
  readonly impossible: number[];
  /** When the latest of all candidates with an answer was asked. */
  readonly latestAsked: number;
}

class Search<Op extends Operation<unknown, unknown>> {
  readonly operations: readonly Op[];
  readonly order: number[] = [];
  readonly #mayMatterTo: (unanswered: Op, other: Op) => boolean;
  /** What is not placed yet, as a ring through the one behind the last. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #marks: BigUint64Array;
  #hash = 0n;
  /** For each placed operation the latest moment at which it or one before it was asked. */
  readonly #latest: number[] = [];
  #open: number;

  constructor(
    history: readonly Op[],
    mayMatterTo: (unanswered: Op, other: Op) => boolean = () => true,
  ) {
    this.#mayMatterTo = mayMatterTo;
    this.operations = history
      .filter(
        (one) => one.outcome !== undefined || history.some((other) => mayMatterTo(one, other)),
      )
      .toSorted((a, b) => a.from - b.from);
    const { length } = this.operations;
    this.#next = Int32Array.from({ length: length + 1 }, (_, at) => (at + 1) % (length + 1));
    this.#previous = Int32Array.from(
      { length: length + 1 },
      (_, at) => (at + length) % (length + 1),
    );
    this.#marks = new BigUint64Array(length);
    let mark = 0x9e3779b97f4a7c15n;
    for (let at = 0; at < length; at += 1) {
      // xorshift64: all that is wanted of the marks is that they are spread out.
      mark ^= BigInt.asUintN(64, mark << 13n);
      mark ^= mark >> 7n;
      mark ^= BigInt.asUintN(64, mark << 17n);
      this.#marks[at] = mark;
    }
    this.#open = history.filter((operation) => operation.outcome !== undefined).length;
  }

  get isComplete(): boolean {
    return this.#open === 0;
  }

  get hash(): bigint {
    return this.#hash;
  }

  frame<State>(state: State, only?: readonly number[]): Frame<State> {
    const all = this.#candidates();
    const candidates = all.filter((at) => !only || only.includes(at) || this.#isUnknown(at));
    let latestAsked = -Infinity;
    for (const at of all) {
      if (!this.#isUnknown(at)) latestAsked = Math.max(latestAsked, this.operations[at]!.from);
    }
    return { state, all, candidates, candidate: -1, following: [], impossible: [], latestAsked };
  }

  /** An unknown operation that nothing needs yet, and that can still come later. */
  isInVain(frame: Frame<unknown>, at: number): boolean {
    if (!this.#isUnknown(at) || this.#isLastChance(frame, at)) return false;
    return this.#enabledBy(frame, at).length === 0;
  }

  /** Behind an unknown operation that could have come later: what was impossible without it. */
  whatMustFollow(frame: Frame<unknown>): readonly number[] | undefined {
    const { candidate } = frame;
    if (!this.#isUnknown(candidate) || this.#isLastChance(frame, candidate)) return undefined;
    return this.#enabledBy(frame, candidate);
  }

  /** What could not come before and perhaps can behind that unanswered operation. */
  #enabledBy({ impossible }: Frame<unknown>, unanswered: number): number[] {
    const operation = this.operations[unanswered]!;
    return impossible.filter(
      (at) => !this.#isUnknown(at) && this.#mayMatterTo(operation, this.operations[at]!),
    );
  }

  #isUnknown(at: number): boolean {
    return this.operations[at]!.outcome === undefined;
  }

  #isLastChance({ latestAsked }: Frame<unknown>, at: number): boolean {
    return latestAsked > this.operations[at]!.to;
  }

  placed(): Op[] {
    return this.order.map((at) => this.operations[at]!);
  }

  place(at: number): void {
    this.order.push(at);
    this.#latest.push(Math.max(this.#latest.at(-1) ?? -Infinity, this.operations[at]!.from));
    this.#next[this.#previous[at]!] = this.#next[at]!;
    this.#previous[this.#next[at]!] = this.#previous[at]!;
    this.#toggle(at, -1);
  }

  unplace(): void {
    const at = this.order.pop()!;
    this.#latest.pop();
    this.#next[this.#previous[at]!] = at;
    this.#previous[this.#next[at]!] = at;
    this.#toggle(at, 1);
  }

  /** What may come next: whatever was asked before the first open answer was given. */
  #candidates(): number[] {
    const { operations } = this;
    const latest = this.#latest.at(-1) ?? -Infinity;
    let firstAnswer = Infinity;
    const found: number[] = [];
    const end = operations.length;
    for (let at = this.#next[end]!; at !== end; at = this.#next[at]!) {
      const { from, to, outcome } = operations[at]!;
      if (from > firstAnswer) break;
      if (outcome !== undefined) firstAnswer = Math.min(firstAnswer, to);
      else if (to < latest) continue;
      found.push(at);
    }
    // The earliest answer is tried first; what nobody knows of only when nothing else fits.
    const urgency = (at: number): number => (this.#isUnknown(at) ? Infinity : operations[at]!.to);
    return found
      .filter((at) => operations[at]!.from <= firstAnswer)
      .toSorted((a, b) => (urgency(b) > urgency(a) ? 1 : urgency(b) < urgency(a) ? -1 : b - a));
  }

  #toggle(at: number, more: 1 | -1): void {
    this.#hash ^= this.#marks[at]!;
    if (!this.#isUnknown(at)) this.#open += more;
  }
}

/**
 * The history in parts that cannot influence each other: two operations belong together when they share
 * a key or keys that are related, directly or over others.
 */
export const splitByKeys = <Op>(
  history: readonly Op[],
  keysOf: (operation: Op) => readonly string[],
  isRelated: (a: string, b: string) => boolean,
): Op[][] => {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    while (parents.get(root) !== root) root = parents.get(root)!;
    return root;
  };
  const join = (a: string, b: string): unknown => parents.set(rootOf(a), rootOf(b));
  for (const operation of history) {
    const keys = keysOf(operation);
    for (const key of keys) {
      if (parents.has(key)) continue;
      parents.set(key, key);
      for (const other of parents.keys()) if (isRelated(key, other)) join(key, other);
    }
    for (const key of keys) join(key, keys[0]!);
  }
  const parts = new Map<string, Op[]>();
  for (const operation of history) {
    const root = rootOf(keysOf(operation)[0]!);
    if (!parts.has(root)) parts.set(root, []);
    parts.get(root)!.push(operation);
  }
  return [...parts.values()];
};
