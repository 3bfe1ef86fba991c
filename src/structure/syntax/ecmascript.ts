/** JavaScript and TypeScript by oxc, early errors of the language included. */
import { type EcmaScriptModule, type ParserOptions, parseSync } from "oxc-parser";
import { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { regexErrors } from "./regex-literals.ts";
import { type Judge, type SyntaxQuestion, notChecked, verdict } from "./verdict.ts";

const by = "oxc 0.154.0";

type Lang = NonNullable<ParserOptions["lang"]>;
type Kind = "module" | "script" | "commonjs";

export const judgeEcmascript: Judge = (question) => {
  const lang = langOf(question);
  let best: readonly SyntaxError[] | undefined;
  for (const kind of kindsOf(question)) {
    const errors = errorsOf(question.text, lang, kind);
    if (!best || errors.length < best.length) best = errors;
    if (errors.length === 0) break;
  }
  if (best?.length && lang === "jsx" && isFlow(question.text)) {
    return notChecked(by, "it is written in Flow, which no parser here reads");
  }
  return verdict(by, best ?? []);
};

const langOf = ({ language, path }: SyntaxQuestion): Lang => {
  if (language === "tsx") return "tsx";
  // Markup in plain scripts is common, and forbidding it would make no wrong file right.
  if (language === "javascript") return "jsx";
  return /\.d\.(?:[^./]+\.)?[cm]?ts$/i.test(path) ? "dts" : "ts";
};

/** The ending may settle it; otherwise only the program that runs the file knows, and any will do. */
const kindsOf = ({ language, path }: SyntaxQuestion): readonly Kind[] => {
  if (/\.m[jt]s$/i.test(path)) return ["module"];
  if (/\.cjs$/i.test(path)) return ["commonjs"];
  // TypeScript compiles imports into CommonJS and knows no `return` outside of functions.
  return language === "javascript" ? ["module", "commonjs", "script"] : ["module", "script"];
};

const errorsOf = (text: string, lang: Lang, sourceType: Kind): readonly SyntaxError[] => {
  const source = new SourceText(text);
  const parsed = parseSync(`source.${lang === "dts" ? "d.ts" : lang}`, text, {
    lang,
    sourceType,
    showSemanticErrors: true,
  });
  const errors = parsed.errors.filter(({ severity }) => severity === "Error");
  if (errors.length === 0) {
    const again = secondDefault(parsed.module, text);
    if (again !== undefined) {
      const message = "Duplicated export 'default'";
      return [{ ...source.position(again), message, code: "" }];
    }
    return regexErrors(source, () => parsed.program);
  }
  return errors.map(({ message, labels }) => {
    const at = Math.min(labels[0]?.start ?? 0, text.length);
    const words = message.replace(/^TS\(\d+\): /, "");
    return { ...source.position(at), message: words, code: codeOf(message) };
  });
};

/** Where a module has a second default; interfaces and signatures of overloads may stand beside one. */
const secondDefault = ({ staticExports }: EcmaScriptModule, text: string): number | undefined => {
  const defaults = staticExports.filter(
    ({ start, end, entries }) =>
      entries.some(
        ({ exportName, moduleRequest }) => exportName.kind === "Default" && !moduleRequest,
      ) &&
      !/^export\s+default\s+(interface\b|(async\s+)?function\b[^{]*$)/.test(text.slice(start, end)),
  );
  return defaults[1]?.start;
};

/** TypeScript's number, where the parser says it. */
const codeOf = (message: string): string => {
  const number = /^TS\((\d+)\)/.exec(message)?.[1];
  return number ? `TS${number}` : "";
};

const isFlow = (text: string): boolean =>
  /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].includes("@flow") ?? false;
