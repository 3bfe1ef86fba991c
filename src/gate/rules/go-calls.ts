/** E-08: calls of functions that a Go package of the project does not have; a later edit can add them. */
import { missingGoCalls, type MissingGoCall } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import { openViews } from "../module-views.ts";
import type { ImportsContext } from "./imports.ts";
import { type Finding, findingsMax } from "./rule.ts";

export const goCalls =
  (context: ImportsContext): ManyRule =>
  async (cases) => {
    const judged: FileCase[] = [];
    for (const one of cases) {
      const isGo = one.after?.outline.language === "go";
      if (isGo && (await one.syntaxAfter())?.state !== "invalid") judged.push(one);
    }
    if (!judged.some(hasOtherCalls)) return [];
    const [universe, files] = [await context.universe([], cases), await context.files()];
    const views = openViews(cases, { universe, files, analyser: context.analyser });
    const found: Finding[] = [];
    for (const { path, before, after } of judged) {
      if (!after) continue;
      const missing = await missingGoCalls(path, after.outline, views.after);
      if (missing.length === 0) continue;
      const old = before ? await missingGoCalls(path, before.outline, views.before) : [];
      const isNew = ({ called }: MissingGoCall): boolean =>
        !old.some((one) => one.called === called);
      found.push(...missing.filter(isNew).map((one) => toFinding(path, one)));
    }
    return found.slice(0, findingsMax * cases.length);
  };

/** A call or a declaration is not as it was. */
const hasOtherCalls = ({ before, after, regions }: FileCase): boolean => {
  if (regions.added.length > 0 || regions.removed.length > 0 || regions.imports) return true;
  const calls = (one: FileCase["after"]): string =>
    (one?.outline.references ?? []).map(({ receiver, name }) => `${receiver}.${name}`).join(" ");
  return calls(before) !== calls(after);
};

const toFinding = (path: string, { called, name, line, within, folder, slipOf }: MissingGoCall) => {
  const where = folder === "" ? "the root package" : `the package in ${folder}`;
  const finding: Finding = {
    level: "deny",
    later: { missing: called, ...(slipOf !== undefined && { slipOf }) },
    code: "CALL_UNKNOWN",
    ...{ path, line },
    ...(within !== "" && { symbol: within }),
    message: `'${called}' at line ${line} does not exist: no file of ${where} declares it${slipOf === undefined ? "" : `; nearest: ${slipOf}`}`,
    remedy: `${slipOf === undefined ? "" : `Call ${slipOf} if that was meant, or `}${slipOf === undefined ? "Add" : "add"} '${name}' there.`,
  };
  return finding;
};
