/**
 * Wishes instead of whole files: added, modified and removed by the product itself, then looked at. Every
 * byte outside of what was asked for must stay, new members must stand where they belong, and what was
 * added and removed again must leave no trace.
 */
import type { Operation } from "../../src/edit/types.ts";
import type { Tree } from "../../src/gate/index.ts";
import type { Analyser } from "../../src/structure/index.ts";
import { fit } from "../profiles/index.ts";
import { declined } from "../score.ts";
import type { Attempt, ClassLike, Member, Problem } from "../types.ts";
import {
  type Bench,
  callables,
  lastOf,
  pickClass,
  textOf,
  toAttempt,
  treeOfBytes,
} from "./make.ts";

export type EditMaker = (bench: Bench, analyser: Analyser) => Promise<Attempt | undefined>;

type Plan = (
  operations: readonly Operation[],
  context: { readonly tree: Tree; readonly analyser: Analyser },
) => Promise<readonly { readonly path: string; readonly after: Buffer | null }[]>;

/** Undefined as long as the product has no operations. */
export const loadEditMakers = async (): Promise<readonly EditMaker[] | undefined> => {
  try {
    const { planEdit } = (await import("../../src/edit/operations/index.ts")) as { planEdit: Plan };
    return [
      add(planEdit),
      add(planEdit),
      addTop(planEdit),
      modify(planEdit),
      modify(planEdit),
      remove(planEdit),
    ];
  } catch {
    return undefined;
  }
};

/** Real files in other clothes, so that splicing meets every line ending. */
const dress = ({ source, random, language }: Bench): { bytes: Buffer; eol: string } => {
  const { text } = source;
  const kind = random.below(8);
  if (kind === 0 && !text.includes("\r")) {
    return { bytes: Buffer.from(text.replaceAll("\n", "\r\n")), eol: "\r\n" };
  }
  if (kind === 1) return { bytes: Buffer.from(`\ufeff${text}`), eol: "\n" };
  if (kind === 2 && language === "typescript") {
    return { bytes: Buffer.from(`\ufeff${text}`, "utf16le"), eol: "\n" };
  }
  if (kind === 3) return { bytes: Buffer.from(text.replace(/\s+$/, "")), eol: "\n" };
  return { bytes: source.bytes, eol: "\n" };
};

const decode = (bytes: Buffer): string => {
  const text =
    bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString("utf16le") : bytes.toString();
  return text.replace(/^\ufeff/, "");
};

const run = async (
  plan: Plan,
  bench: Bench,
  analyser: Analyser,
  bytes: Buffer,
  operation: Operation,
) => {
  const { path } = bench.source;
  try {
    const changes = await plan([operation], { tree: treeOfBytes({ [path]: bytes }), analyser });
    return { after: changes[0]?.after ?? bytes, message: "", isHonest: false };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    // It says that it does not know where the symbol ends, and changes nothing.
    return { after: undefined, message, isHonest: code === "STRUCTURE_ABSENT" };
  }
};

/** What is between the part that both begin with and the part that both end with. */
const between = (before: string, after: string): { old: string; now: string; at: number } => {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    old: before.slice(head, before.length - tail),
    now: after.slice(head, after.length - tail),
    at: head,
  };
};

const judged = (
  bench: Bench,
  kind: string,
  bytes: Buffer,
  after: Buffer | undefined,
  excerpt: string,
  problem: Problem | undefined,
): Attempt => ({
  ...toAttempt(bench, {
    group: "edit",
    kind,
    expect: "pass",
    now: bytes,
    after: after ?? bytes,
    excerpt,
  }),
  ...(problem && { problem }),
});

const notDone = (
  bench: Bench,
  kind: string,
  bytes: Buffer,
  code: string,
  { message, isHonest }: { message: string; isHonest: boolean },
): Attempt =>
  isHonest
    ? judged(bench, `${kind}, ${declined}`, bytes, undefined, code, undefined)
    : judged(bench, kind, bytes, undefined, code, { what: "failed", message });

const add =
  (plan: Plan): EditMaker =>
  async (bench, analyser) => {
    const { profile, source } = bench;
    const holder = pickClass(bench, (one) => one.members.length > 0 && isOnly(bench, one));
    if (!holder || !profile.member) return undefined;
    const name = bench.fresh();
    const code = fit(profile.member(name), "", profile.unit);
    const { bytes, eol } = dress(bench);
    const path = await pathOf(bench, analyser, holder);
    if (path === undefined) return undefined;
    const done = await run(plan, bench, analyser, bytes, {
      do: "add",
      file: source.path,
      into: path,
      code,
    });
    const { after } = done;
    if (!after) return notDone(bench, "add to a class", bytes, code, done);
    const problem =
      checkAdded(decode(bytes), decode(after), { code, holder, eol }) ??
      (await checkRestored(plan, bench, analyser, { bytes, after, symbol: `${path}.${name}` }));
    return judged(bench, "add to a class", bytes, after, code, problem);
  };

const isOnly = ({ source }: Bench, one: ClassLike): boolean =>
  source.located.classes.filter(({ name }) => name === one.name).length === 1;

/** Namespaces around a class are part of its path. */
const pathOf = async (
  { source }: Bench,
  analyser: Analyser,
  one: Member,
): Promise<string | undefined> => {
  const { outline } = await analyser.outline(source.bytes, source.path);
  const paths: string[] = [];
  const all: string[] = [];
  const visit = (symbols: typeof outline.symbols): void => {
    for (const symbol of symbols) {
      if (symbol.nameSpan.from === one.nameFrom) paths.push(symbol.path);
      all.push(symbol.path.replaceAll(/~\d+/g, ""));
      visit(symbol.children);
    }
  };
  visit(outline.symbols);
  const isOnly = all.filter((path) => path === paths[0]).length === 1;
  return paths.length === 1 && isOnly ? paths[0] : undefined;
};

const checkAdded = (
  before: string,
  after: string,
  { code, holder, eol }: { code: string; holder: ClassLike; eol: string },
): Problem | undefined => {
  const { old, now } = between(before, after);
  // A class whose block closes on its last member's line gets a line for the brace.
  if (old.trim() !== "") {
    return {
      what: "collateral",
      bytes: Buffer.byteLength(old),
      message: JSON.stringify(old.slice(0, 80)),
    };
  }
  const indent = lastOf(holder)!.indent;
  const wanted = code
    .split("\n")
    .map((line) => (line === "" ? "" : indent + reindent(line, holder)))
    .join(eol);
  const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  if (!squeezed(after).includes(squeezed(wanted))) {
    return { what: "collateral", bytes: 1, message: "the code is not there as given" };
  }
  if (eol === "\r\n" && /(?<!\r)\n/.test(now)) {
    return { what: "collateral", bytes: 1, message: "a line ends otherwise than the file's" };
  }
  const first = wanted.split(eol)[0]!.trim();
  const line = after.split(/\r?\n/).find((one) => one.trim() === first);
  if (line !== undefined && /^\s*/.exec(line)![0] !== indent) {
    return {
      what: "indentation",
      message: `${JSON.stringify(line)} instead of ${JSON.stringify(indent)}`,
    };
  }
  const at = after.indexOf(first);
  const start = after.search(new RegExp(`\\b${holder.name}\\b`));
  return at > start ? undefined : { what: "wrong place", message: "before its class" };
};

const reindent = (line: string, _holder: ClassLike): string => line;

const checkRestored = async (
  plan: Plan,
  bench: Bench,
  analyser: Analyser,
  { bytes, after, symbol }: { bytes: Buffer; after: Buffer; symbol: string },
): Promise<Problem | undefined> => {
  const operation = { do: "remove", file: bench.source.path, symbol } as const;
  const back = await run(plan, bench, analyser, after, operation);
  if (!back.after && back.isHonest) return undefined;
  if (!back.after)
    return { what: "wrong place", message: `not found as ${symbol}: ${back.message}` };
  if (back.after.equals(bytes)) return undefined;
  const { old, now } = between(decode(bytes), decode(back.after));
  return {
    what: "not restored",
    bytes: Math.abs(back.after.length - bytes.length) || 1,
    message: `${JSON.stringify(old.slice(0, 60))} became ${JSON.stringify(now.slice(0, 60))}`,
  };
};

const addTop =
  (plan: Plan): EditMaker =>
  async (bench, analyser) => {
    const { profile, source } = bench;
    if (source.text.includes("?>") || source.path.includes(".d.")) return undefined;
    const name = bench.fresh();
    const code = fit(profile.func(name), "", profile.unit);
    const { bytes } = dress(bench);
    const done = await run(plan, bench, analyser, bytes, { do: "add", file: source.path, code });
    const { after } = done;
    if (!after) return notDone(bench, "add to the file", bytes, code, done);
    const { old } = between(decode(bytes), decode(after));
    const lost = Buffer.byteLength(old.trim());
    const problem: Problem | undefined =
      lost > 0
        ? { what: "collateral", bytes: lost, message: JSON.stringify(old.slice(0, 80)) }
        : await checkRestored(plan, bench, analyser, { bytes, after, symbol: name });
    return judged(bench, "add to the file", bytes, after, code, problem);
  };

/** A real member with one more comment line in its body; given without its outer indentation. */
const modify =
  (plan: Plan): EditMaker =>
  async (bench, analyser) => {
    const { source, random, profile } = bench;
    // What is in a text of several lines is the writer's own; only Python's is told apart below.
    const one = random.pick(
      callables(bench).filter(
        ({ body, from, to }) =>
          body !== undefined &&
          !/`|<<[-~]?["'A-Z]|R"|%[a-zA-Z]?[{([|]|[=(,[]\s*\w{0,2}(?:"""|''')/.test(
            source.text.slice(from, to),
          ),
      ),
    );
    const path = one && (await pathOf(bench, analyser, one));
    if (!one || path === undefined) return undefined;
    const { bytes, eol } = dress(bench);
    const line = `${one.indent}${profile.unit}${profile.comment} changed\n`;
    const isSame = random.next() < 0.3;
    const text =
      source.text.slice(one.from, one.body) +
      (isSame ? "" : line) +
      source.text.slice(one.body, one.to);
    // Only what has no line left of its own column can be given without it.
    const lines = text.split("\n");
    if (lines.some((each) => each.trim() !== "" && !each.startsWith(one.indent))) return undefined;
    const code = lines.map((each) => each.slice(one.indent.length)).join("\n");
    const operation = { do: "modify", file: source.path, symbol: path, code } as const;
    const done = await run(plan, bench, analyser, bytes, operation);
    const { after } = done;
    const kind = isSame ? "modify without a change" : "modify";
    if (!after) return notDone(bench, kind, bytes, code, done);
    const wanted = decode(bytes).replaceAll(eol, "\n");
    const spliced = isSame ? wanted : wanted.slice(0, one.body) + line + wanted.slice(one.body);
    const got = decode(after).replaceAll(eol, "\n");
    const problem: Problem | undefined =
      got === spliced && !(eol === "\r\n" && /(?<!\r)\n/.test(decode(after)))
        ? undefined
        : { what: "collateral", ...difference(spliced, got) };
    return judged(bench, kind, bytes, after, code, problem);
  };

const difference = (wanted: string, got: string): { bytes: number; message: string } => {
  const { old, now } = between(wanted, got);
  return {
    bytes: Math.max(1, Buffer.byteLength(old), Buffer.byteLength(now)),
    message: `${JSON.stringify(old.slice(0, 80))} became ${JSON.stringify(now.slice(0, 80))}`,
  };
};

const remove =
  (plan: Plan): EditMaker =>
  async (bench, analyser) => {
    const { source, random, profile } = bench;
    const one = random.pick(callables(bench));
    const path = one && (await pathOf(bench, analyser, one));
    if (!one || path === undefined) return undefined;
    const { bytes, eol } = dress(bench);
    const operation = { do: "remove", file: source.path, symbol: path } as const;
    const done = await run(plan, bench, analyser, bytes, operation);
    const { after } = done;
    const code = textOf(bench, one);
    if (!after) return notDone(bench, "remove", bytes, code, done);
    const [before, now] = [bytes, after].map((each) => decode(each).replaceAll(eol, "\n"));
    const problem = checkRemoved(before!, now!, one);
    return judged(bench, "remove", bytes, after, `${code}${profile.comment}`, problem);
  };

const isComment = (text: string): boolean =>
  text
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .split("\n")
    .every((each) => each.trim() === "" || /^(?:\/\/|#|\/?\*|<!--|@|\[)/.test(each.trim()));

/**
 * One piece must be gone: the member, with nothing but comments, marks and blank lines around it. Where
 * the text before and behind it is alike, several pieces could be meant; one of them must fit.
 */
const checkRemoved = (before: string, after: string, one: Member): Problem | undefined => {
  const gone = before.length - after.length;
  const { at, now } = between(before, after);
  let why = "nothing fits";
  // No piece at all is found where something new stands in its place.
  for (let from = now === "" && gone > 0 ? at : -1; from >= 0; from -= 1) {
    if (from < at && before[from] !== before[from + gone]) break;
    if (from > one.core || from + gone < one.to) continue;
    const around = `${before.slice(from, Math.max(from, one.from))}\n${before.slice(one.to, from + gone)}`;
    if (isComment(around)) return undefined;
    why = JSON.stringify(around.slice(0, 120));
  }
  // The last member of a block may leave `pass` behind.
  if (now.trim() === "pass" && /:\s*\n\s*pass\b/.test(after)) return undefined;
  const bytes = Math.max(1, Math.abs(gone - (one.to - one.from)));
  return { what: "collateral", bytes, message: `${why}; at ${JSON.stringify(now.slice(0, 60))}` };
};
