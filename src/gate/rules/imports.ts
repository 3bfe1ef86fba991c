/**
 * E-18: imports of what does not exist, and exports taken away while other files import them. Each can be made
 * right by a later edit, so each is an open end; what cannot be proven is not mentioned.
 */
import {
  type Analyser,
  type ChangedModule,
  asksProject,
  checkImports,
  checkRemovals,
  familyOf,
  type ImportFinding,
  type OutlineSymbol,
  type RemovalFinding,
  shapedLanguages,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import { openViews } from "../module-views.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { ProjectNames } from "../project-names.ts";
import { type Finding, findingsMax } from "./rule.ts";

export interface ImportsContext {
  readonly universe: ProjectNames;
  readonly files: () => Promise<ProjectFiles>;
  readonly analyser: Analyser;
}

export const imports =
  (context: ImportsContext): ManyRule =>
  async (cases) => {
    const concerned = cases.filter(mayConcern);
    if (concerned.length === 0) return [];
    const changed: ChangedModule[] = [];
    for (const one of concerned) {
      if (one.after && (await one.syntaxAfter())?.state === "invalid") continue;
      changed.push(await toChanged(one));
    }
    if (!changed.some(asksProject)) return [];
    const [universe, files] = [await context.universe([], cases), await context.files()];
    const views = openViews(cases, { universe, files, analyser: context.analyser });
    const asked = await checkImports(changed, views);
    const gone = await checkRemovals(changed, views);
    return [...asked.map(fromImport), ...gone.map(fromRemoval)].slice(
      0,
      findingsMax * cases.length,
    );
  };

/** Looked at without a parser: most edits touch neither imports nor exports. */
const mayConcern = ({ before, after, regions }: FileCase): boolean => {
  const language = (after ?? before)?.outline.language ?? "text";
  if (familyOf(language) === "other" && !shapedLanguages.has(language)) return false;
  if (!before || !after || regions.imports || regions.moduleLevel) return true;
  if (regions.removed.some((path) => !path.includes("."))) return true;
  const exported = (symbols: readonly OutlineSymbol[]): string =>
    symbols.map(({ name, isExported }) => (isExported ? name : "")).join(" ");
  if (exported(before.outline.symbols) !== exported(after.outline.symbols)) return true;
  // `ns.name` asks for a name without an import of its own, `pkg.Name` in Go.
  return (
    language === "go" ||
    after.outline.imports.some(({ names }) => names.some(({ name }) => name === "*"))
  );
};

const toChanged = async (one: FileCase): Promise<ChangedModule> => ({
  path: one.path,
  before: await one.shapeBefore(),
  after: await one.shapeAfter(),
  isDeleted: one.after === undefined,
  lines: one.after?.source.text.split(/\r\n|\r|\n/) ?? [],
});

const fromImport = (found: ImportFinding): Finding => {
  const { path, line, what, from, name, target, nearest, slipOf, isUnsure } = found;
  const offered = nearest.length === 0 ? "" : `; nearest: ${nearest.join(", ")}`;
  const messages = {
    name: `'${name}' at line ${line} is not exported by ${target ?? from}${offered}`,
    module: `'${from}' at line ${line} does not exist in this project${offered}`,
    member: `'${name}' at line ${line} does not exist: the module ${from} has no such member${offered}`,
    package: isUnsure
      ? `the package '${name}' at line ${line} is declared nowhere${offered}`
      : `the package '${name}' at line ${line} is neither declared nor installed${offered}`,
  };
  const remedies = {
    name: `Import a name that ${target ?? from} exports, or export '${name}' there.`,
    module: "Correct the path, or add the file.",
    member: `Import something that ${from} has${nearest[0] === undefined ? "" : `, as ${nearest[0]}`}.`,
    package: "Declare it with the project's other packages, or import one that is declared.",
  };
  return {
    level: isUnsure ? "note" : "deny",
    // The project cannot add a member to the language's own library.
    ...(what !== "member" &&
      !isUnsure && {
        later: {
          missing: what === "name" ? `${name} from ${from}` : name,
          ...(slipOf !== undefined && { slipOf }),
        },
      }),
    code: "IMPORT_UNKNOWN",
    ...{ path, line },
    message: messages[what],
    remedy: remedies[what],
  };
};

const sitesMax = 20;

const fromRemoval = ({ path, name, sites }: RemovalFinding): Finding => {
  const list = sites.slice(0, sitesMax).map((site) => `${site.path}:${site.line}`);
  const more = sites.length > sitesMax ? ", …" : "";
  const what = name === "" ? path : `'${name}'`;
  return {
    level: "deny",
    later: { missing: name === "" ? path : name },
    code: "SYMBOL_REMOVED",
    path,
    ...(name !== "" && { symbol: name }),
    message: `${what} is gone, but still imported: ${list.join(", ")}${more}`,
    remedy: "Change these imports, or keep the name.",
  };
};
