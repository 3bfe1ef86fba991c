/**
 * E-19: calls of project functions with arguments that do not fit. A later edit can make each of them right,
 * so it is an open end: noted at the edit, refused at the commit. In JavaScript it is a note only.
 */
import {
  type Analyser,
  type ArgumentFinding,
  checkArguments,
  familyOf,
  type OutlineOf,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import type { ProjectNames } from "../project-names.ts";
import { type Finding, findingsMax } from "./rule.ts";

export interface ArgumentsContext {
  readonly universe: ProjectNames;
  readonly outlineOf: OutlineOf;
  readonly analyser: Pick<Analyser, "tree">;
}

export const callArguments =
  ({ universe, outlineOf, analyser }: ArgumentsContext): ManyRule =>
  async (cases) => {
    const judged: FileCase[] = [];
    for (const one of cases) {
      const family = familyOf((one.after ?? one.before)?.outline.language ?? "text");
      if (family === "other") continue;
      // A file that does not parse is refused for that.
      if ((await one.syntaxAfter())?.state !== "invalid") judged.push(one);
    }
    if (judged.every(isUnconcerned)) return [];
    const found = await checkArguments(judged, {
      universe: await universe([]),
      outlineOf,
      parseTree: (path, text) => analyser.tree(text, path),
    });
    return found.slice(0, findingsMax * cases.length).map(toFinding);
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
