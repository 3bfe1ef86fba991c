/**
 * E-19: calls of project functions with arguments that do not fit. A later edit can make each of them right,
 * so it is an open end: noted at the edit, refused at the commit. In JavaScript it is a note only.
 */
import {
  type Analyser,
  type ArgumentContext,
  type ArgumentFinding,
  type Checker,
  checkArguments,
  checkRemovedMembers,
  familyOf,
  isMeantToFail,
  type NewDiagnostic,
  type OutlineOf,
  type RemovedMember,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import type { ProjectNames } from "../project-names.ts";
import { type Finding, findingsMax } from "./rule.ts";

export interface ArgumentsContext {
  readonly universe: ProjectNames;
  readonly outlineOf: OutlineOf;
  readonly analyser: Pick<Analyser, "tree">;
  /** Without one, only the outlines decide. */
  readonly checker?: Checker;
}

export const callArguments =
  ({ universe, outlineOf, analyser, checker }: ArgumentsContext): ManyRule =>
  async (cases) => {
    const judged: FileCase[] = [];
    for (const one of cases) {
      const family = familyOf((one.after ?? one.before)?.outline.language ?? "text");
      if (family === "other") continue;
      // A file that does not parse is refused for that.
      if ((await one.syntaxAfter())?.state !== "invalid") judged.push(one);
    }
    if (judged.every(isUnconcerned)) return [];
    const context: ArgumentContext = {
      universe: await universe([], cases),
      outlineOf,
      parseTree: (path, text) => analyser.tree(text, path),
    };
    const found = await checkArguments(judged, context);
    const gone = await checkRemovedMembers(judged, context);
    const byTypes = checker ? await checkTypes(judged, found, checker) : [];
    return [...found.map(toFinding), ...gone.map(toRemoval), ...byTypes].slice(
      0,
      findingsMax * cases.length,
    );
  };

/** Calls of objects and of what wraps functions: a type checker knows more of them than outlines do. */
const checkTypes = async (
  cases: readonly FileCase[],
  known: readonly ArgumentFinding[],
  checker: Checker,
): Promise<Finding[]> => {
  const found: Finding[] = [];
  // It sees the other files as they are on disk: of several that change together it knows too little.
  const [only] = cases.length === 1 ? cases : [];
  if (!only?.after || isUnconcerned(only)) return [];
  const { path, before, after } = only;
  const { diagnostics, by } = await checker.check(path, before?.source.text, after.source.text);
  for (const diagnostic of diagnostics) {
    const { about, line, column } = diagnostic;
    const isKnown = known.some((one) => one.path === path && one.reference.line === line);
    const from = after.source.lineStart(line) + column - 1;
    const at = { line, span: { from, to: from } };
    if (about !== "arguments" || isKnown || isMeantToFail(at, { analysed: after })) continue;
    found.push(fromTypes(path, after.outline.language, diagnostic, by));
  }
  return found;
};

/** An object may be of a class that takes more: of Python's calls only those of plain names are sure. */
const fromTypes = (
  path: string,
  language: string,
  { name, receiver, declared, line, column, message, code }: NewDiagnostic,
  by: string,
): Finding => {
  const called = [receiver, name].filter(Boolean).join(".");
  const isSure =
    language === "python" ? receiver === undefined : ["typescript", "tsx"].includes(language);
  const isProven = isSure && declared === "project";
  return {
    level: isProven ? "deny" : "note",
    ...(isProven && { later: { missing: `${called}()` } }),
    code: "ARGUMENTS_MISMATCH",
    ...{ path, line, column },
    message: `'${called}' at ${path}:${line} is called with arguments that do not fit: ${message} (${by}, ${code})`,
    remedy: "Give it what it takes, or change the function.",
  };
};

/** Neither calls nor signatures are other than they were. */
const isUnconcerned = ({ before, after, regions }: FileCase): boolean => {
  if (regions.resigned.length > 0 || regions.added.length > 0 || regions.removed.length > 0)
    return false;
  const shape = (one: FileCase["after"]): string =>
    JSON.stringify(
      one?.outline.references.map(({ receiver, name, given }) => [receiver, name, given]),
    );
  return shape(before) === shape(after) && regions.imports === false;
};

const toFinding = (found: ArgumentFinding): Finding => {
  const { path, reference, why, signature, declared, isProven } = found;
  const called = [reference.receiver, reference.name].filter(Boolean).join(".");
  const place = `${declared.path}:${declared.line}`;
  return {
    level: isProven ? "deny" : "note",
    ...(isProven && { later: { missing: `${called}()` } }),
    code: "ARGUMENTS_MISMATCH",
    path,
    line: reference.line,
    ...(reference.within !== "" && { symbol: reference.within }),
    message: `'${called}' at ${path}:${reference.line} is called with arguments that do not fit: ${why}; ${place} says ${signature}`,
    remedy: `Give it what ${place} takes, or change that function.`,
  };
};

const sitesMax = 20;

const toRemoval = ({ path, symbol, sites }: RemovedMember): Finding => {
  const list = sites.slice(0, sitesMax).map((site) => `${site.path}:${site.line}`);
  const more = sites.length > sitesMax ? ", …" : "";
  return {
    level: "deny",
    later: { missing: symbol },
    code: "SYMBOL_REMOVED",
    ...{ path, symbol },
    message: `'${symbol}' is gone, but still called: ${list.join(", ")}${more}`,
    remedy: "Change these calls, or keep the method.",
  };
};
