/** Imports and exports of the project's files: what is asked for and not there, what is taken away and still used. */
export { checkDangling, type DanglingName, isScriptGlobal } from "./check-dangling.ts";
export {
  asksProject,
  type ChangedModule,
  checkImports,
  type ImportFinding,
  importState,
  type ModuleViews,
} from "./check-imports.ts";
export { checkRemovals, type RemovalFinding } from "./check-removals.ts";
export { missingGoCalls, type MissingGoCall } from "./go-packages.ts";
export type { ImportedName, ModuleShape } from "./module-shape.ts";
export { shapedLanguages } from "./outline-shape.ts";
export type { ModuleView } from "./module-view.ts";
export { isStillMissing } from "./still-missing.ts";
