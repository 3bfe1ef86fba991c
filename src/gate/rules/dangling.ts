/** E-18: a name that the file still uses, although the change takes its import or definition away. */
import {
  checkDangling,
  type DanglingName,
  familyOf,
  isScriptGlobal,
  type OutlineSymbol,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { Finding } from "./rule.ts";

export const dangling = async (one: FileCase): Promise<readonly Finding[]> => {
  const { path, before, after } = one;
  if (!before || !after || !mayDangle(one)) return [];
  if ((await one.syntaxAfter())?.state === "invalid") return [];
  const [was, is] = [await one.shapeBefore(), await one.shapeAfter()];
  if (!was || !is) return [];
  const { text } = after.source;
  const isPython = after.outline.language === "python";
  const isGlobal = (name: string): boolean =>
    !isPython && (isScriptGlobal(name) || isDeclaredGlobal(name, text));
  return checkDangling(was, is, isGlobal).map((found) => toFinding(path, found));
};

/** Something went that the text still names; looked at without a parser. */
const mayDangle = ({ before, after, regions }: FileCase): boolean => {
  const language = after?.outline.language ?? "text";
  if (!before || !after || familyOf(language) === "other") return false;
  if (language === "vue" || language === "svelte") return false;
  if (regions.removed.length === 0 && !regions.imports && !regions.moduleLevel) return false;
  const left = new Set(namesIn(after));
  return namesIn(before).some((name) => !left.has(name) && after.source.text.includes(name));
};

const namesIn = ({ outline }: NonNullable<FileCase["before"]>): string[] => [
  ...outline.imports.flatMap(({ names }) => names.map(({ as }) => as)),
  ...outline.symbols.flatMap(withMembers),
];

const withMembers = ({ name, children }: OutlineSymbol): string[] => [
  name,
  ...children.flatMap(withMembers),
];

/** A comment that names globals, as linters read it. */
const isDeclaredGlobal = (name: string, text: string): boolean =>
  Array.from(text.matchAll(/\/\*\s*globals?\b([^*]*)\*\//g)).some(([, names = ""]) =>
    names.split(/[\s,:]+/).includes(name),
  );

const toFinding = (path: string, { name, line, of, count }: DanglingName): Finding => {
  const shown = of === undefined ? name : `this.${name}`;
  const where = of === undefined ? "the file" : of;
  const others = count > 1 ? ` and ${count - 1} more` : "";
  return {
    level: "deny",
    later: { missing: shown },
    code: "NAME_DANGLING",
    ...{ path, line },
    message: `'${shown}' at line ${line}${others} is still used, but ${where} no longer has it`,
    remedy: "Bring its import or definition back, or remove what uses it.",
  };
};
