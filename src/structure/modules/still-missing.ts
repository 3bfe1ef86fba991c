/** Whether an open end of imports and exports is still one; in doubt it is closed, the commit judges in earnest. */
import { stemOf } from "../references/module-names.ts";
import { importedBy, importState, namedMembers } from "./check-imports.ts";
import type { ImportedName } from "./module-shape.ts";
import type { ModuleView } from "./module-view.ts";

export interface ImportEnd {
  readonly code: string;
  readonly path: string;
  readonly missing: string;
}

/** Undefined for ends of other rules. */
export const isStillMissing = async (
  end: ImportEnd,
  view: ModuleView,
): Promise<boolean | undefined> => {
  if (end.code === "NAME_DANGLING") return isStillUnbound(end, view);
  if (end.code === "IMPORT_UNKNOWN") return isStillUnknown(end, view);
  return end.code === "SYMBOL_REMOVED" ? isStillImported(end, view) : undefined;
};

const isStillUnbound = async ({ path, missing }: ImportEnd, view: ModuleView): Promise<boolean> => {
  const shape = await view.shape(path);
  if (!shape) return false;
  const member = /^this\.(.+)$/.exec(missing)?.[1];
  return member === undefined
    ? shape.unbound.some(({ name }) => name === missing)
    : shape.classes.some(({ uses }) => uses.some(({ name }) => name === member));
};

const isStillUnknown = async ({ path, missing }: ImportEnd, view: ModuleView): Promise<boolean> => {
  const shape = await view.shape(path);
  if (!shape) return false;
  const isIt = ({ from, name }: ImportedName): boolean =>
    `${name} from ${from}` === missing ||
    from === missing ||
    from.startsWith(`${missing}/`) ||
    from.startsWith(`${missing}.`);
  for (const one of [...importedBy(shape), ...namedMembers(shape)]) {
    if (isIt(one) && (await importState(one, path, view)) === "missing") return true;
  }
  return false;
};

const isStillImported = async (
  { path, missing }: ImportEnd,
  view: ModuleView,
): Promise<boolean> => {
  const isModule = missing === path;
  const stem = stemOf(path);
  const files = isModule
    ? [...view.importing(stem), ...view.filesWith(stem)]
    : view.filesWith(missing);
  for (const file of new Set(files)) {
    const shape = file === path ? undefined : await view.shape(file);
    if (!shape) continue;
    for (const one of [...importedBy(shape), ...namedMembers(shape)]) {
      const isMeant = isModule
        ? one.from.endsWith(stem) || one.name === stem
        : one.name === missing;
      if (isMeant && (await importState(one, file, view)) === "missing") return true;
    }
  }
  return false;
};
