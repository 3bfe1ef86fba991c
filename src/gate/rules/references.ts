/**
 * E-08: a call to something that does not exist is refused when that is proven: by the sources, or by a
 * type checker whose word the sources confirm. Everything else is a note or passes.
 */
import {
  type CallFinding,
  checkCalls,
  type Checked,
  type Checker,
  familyOf,
  introducedCalls,
  isDefinedByRelatives,
  isSlip,
  namesBrought,
  type NearName,
  type NewDiagnostic,
  type OutlineOf,
  type SymbolUniverse,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import type { ProjectNames } from "../project-names.ts";
import { type Finding, findingsMax } from "./rule.ts";

export interface ReferencesContext {
  /** Up to date with what is written now, without the proposal. */
  readonly universe: ProjectNames;
  /** Outlines of the project's files as they are now. */
  readonly outlineOf: OutlineOf;
  /** Without one, only the sources decide. */
  readonly checker?: Checker;
}

export const references =
  (context: ReferencesContext): ManyRule =>
  async (cases) => {
    const judged: FileCase[] = [];
    for (const one of cases) {
      // A file that does not parse is refused for that; what looks like a call there is a guess.
      if (one.after && (await one.syntaxAfter())?.state !== "invalid") judged.push(one);
    }
    if (judged.every(({ before, after }) => introducedCalls(before, after).length === 0)) return [];
    const families = judged.map(({ after }) => familyOf(after?.outline.language ?? "text"));
    const universe = await context.universe([...new Set(families)], cases);
    const bySource = await checkCalls(judged, universe, context.outlineOf);
    const byType = await checkTypes(judged, bySource, universe, context);
    return [...bySource.map(fromSource), ...byType].slice(0, findingsMax * cases.length);
  };

const fromSource = (found: CallFinding): Finding => {
  const { path, reference, state, by, why, owner, nearest } = found;
  const called = [reference.receiver, reference.name].filter(Boolean).join(".");
  const isElsewhere = by === "unbound" && nearest[0]?.name === reference.name;
  return {
    level: state === "missing" ? "deny" : "note",
    ...(state === "missing" && owner === "project" && { later: owed(found, called) }),
    code: "CALL_UNKNOWN",
    path,
    line: reference.line,
    ...(reference.within !== "" && { symbol: reference.within }),
    message:
      state === "missing"
        ? `'${called}' at line ${reference.line} does not exist: ${why}${shown(nearest)}`
        : `'${called}' at line ${reference.line} is named nowhere else; not proven wrong, because ${why}${shown(nearest)}`,
    remedy:
      owner === "library"
        ? `Call something that ${reference.receiver ?? "it"} has${nearest[0] ? `, as ${nearest[0].name}` : ""}.`
        : isElsewhere
          ? `Import it, or call something that ${path} has.`
          : remedyFor(nearest, reference.name),
  };
};

/** A name that exists and only has to be imported is not a slip. */
const owed = ({ reference, nearest }: CallFinding, called: string) => {
  const last = (name: string): string => name.split(".").at(-1) ?? name;
  const meant = nearest.find(({ name }) => isSlip(reference.name, last(name)));
  return { missing: called, ...(meant && { slipOf: meant.name }) };
};

const shown = (nearest: readonly NearName[]): string =>
  nearest.length === 0
    ? ""
    : `; nearest: ${nearest.map(({ name, path, line }) => (path === "" ? name : `${name} (${path}:${line})`)).join(", ")}`;

const remedyFor = ([first]: readonly NearName[], name: string): string =>
  first
    ? `Call ${first.name} if that was meant, or add '${name}'.`
    : `Add '${name}', or call something that exists.`;

const checkTypes = async (
  cases: readonly FileCase[],
  bySource: readonly CallFinding[],
  universe: SymbolUniverse,
  { checker, outlineOf }: ReferencesContext,
): Promise<Finding[]> => {
  if (!checker) return [];
  const refused = new Set(
    bySource.filter(({ state }) => state === "missing").map(({ path }) => path),
  );
  const brought = namesBrought(cases);
  const found: Finding[] = [];
  for (const one of cases) {
    const { path, before, after } = one;
    if (!after || refused.has(path) || introducedCalls(before, after).length === 0) continue;
    const checked = await checker.check(path, before?.source.text, after.source.text);
    if (checked.state === "not-proven") found.push(notProven(path, checked));
    for (const diagnostic of checked.diagnostics) {
      if (diagnostic.about !== "name") continue;
      // Another file of the proposal may define it: the checker sees only what is written already.
      if (cases.length > 1 && brought.has(diagnostic.name)) continue;
      const isProven = await isConfirmed(diagnostic, one, universe, outlineOf);
      found.push(fromType(path, diagnostic, checked.by, isProven));
    }
  }
  return found;
};

/** Stubs leave things out: what a checker misses must also be missing in the sources. */
const isConfirmed = async (
  { name, receiver, type, declared, isCall, line }: NewDiagnostic,
  { path, after }: FileCase,
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<boolean> => {
  if (!isCall || !after) return false;
  const family = familyOf(after.outline.language);
  if (receiver === undefined) return !universe.library(family).has(name);
  if (!universe.has(name, family)) return true;
  const isOwnType =
    type !== undefined &&
    universe.filesWith(type, "functions").length > 0 &&
    !universe.library(family).has(type);
  if (declared !== "project" && !(declared === "unknown" && isOwnType)) return false;
  const { references: all } = after.outline;
  const call = all.find((one) => one.name === name && one.line === line);
  if (!/^(?:self|cls|this)$/.test(receiver)) return true;
  if (!call) return false;
  return !(await isDefinedByRelatives(call, { path, analysed: after }, universe, outlineOf));
};

const fromType = (
  path: string,
  { name, receiver, declared, message, line, column, code }: NewDiagnostic,
  by: string,
  isProven: boolean,
): Finding => ({
  level: isProven ? "deny" : "note",
  ...(isProven &&
    (receiver === undefined || declared === "project") && {
      later: { missing: [receiver, name].filter(Boolean).join(".") },
    }),
  code: "CALL_UNKNOWN",
  path,
  line,
  column,
  message: `'${[receiver, name].filter(Boolean).join(".")}' at line ${line}: ${message} (${by}, ${code})${isProven ? "" : "; the sources do not confirm it"}`,
  remedy: isProven ? `Correct the name, or add '${name}'.` : "Look whether it exists at run time.",
});

const notProven = (path: string, { why }: Checked): Finding => ({
  level: "note",
  code: "TYPES_NOT_PROVEN",
  path,
  message: `${path}: types were not checked: ${why ?? "no answer"}`,
  remedy: "The other rules were applied; run the type checker over the result.",
});
