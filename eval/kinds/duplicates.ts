/** The same thing once more: to be refused. */
import { fit } from "../profiles/index.ts";
import type { ClassLike, Member } from "../types.ts";
import {
  append,
  type Bench,
  insertAt,
  lastOf,
  type Maker,
  pickClass,
  textOf,
  toAttempt,
} from "./make.ts";

const codes = ["DUPLICATE_SYMBOL", "DUPLICATE_IMPORT", "DUPLICATE_EXPORT", "SYNTAX_ERROR"];

const isTarget = (one: Member): boolean => one.isPlain && one.to - one.from < 8000;

const pickMember = (bench: Bench): { holder: ClassLike; member: Member } | undefined => {
  // Deeper than the others means inside a condition, where a language may allow it.
  const isDirect = (holder: ClassLike, one: Member): boolean =>
    isTarget(one) &&
    (bench.language !== "ruby" ||
      (one.indent === `${holder.indent}  ` && !isAliased(bench.source.text, one.name)));
  const holder = pickClass(bench, (each) => each.members.some((one) => isDirect(each, one)));
  const member = holder && bench.random.pick(holder.members.filter((one) => isDirect(holder, one)));
  return holder && member && { holder, member };
};

/** Keeping the old one under another name is how Ruby wraps methods. */
const isAliased = (text: string, name: string): boolean =>
  text
    .split("\n")
    .some((line) => /\b(?:alias|remove_method|undef)/.test(line) && line.includes(name));

const again = (bench: Bench, kind: string, holder: ClassLike, member: Member, code: string) => {
  const { source, random } = bench;
  const at = random.pick([lastOf(holder)!.to, lastOf(holder)!.to, member.to, member.to])!;
  const text = insertAt(source.text, at, `\n\n${code}`);
  return toAttempt(bench, {
    group: "duplicate",
    kind,
    expect: "refuse",
    codes,
    after: text,
    excerpt: code,
  });
};

const verbatim: Maker = (bench) => {
  const found = pickMember(bench);
  return (
    found &&
    again(bench, "method verbatim", found.holder, found.member, textOf(bench, found.member))
  );
};

/** Header of a definition and a body of one statement. */
const otherBody = (bench: Bench, member: Member): string | undefined => {
  if (member.body === undefined) return undefined;
  if (/\btypedef\b/.test(bench.source.text.slice(member.from, member.nameFrom))) return undefined;
  const { profile, language, source } = bench;
  const head = source.text.slice(member.from, member.body);
  const body = `${member.indent}${profile.unit}${profile.nothing}`;
  if (language === "python") return head + body;
  const end =
    language === "ruby"
      ? "end"
      : member.kind === "class" && /^c(?:pp)?$/.test(language)
        ? "};"
        : "}";
  return `${head}${member.kind === "class" ? "" : `${body}\n`}${member.indent}${end}`;
};

const methodOtherBody: Maker = (bench) => {
  const found = pickMember(bench);
  const code = found && otherBody(bench, found.member);
  if (!found || code === undefined) return undefined;
  return again(bench, "method with another body", found.holder, found.member, code);
};

const methodOtherMark: Maker = (bench) => {
  const mark = bench.random.pick(bench.profile.marks);
  const found = mark === undefined ? undefined : pickMember(bench);
  if (!found || found.member.decorators.length > 0) return undefined;
  const { member, holder } = found;
  const core = bench.source.text.slice(member.core, member.to);
  return again(
    bench,
    "method with another decorator",
    holder,
    member,
    `${member.indent}${mark}\n${core}`,
  );
};

const atEnd = (bench: Bench, kind: string, one: Member, code: string) =>
  toAttempt(bench, {
    group: "duplicate",
    kind,
    expect: "refuse",
    codes,
    // The end of a header is behind its guard, where the preprocessor decides.
    after: /^c(?:pp)?$/.test(bench.language)
      ? insertAt(bench.source.text, one.to, `\n\n${code}`)
      : append(bench.source.text, code),
    excerpt: code,
  });

/**
 * A decorator may allow a second definition of the name (setters, routes, parametrised tests); the same
 * decorator and the same body once more it never means.
 */
const decoratedVerbatim: Maker = (bench) => {
  if (bench.language !== "python") return undefined;
  const isDecorated = ({ decorators, isPlain, name }: Member): boolean =>
    decorators.length > 0 && !isPlain && name !== "_" && !/overload/.test(decorators.join());
  const holder = pickClass(bench, ({ members }) => members.some(isDecorated));
  const member = holder && bench.random.pick(holder.members.filter(isDecorated));
  if (!holder || !member) return undefined;
  return again(bench, "decorated method verbatim", holder, member, textOf(bench, member));
};

const isTop = (one: Member): boolean => one.indent === "" && !one.isNested && isTarget(one);

const secondClass: Maker = (bench) => {
  const one = bench.random.pick(bench.source.located.classes.filter(isTop));
  return one && atEnd(bench, "class again", one, textOf(bench, one));
};

const secondClassOther: Maker = (bench) => {
  const one = bench.random.pick(bench.source.located.classes.filter(isTop));
  const code = one && bench.language !== "ruby" ? otherBody(bench, one) : undefined;
  return code === undefined ? undefined : atEnd(bench, "class with another body", one!, code);
};

const secondFunction: Maker = (bench) => {
  const one = bench.random.pick(bench.source.located.functions.filter(isTop));
  return one && atEnd(bench, "function again", one, textOf(bench, one));
};

const secondFunctionOther: Maker = (bench) => {
  const one = bench.random.pick(bench.source.located.functions.filter(isTop));
  const code = one && otherBody(bench, one);
  return code === undefined ? undefined : atEnd(bench, "function with another body", one!, code);
};

/** A new member, made twice in one edit. */
const twiceNew: Maker = (bench) => {
  const { profile, source } = bench;
  const holder = profile.member && pickClass(bench, (one) => one.members.length > 0);
  const last = holder && lastOf(holder);
  if (!profile.member || !last || bench.language === "c") return undefined;
  const code = fit(profile.member(bench.fresh()), last.indent, profile.unit);
  return toAttempt(bench, {
    group: "duplicate",
    kind: "new method twice in one edit",
    expect: "refuse",
    codes,
    after: insertAt(source.text, last.to, `\n\n${code}\n\n${code}`),
    excerpt: code,
  });
};

const noImports = new Set(["c", "cpp", "ruby"]);

const importAgain: Maker = (bench) => {
  const { source, random, language } = bench;
  const one = random.pick(source.located.imports);
  const last = source.located.imports.at(-1);
  if (!one || !last || noImports.has(language)) return undefined;
  const code = textOf(bench, one);
  // Go's imports stand in a group, where one more line is one more import.
  const isGrouped = (text: string): boolean => language === "go" && !text.startsWith("import");
  if (isGrouped(code) !== isGrouped(textOf(bench, last)) || /__future__/.test(code)) {
    return undefined;
  }
  return toAttempt(bench, {
    group: "duplicate",
    kind: "import again",
    // Python imports a second time without a word: that is a note.
    expect: language === "python" ? "pass" : "refuse",
    codes,
    after: insertAt(source.text, last.to, `\n${code}`),
    excerpt: code,
  });
};

const exportAgain: Maker = (bench) => {
  const { source, random, language } = bench;
  if (!/^(?:javascript|typescript|tsx)$/.test(language) || source.path.includes(".d."))
    return undefined;
  const { functions, classes } = source.located;
  const one = random.pick(
    [...functions, ...classes].filter((each) => /^export (?!default)/.test(textOf(bench, each))),
  );
  return one && atEnd(bench, "export again", one, `export { ${one.name} };`);
};

export const duplicateMakers: readonly Maker[] = [
  verbatim,
  verbatim,
  methodOtherBody,
  methodOtherBody,
  methodOtherMark,
  decoratedVerbatim,
  secondClass,
  secondClassOther,
  secondFunction,
  secondFunctionOther,
  twiceNew,
  importAgain,
  exportAgain,
];
