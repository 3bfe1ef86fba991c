/** Two writers and one file: what one did must not be lost, and what does not collide must pass. */
import { fit } from "../profiles/index.ts";
import type { Member, Problem } from "../types.ts";
import {
  type Bench,
  callables,
  insertAt,
  lastOf,
  type Maker,
  pickClass,
  toAttempt,
} from "./make.ts";

const line = ({ profile }: Bench, one: Member, words: string): string =>
  `${one.indent}${profile.unit}${profile.comment} ${words}\n`;

const withBody = (bench: Bench): Member[] =>
  callables(bench).filter((one) => one.body !== undefined && one.body < one.to);

const mergedAs =
  (wanted: string) =>
  (verdict: { files: readonly { merged?: string | Uint8Array }[] }): Problem | undefined => {
    const merged = verdict.files[0]?.merged;
    const text = merged === undefined ? undefined : Buffer.from(merged).toString();
    return text === wanted
      ? undefined
      : { what: "merge", message: text === undefined ? "nothing was merged" : "merged wrongly" };
  };

const disjoint: Maker = (bench) => {
  const { source, random } = bench;
  const [one, other] = random.shuffle(withBody(bench));
  if (!one || !other || (one.from < other.to && other.from < one.to)) return undefined;
  if (Math.abs(one.body! - other.body!) < 3) return undefined;
  const ours = insertAt(source.text, one.body!, line(bench, one, "ours"));
  const theirs = insertAt(source.text, other.body!, line(bench, other, "theirs"));
  const [late, early] = one.body! > other.body! ? [one, other] : [other, one];
  const both = insertAt(
    insertAt(source.text, late.body!, line(bench, late, late === one ? "ours" : "theirs")),
    early.body!,
    line(bench, early, early === one ? "ours" : "theirs"),
  );
  return toAttempt(bench, {
    group: "stale",
    kind: "different symbols merge",
    expect: "pass",
    after: ours,
    before: source.bytes,
    now: Buffer.from(theirs),
    result: Buffer.from(both),
    excerpt: `${one.name} and ${other.name}`,
    check: mergedAs(both),
  });
};

const same: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(withBody(bench));
  if (!one) return undefined;
  const ours = insertAt(source.text, one.body!, line(bench, one, "ours"));
  const theirs = insertAt(source.text, one.body!, line(bench, one, "theirs"));
  return toAttempt(bench, {
    group: "stale",
    kind: "same symbol",
    expect: "refuse",
    codes: ["STALE_VIEW"],
    after: ours,
    before: source.bytes,
    now: Buffer.from(theirs),
    result: false,
    excerpt: one.name,
  });
};

/** Both changed one function, in lines far from each other: a line merge would let it through. */
const sameFarApart: Maker = (bench) => {
  const { source, random } = bench;
  // A function inside is a symbol of its own, which the other one may change.
  const one = random.pick(
    withBody(bench).filter(
      ({ body, to }) =>
        to - body! > 400 &&
        !/\b(?:def|class|function|fn|func|struct|interface|get|set)\b|=>|\{ *\|/.test(
          source.text.slice(body, to),
        ),
    ),
  );
  if (!one) return undefined;
  const last = source.text.lastIndexOf("\n", one.to - 1) + 1;
  const ours = insertAt(source.text, one.body!, line(bench, one, "ours"));
  const theirs = insertAt(source.text, last, line(bench, one, "theirs"));
  return toAttempt(bench, {
    group: "stale",
    kind: "same symbol, other lines",
    expect: "refuse",
    codes: ["STALE_VIEW", "SYNTAX_ERROR"],
    after: ours,
    before: source.bytes,
    now: Buffer.from(theirs),
    result: false,
    excerpt: one.name,
  });
};

/** One removed what the other changed. */
const removed: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(withBody(bench));
  if (!one) return undefined;
  const theirs = source.text.slice(0, one.from) + source.text.slice(one.to + 1);
  return toAttempt(bench, {
    group: "stale",
    kind: "changed what is gone",
    expect: "refuse",
    codes: ["STALE_VIEW"],
    after: insertAt(source.text, one.body!, line(bench, one, "ours")),
    before: source.bytes,
    now: Buffer.from(theirs),
    result: false,
    excerpt: one.name,
  });
};

/** Both added the same name in different places: merged it would stand twice. */
const sameNew: Maker = (bench) => {
  const { source, profile } = bench;
  const holder = pickClass(bench, ({ members }) => members.length > 2);
  if (!holder || !profile.member) return undefined;
  const name = bench.fresh();
  const [first, last] = [holder.members[0]!, lastOf(holder)!];
  const code = (indent: string): string =>
    `\n\n${fit(profile.member!(name), indent, profile.unit)}`;
  return toAttempt(bench, {
    group: "stale",
    kind: "both added one name",
    expect: "refuse",
    codes: ["STALE_VIEW", "DUPLICATE_SYMBOL"],
    after: insertAt(source.text, first.to, code(first.indent).replace("return", "return ")),
    before: source.bytes,
    now: Buffer.from(insertAt(source.text, last.to, code(last.indent))),
    result: false,
    excerpt: name,
  });
};

/** Ten writers add ten members to one class: none waits, none is lost. */
const bothAdd: Maker = (bench) => {
  const { source, profile } = bench;
  const holder = pickClass(bench, ({ members }) => members.length > 0);
  const last = holder && lastOf(holder);
  if (!last || !profile.member) return undefined;
  const [ours, theirs] = [bench.fresh(), bench.fresh()].map((name) =>
    fit(profile.member!(name), last.indent, profile.unit),
  ) as [string, string];
  const both = `\n\n${theirs}\n\n${ours}`;
  return toAttempt(bench, {
    group: "stale",
    kind: "both add to one place",
    expect: "pass",
    after: insertAt(source.text, last.to, `\n\n${ours}`),
    before: source.bytes,
    now: Buffer.from(insertAt(source.text, last.to, `\n\n${theirs}`)),
    result: Buffer.from(insertAt(source.text, last.to, both)),
    excerpt: both,
    check: ({ files }) => {
      const text = Buffer.from(files[0]?.merged ?? "").toString();
      const isKept = text.includes(ours) && text.includes(theirs);
      return isKept ? undefined : { what: "merge", message: "one of the two is lost" };
    },
  });
};

const exists: Maker = (bench) =>
  toAttempt(bench, {
    group: "stale",
    kind: "created what exists",
    expect: "refuse",
    codes: ["STALE_VIEW"],
    after: `${bench.source.text}\n`,
    before: null,
    result: false,
    excerpt: bench.source.path,
  });

export const staleMakers: readonly Maker[] = [
  disjoint,
  disjoint,
  same,
  sameFarApart,
  removed,
  sameNew,
  bothAdd,
  exists,
];
