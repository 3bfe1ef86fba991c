/** E-18: methods that a change takes away while objects of their class are still asked for them. */
import type { OutlineSymbol, Reference } from "../types.ts";
import { findCallee } from "./arguments/callee.ts";
import { type ArgumentContext, callersElsewhere, openWorlds } from "./arguments/check-arguments.ts";
import { isDoubtful } from "./arguments/doubts.ts";
import type { World } from "./find-definition.ts";
import { absentMember } from "./project-members.ts";
import type { EditedFile } from "./types.ts";

export interface RemovedMember {
  /** Where it was. */
  readonly path: string;
  readonly symbol: string;
  readonly sites: readonly { readonly path: string; readonly line: number }[];
}

export const checkRemovedMembers = async (
  files: readonly EditedFile[],
  { universe, outlineOf, parseTree }: ArgumentContext,
): Promise<RemovedMember[]> => {
  const removed = new Set(files.flatMap(removedMethods));
  if (removed.size === 0) return [];
  const names = new Set([...removed].map((id) => id.slice(id.lastIndexOf(".") + 1)));
  const edited = new Map(files.map((one) => [one.path, one]));
  const { now, after: then } = openWorlds(files, { universe, outlineOf });
  const sites = new Map<string, { path: string; line: number }[]>();
  for (const path of [...edited.keys(), ...callersElsewhere(names, universe, edited)]) {
    const [before, after] = [await now.outlineOf(path), await then.outlineOf(path)];
    if (!before || !after) continue;
    for (const reference of after.outline.references.filter((one) => isAsked(one, names))) {
      const meant = await findCallee(reference, { path, analysed: before }, now);
      const id = meant && `${meant.path}\0${meant.symbol.path}`;
      if (!meant || id === undefined || !removed.has(id)) continue;
      if (await isDoubtful(reference, { path, analysed: before }, meant, now, parseTree)) continue;
      if (!(await absentMember(reference, { path, analysed: after }, then))) continue;
      sites.set(id, [...(sites.get(id) ?? []), { path, line: reference.line }]);
    }
  }
  return Array.from(sites, ([id, found]) => {
    const [path = "", symbol = ""] = id.split("\0");
    return { path, symbol, sites: found };
  });
};

/** Whether a method that is gone is still asked for. */
export const isStillCalled = async (symbol: string, world: World): Promise<boolean> => {
  const [owner = "", name = ""] = symbol.split(".").slice(-2);
  for (const path of world.universe.filesWith(name)) {
    const analysed = await world.outlineOf(path);
    for (const reference of analysed?.outline.references ?? []) {
      if (!analysed || !isAsked(reference, new Set([name]))) continue;
      const absent = await absentMember(reference, { path, analysed }, world);
      if (absent?.chain?.classes[0]?.symbol.name === owner) return true;
    }
  }
  return false;
};

const isAsked = ({ receiver, name, kind }: Reference, names: ReadonlySet<string>): boolean =>
  receiver !== undefined && kind === "member-call" && names.has(name);

/** Each as its file and its path in it. */
const removedMethods = ({ path, before, after }: EditedFile): string[] => {
  const left = new Set(after ? methodsIn(after.outline.symbols) : []);
  const had = before ? methodsIn(before.outline.symbols) : [];
  return had.filter((one) => !left.has(one)).map((one) => `${path}\0${one}`);
};

const methodsIn = (symbols: readonly OutlineSymbol[]): string[] =>
  symbols.flatMap(({ kind, path, children }) => [
    ...(kind === "method" ? [path] : []),
    ...methodsIn(children),
  ]);
