/** What the language allows, and what people do every day: to pass. */
import { fit } from "../profiles/index.ts";
import type { Attempt, ClassLike, Member } from "../types.ts";
import {
  append,
  type Bench,
  callables,
  insertAt,
  lastOf,
  type Maker,
  pickClass,
  rename,
  textOf,
  toAttempt,
} from "./make.ts";

const pass = (
  bench: Bench,
  kind: string,
  after: string,
  excerpt: string,
  now?: Buffer | null,
): Attempt =>
  toAttempt(bench, {
    group: "legal",
    kind,
    expect: "pass",
    after,
    excerpt,
    ...(now !== undefined && { now }),
  });

/** A real file is right as it is. */
export const hasImportTwice = ({ source }: Bench): boolean => {
  const all = source.located.imports.map(({ from, to }) => source.text.slice(from, to));
  return new Set(all).size < all.length;
};

const fileCreated: Maker = (bench) =>
  hasImportTwice(bench)
    ? undefined
    : pass(bench, "real file created", bench.source.text, bench.source.path, null);

const putBack: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(callables(bench));
  if (!one) return undefined;
  const without = source.text.slice(0, one.from) + source.text.slice(one.to + 1);
  return pass(bench, "real member put in", source.text, textOf(bench, one), Buffer.from(without));
};

const takenOut: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(callables(bench));
  if (!one) return undefined;
  const without = source.text.slice(0, one.from) + source.text.slice(one.to + 1);
  return pass(bench, "member taken out", without, textOf(bench, one));
};

const otherClass: Maker = (bench) => {
  const { source, random, language } = bench;
  const from = pickClass(bench, ({ members }) => members.length > 0);
  const member = from && random.pick(from.members.filter((one) => one.isPlain));
  const to =
    member &&
    pickClass(
      bench,
      ({ name, members }) =>
        name !== from.name &&
        members.length > 0 &&
        members[0]!.indent === member.indent &&
        members.every((one) => one.name.toLowerCase() !== member.name.toLowerCase()),
    );
  if (
    !member ||
    !to ||
    (language === "rust" && /^trait|\bfor\b/.test(textOf(bench, to).split("{")[0]!))
  ) {
    return undefined;
  }
  const code = textOf(bench, member);
  return pass(
    bench,
    "same name in another class",
    insertAt(source.text, lastOf(to)!.to, `\n\n${code}`),
    code,
  );
};

/** Under another name it would be a method without a type. */
const isConstructor = ({ source }: Bench, one: Member): boolean =>
  source.located.classes.some(({ name, members }) => name === one.name && members.includes(one));

const copyRenamed: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(callables(bench).filter(({ isPlain }) => isPlain));
  if (!one || one.name === "constructor" || isConstructor(bench, one)) return undefined;
  const name = /^[A-Z]/.test(one.name) ? `X${bench.fresh()}` : bench.fresh();
  const code = rename(bench, one, name);
  return pass(bench, "copy under a new name", insertAt(source.text, one.to, `\n\n${code}`), code);
};

/** Java's annotations take no methods with bodies, which only the later parts of its compiler say. */
const isAnnotation = (bench: Bench, one: ClassLike): boolean =>
  textOf(bench, one)
    .slice(0, one.nameFrom - one.from)
    .includes("@interface");

const newMember: Maker = (bench) => {
  const { source, profile, random } = bench;
  const holder = pickClass(bench, (one) => one.members.length > 0 && !isAnnotation(bench, one));
  if (!holder || !profile.member) return undefined;
  const last = random.pick([lastOf(holder)!, random.pick(holder.members)!])!;
  const code = fit(profile.member(bench.fresh()), last.indent, profile.unit);
  return pass(bench, "new member", insertAt(source.text, last.to, `\n\n${code}`), code);
};

const newFunction: Maker = (bench) => {
  const code = fit(bench.profile.func(bench.fresh()), "", bench.profile.unit);
  return pass(bench, "new function", append(bench.source.text, code), code);
};

const twins: Maker = (bench) => {
  const { source, profile, random } = bench;
  const [kind, template] = random.pick(profile.twins)!;
  if (source.path.includes(".d.") || source.text.includes("?>")) return undefined;
  const code = fit(template, "", profile.unit).replaceAll(
    /\bN(?=\b|2|Other|Holder|Run|_A)/g,
    `N${bench.fresh()}`,
  );
  return pass(bench, kind, append(source.text, code), code);
};

/** Something added in the middle of a real body. */
const statement: Maker = (bench) => {
  const { source, random, profile, language } = bench;
  const one = random.pick(callables(bench).filter(({ body }) => body !== undefined));
  if (!one) return undefined;
  const code = `${one.indent}${profile.unit}${profile.comment} noted by the evaluation`;
  const indented = language === "go" ? code.replace(profile.unit, "\t") : code;
  return pass(
    bench,
    "comment in a body",
    insertAt(source.text, one.body!, `${indented}\n`),
    indented,
  );
};

/** The other accessor of a real property. */
const accessor: Maker = (bench) => {
  const { source, language, random, profile } = bench;
  const isPython = language === "python";
  const holder = pickClass(bench, ({ members }) =>
    members.some((one) => (isPython ? one.decorators.includes("property") : one.kind === "getter")),
  );
  const one =
    holder &&
    random.pick(
      holder.members.filter((each) =>
        isPython ? each.decorators.includes("property") : each.kind === "getter",
      ),
    );
  if (!one || holder.members.filter(({ name }) => name === one.name).length > 1) return undefined;
  const code = isPython
    ? `@${one.name}.setter\ndef ${one.name}(self, value):\n\tself._value = value`
    : `${one.isStatic ? "static " : ""}set ${one.name}(value) {\n\tthis.value = value;\n}`;
  const fitted = fit(code, one.indent, profile.unit);
  return pass(
    bench,
    "setter of a real getter",
    insertAt(source.text, one.to, `\n\n${fitted}`),
    fitted,
  );
};

/** Old code is replaced by the same under another name, callers included or not. */
const swapped: Maker = (bench) => {
  const { source, random } = bench;
  const all = random.shuffle(callables(bench));
  const [one, other] = all;
  if (!one || !other || one.to >= other.from) return undefined;
  if (one.indent !== other.indent) return undefined;
  const { text } = source;
  const after =
    text.slice(0, one.from) +
    textOf(bench, other) +
    text.slice(one.to, other.from) +
    textOf(bench, one) +
    text.slice(other.to);
  const isOneScope = source.located.classes.every(
    ({ members }) => members.includes(one) === members.includes(other),
  );
  return isOneScope ? pass(bench, "two members change places", after, one.name) : undefined;
};

export const legalMakers: readonly Maker[] = [
  fileCreated,
  putBack,
  takenOut,
  otherClass,
  copyRenamed,
  newMember,
  newMember,
  newFunction,
  twins,
  twins,
  statement,
  accessor,
  swapped,
];
