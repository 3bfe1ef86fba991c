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
}

export type Verdict<Op> =
  | { readonly kind: "linearizable"; readonly order: readonly Op[]; readonly steps: number }
  | {
      readonly kind: "illegal";
      /** The longest order found, and the operations of which none can come next. */
      readonly longest: readonly Op[];
      readonly stuck: readonly Op[];
      readonly steps: number;
    }
  /** The cap was reached. Nothing is proven, so a test must fail. */
  | { readonly kind: "undecided"; readonly steps: number };

export const checkLinearizability = <State, Op extends Operation<unknown, unknown>>(
  history: readonly Op[],
  model: SequentialModel<State, Op>,
  { stepsMax = 5_000_000 }: { readonly stepsMax?: number } = {},
): Verdict<Op> => {
  const search = new Search(history);
  const isDeadEnd = new Set<string>();
  const frames: Frame<State>[] = [search.frame(model.initial)];
  let longest: readonly number[] = [];
  let stuck: readonly number[] = search.candidates();
  let steps = 0;
  for (;;) {
    if (search.isComplete) return { kind: "linearizable", order: search.placed(), steps };
    const frame = frames.at(-1)!;
    const next = frame.following.pop();
    if (next !== undefined) {
      search.place(frame.candidate);
      const key = `${search.hash} ${model.key(next)}`;
      if (isDeadEnd.has(key)) {
        search.unplace();
        continue;
      }
      isDeadEnd.add(key);
      frames.push(search.frame(next));
      if (search.order.length > longest.length) {
        longest = [...search.order];
        stuck = search.candidates();
      }
      continue;
    }
    const candidate = frame.candidates.pop();
    if (candidate !== undefined) {
      if (steps === stepsMax) return { kind: "undecided", steps };
      steps += 1;
      frame.candidate = candidate;
      frame.following.push(...model.step(frame.state, search.operations[candidate]!));
      continue;
    }
    frames.pop();
    if (frames.length === 0) {
      const named = (places: readonly number[]) => places.map((at) => search.operations[at]!);
      return { kind: "illegal", longest: named(longest), stuck: named(stuck), steps };
    }
    search.unplace();
  }
};

interface Frame<State> {
  readonly state: State;
  /** Operations still to be tried here, the most promising last. */
  readonly candidates: number[];
  candidate: number;
  readonly following: State[];
}

class Search<Op extends Operation<unknown, unknown>> {
  readonly operations: readonly Op[];
  readonly order: number[] = [];
  readonly #isPlaced: Uint8Array;
  readonly #marks: BigUint64Array;
  #hash = 0n;
  /** For each placed operation the latest moment at which it or one before it was asked. */
  readonly #latest: number[] = [];
  /** Everything before it is placed. */
  #first = 0;
  #open: number;

  constructor(history: readonly Op[]) {
    this.operations = history.toSorted((a, b) => a.from - b.from);
    this.#isPlaced = new Uint8Array(history.length);
    this.#marks = new BigUint64Array(history.length);
    let mark = 0x9e3779b97f4a7c15n;
    for (let at = 0; at < history.length; at += 1) {
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

  frame<State>(state: State): Frame<State> {
    return { state, candidates: this.candidates(), candidate: -1, following: [] };
  }

  placed(): Op[] {
    return this.order.map((at) => this.operations[at]!);
  }

  place(at: number): void {
    this.order.push(at);
    this.#latest.push(Math.max(this.#latest.at(-1) ?? -Infinity, this.operations[at]!.from));
    this.#toggle(at, 1);
    while (this.#isPlaced[this.#first] === 1) this.#first += 1;
  }

  unplace(): void {
    const at = this.order.pop()!;
    this.#latest.pop();
    this.#toggle(at, 0);
    this.#first = Math.min(this.#first, at);
  }

  /** What may come next: whatever was asked before the first open answer was given. */
  candidates(): number[] {
    const { operations } = this;
    const latest = this.#latest.at(-1) ?? -Infinity;
    let firstAnswer = Infinity;
    const found: number[] = [];
    for (let at = this.#first; at < operations.length; at += 1) {
      const { from, to, outcome } = operations[at]!;
      if (from > firstAnswer) break;
      if (this.#isPlaced[at] === 1) continue;
      if (outcome !== undefined) firstAnswer = Math.min(firstAnswer, to);
      else if (to < latest) continue;
      found.push(at);
    }
    // The earliest answer is tried first; what nobody knows of only when nothing else fits.
    const urgency = (at: number): number =>
      operations[at]!.outcome === undefined ? Infinity : operations[at]!.to;
    return found
      .filter((at) => operations[at]!.from <= firstAnswer)
      .toSorted((a, b) => (urgency(b) > urgency(a) ? 1 : urgency(b) < urgency(a) ? -1 : b - a));
  }

  #toggle(at: number, placed: 0 | 1): void {
    this.#isPlaced[at] = placed;
    this.#hash ^= this.#marks[at]!;
    if (this.operations[at]!.outcome !== undefined) this.#open += placed === 1 ? -1 : 1;
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
