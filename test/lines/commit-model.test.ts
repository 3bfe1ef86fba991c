import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIdSource } from "../../src/base/ids.ts";
import { parseActor } from "../../src/claims/index.ts";
import {
  currentLines,
  type FileRecord,
  type LineEdit,
  openLines,
  partLines,
  toBytes,
  toLines,
  withGround,
} from "../../src/lines/index.ts";
import { movableClock } from "../helpers/claims.ts";
import { countRounds } from "../helpers/rounds.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

/**
 * Sessions write into the same files, commit, give up, are killed and pause, in any order. Every line that is
 * written names its author, so that whose a line is is known without the product.
 */
const [sqlite = backends[0]!] = backends;
const idleMs = 5 * 60_000;
const paths = ["a", "b"] as const;
type Path = (typeof paths)[number];

interface Work {
  readonly path: Path;
  readonly kind: "insert" | "replace" | "delete" | "remove";
  /** Where, as a share of the file. */
  readonly at: number;
  readonly length: number;
}

type Step =
  | { readonly kind: "write"; readonly who: number; readonly work: Work }
  | { readonly kind: "given up"; readonly who: number; readonly work: Work }
  /** Written, but nothing was told after it. */
  | { readonly kind: "killed"; readonly who: number; readonly work: Work }
  /** Asked now, written when the next step is over. */
  | { readonly kind: "slow"; readonly who: number; readonly work: Work }
  | { readonly kind: "commit"; readonly who: number }
  | { readonly kind: "unseen commit"; readonly who: number }
  | { readonly kind: "pause"; readonly minutes: number }
  | { readonly kind: "end"; readonly who: number };

const who = fc.nat({ max: 3 });
const work: fc.Arbitrary<Work> = fc.record({
  path: fc.constantFrom(...paths),
  kind: fc.constantFrom("insert", "insert", "replace", "replace", "delete", "remove"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 3 }),
});
const writing = (kind: "write" | "given up" | "killed" | "slow") =>
  fc.record({ kind: fc.constant(kind), who, work });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: writing("write") },
  { weight: 1, arbitrary: writing("given up") },
  { weight: 1, arbitrary: writing("killed") },
  { weight: 3, arbitrary: writing("slow") },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("commit" as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unseen commit" as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("pause" as const),
      minutes: fc.integer({ min: 1, max: 7 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("end" as const), who }) },
);

const session = (number: number): string => `claude:s${number}`;
/** The author that a line names; empty: it was there before. */
const authorIn = (text: string): string => /^(claude:s\d+) /.exec(text)?.[1] ?? "";

/** A work in the file as it was when it was asked for. */
interface Made {
  readonly path: Path;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** The line above, and the lines that go. */
  readonly above: string | undefined;
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

const openModel = async () => {
  const place = await sqlite.migratedPlace();
  const clock = movableClock();
  const { store, scope } = await openScope(place, { clock });
  const text = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);
  const start = paths.map(
    (path) => [path, toBytes(text.map((line) => `${path} ${line}`))] as const,
  );
  const tree = new Map<string, Buffer>(start);
  const head = new Map<string, Buffer>(start);
  /** Who took a line away. */
  const takers = new Map<string, string>();
  const lines = openLines({
    open: async () => ({ store, scope }),
    look: async () => ({ store, scope }),
    worktree: "/model",
    newId: createIdSource(),
    read: (path) => tree.get(path),
    idleMs,
  });
  let count = 0;
  const use = () => `use-${(count += 1)}`;
  const acting = (who: string) => ({ actor: parseActor(who), kind: "edit" }) as const;

  const make = (who: string, { path, kind, at, length }: Work): Made => {
    const before = tree.get(path);
    const now = toLines(before ?? Buffer.alloc(0));
    const from = Math.floor(at * (now.length + 0.999));
    const to = kind === "insert" ? from : Math.min(now.length, from + length);
    const isRemoved = kind === "remove" && before !== undefined;
    const isCut = kind === "delete" || kind === "remove";
    const added = isCut && before ? [] : Array.from({ length }, () => `${who} ${(count += 1)}\n`);
    return {
      ...{ path, before, added, above: isRemoved ? undefined : now[from - 1] },
      gone: isRemoved ? now : now.slice(from, to),
      after: isRemoved ? undefined : toBytes([...now.slice(0, from), ...added, ...now.slice(to)]),
    };
  };

  /** As a tool does it that replaces text: where it is not found, nothing is written. */
  const carryOut = (who: string, made: Made): boolean => {
    const { path, before, after, above, gone, added } = made;
    const now = tree.get(path);
    if (after === undefined || before === undefined || now === undefined) {
      if (now?.toString() !== before?.toString()) return false;
      if (after) tree.set(path, after);
      else tree.delete(path);
    } else {
      const old = toLines(now);
      const from = above === undefined ? 0 : old.indexOf(above) + 1;
      const isFound = gone.every((text, at) => old[from + at] === text);
      if (!isFound || (above !== undefined && from === 0)) return false;
      tree.set(path, toBytes([...old.slice(0, from), ...added, ...old.slice(from + gone.length)]));
    }
    for (const text of gone) takers.set(text, who);
    return true;
  };

  /** Answers what ends the write later, or undefined while it has to wait. */
  const ask = async (who: string, work: Work) => {
    const made = make(who, work);
    const { path, before, after } = made;
    const by = { ...acting(who), use: use() };
    const answer = await lines.ask([{ path, before, after, isEdit: true }], by);
    if (!answer.ok) return undefined;
    let isDone = false;
    return {
      carryOut: () => void (isDone = carryOut(who, made)),
      tell: () => lines.note([path], { ...by, hasFailed: !isDone }),
    };
  };

  const sets =
    (who: string) =>
    ({ weave }: FileRecord): Set<string>[] => {
      const own = weave.edits.filter((edit) => edit.session === who);
      const none = weave.edits.filter(({ kind }) => kind === "unknown");
      const ids = (edits: readonly LineEdit[]) => edits.map(({ id }) => id);
      return [
        withGround(weave, ids(own)),
        withGround(weave, ids([...own, ...none])),
        new Set(ids(weave.edits)),
      ];
    };

  /** Whose every line is, as far as the product says it at all. */
  const checkAuthors = async () => {
    for (const [path, { weave }] of await lines.records((await lines.noted()).keys())) {
      const authors = new Map(weave.edits.map(({ id, session: by }) => [id, by]));
      for (const { text, by, gone } of weave.rows) {
        const [writer, taker] = [by && authors.get(by), gone && authors.get(gone)];
        if (writer) expect([path, text, writer]).toEqual([path, text, authorIn(text)]);
        if (taker) expect([path, text, taker]).toEqual([path, text, takers.get(text)]);
      }
    }
  };

  const commit = async (who: string, isSeen: boolean) => {
    const all = new Map(paths.map((path) => [path as string, head.get(path)]));
    const records = await lines.refresh(all);
    const present = await lines.presence();
    const isAlone = ![...present].some(([name, { state }]) => name !== who && state === "here");
    const made = new Map<string, Buffer | undefined>();
    for (const [path, { weave }] of records) {
      expect(currentLines(weave)?.join("")).toBe(tree.get(path)?.toString());
      const own = weave.edits.filter(({ session: by, kind }) =>
        kind === "unknown" ? isAlone : by === who,
      );
      if (own.length === 0) continue;
      const edits = withGround(
        weave,
        own.map(({ id }) => id),
      );
      const part = partLines(weave, edits);
      const taken = weave.edits.filter(({ id }) => edits.has(id));
      const named = new Set([who, ...taken.map(({ session: by }) => by)]);
      const none = new Set(taken.flatMap(({ id, kind }) => (kind === "unknown" ? [id] : [])));
      const isNobodys = (text: string, side: "by" | "gone"): boolean =>
        weave.rows.some((row) => row.text === text && none.has(row[side] ?? ""));
      const old = toLines(head.get(path) ?? Buffer.alloc(0));
      for (const text of part ?? []) {
        if (!old.includes(text) && !isNobodys(text, "by")) expect(named).toContain(authorIn(text));
      }
      for (const text of old) {
        const isTaken = !part?.includes(text) && !isNobodys(text, "gone");
        if (isTaken) expect(named).toContain(takers.get(text));
      }
      made.set(path, part && toBytes(part));
    }
    for (const [path, content] of made) {
      if (content) head.set(path, content);
      else head.delete(path);
    }
    if (isSeen) await lines.committed(made, sets(who));
    return made.size;
  };

  return { tree, head, lines, clock, acting, ask, commit, checkAuthors };
};

/** Found once: two sessions may take the same line away, and nothing tells which of them did. */
const oneLine: Work = { path: "a", kind: "delete", at: 0.5, length: 1 };
const bothAllowed: Step[] = [
  { kind: "given up", who: 0, work: oneLine },
  { kind: "end", who: 0 },
  { kind: "killed", who: 1, work: oneLine },
  { kind: "write", who: 0, work: { path: "a", kind: "insert", at: 0, length: 1 } },
  { kind: "commit", who: 0 },
  { kind: "commit", who: 0 },
];

/** Found once: the file is gone when the tool that was to remove it comes to it. */
const removal: Work = { path: "a", kind: "remove", at: 0, length: 1 };
const otherFirst: Step[] = [
  { kind: "write", who: 0, work: { path: "b", kind: "insert", at: 0, length: 1 } },
  { kind: "write", who: 2, work: { ...removal, path: "b" } },
  { kind: "slow", who: 2, work: removal },
  { kind: "killed", who: 0, work: removal },
  { kind: "commit", who: 0 },
];

describe("N-03 every schedule ends with all work committed", () => {
  const rounds = countRounds("schedules of edits and commits", 500);

  test(
    "and no commit holds a line whose author it does not name",
    { timeout: 1_200_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const model = await openModel();
          const waiting = new Map<string, Work[]>();
          const commitWaits = new Set<string>();
          let slow: (() => Promise<void>) | undefined;
          const write = async (
            who: string,
            work: Work,
            how: "write" | "given up" | "killed" | "slow",
          ) => {
            const asked = await model.ask(who, work);
            if (!asked) {
              waiting.set(who, [...(waiting.get(who) ?? []), work]);
              return false;
            }
            const end = async () => {
              asked.carryOut();
              if (how !== "killed") await asked.tell();
            };
            if (how === "slow") slow = end;
            else if (how !== "given up") await end();
            return true;
          };
          const commit = async (who: string, isSeen = true) => {
            // Once it waits for the lines it was written onto; after that they go along.
            const by = model.acting(who);
            const isFirst = !commitWaits.has(who);
            if ((await model.lines.ground(by, isFirst)).length > 0 && isFirst) {
              commitWaits.add(who);
              return;
            }
            commitWaits.delete(who);
            await model.commit(who, isSeen);
          };
          for (const one of steps) {
            const late = slow;
            slow = undefined;
            if (one.kind === "pause") model.clock.forward(one.minutes * 60_000);
            else {
              const who = session(one.who);
              if (one.kind === "commit") await commit(who);
              else if (one.kind === "unseen commit") await commit(who, false);
              else if (one.kind === "end")
                await model.lines.heard(model.acting(who), { isEnd: true });
              else await write(who, one.work, one.kind);
            }
            await late?.();
            await model.checkAuthors();
          }
          await slow?.();
          // Everybody goes on with what waited, and commits; nobody is asked to do anything else.
          for (let round = 0; round < 8; round += 1) {
            // A write that was given up is waited for, for so long.
            model.clock.forward(60_000);
            for (const who of [0, 1, 2, 3].map(session)) {
              const left = waiting.get(who) ?? [];
              waiting.delete(who);
              for (const work of left) await write(who, work, "write");
              await commit(who);
              await model.checkAuthors();
            }
          }
          expect([...waiting.values()].flat()).toEqual([]);
          for (const who of [1, 2, 3].map(session)) {
            await model.lines.heard(model.acting(who), { isEnd: true });
          }
          await model.commit(session(0), true);
          expect(model.head).toEqual(model.tree);
          const left = [...(await model.lines.noted()).values()];
          expect(left.flatMap(({ edits }) => edits)).toEqual([]);
        }),
        { numRuns: rounds, examples: [[bothAllowed], [otherFirst]] },
      );
    },
  );
});
