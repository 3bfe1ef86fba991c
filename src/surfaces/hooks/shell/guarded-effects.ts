/** A command that certainly writes or deletes files that only a person changes (T-07). */
import { systemFiles } from "../../../base/files.ts";
import type { Reason } from "../../../gate/index.ts";
import { endOf, lookAt } from "./file-targets.ts";
import type { Effect, ShellContext } from "./types.ts";

export const guardedReason = (
  effect: Effect,
  { guard, files = systemFiles }: ShellContext,
): Reason | undefined => {
  if (guard === undefined || effect.kind === "git") return undefined;
  /** A link is moved or deleted itself, not what it leads to. */
  const reach = (path: string) =>
    lookAt(path, files)?.isSymbolicLink() === true ? "name" : "tree";
  if (effect.kind === "move") {
    const { path, to, into } = effect;
    return guard(path, reach(path)) ?? guard(endOf(to, into, files), "name");
  }
  const { path, into, isTree } = effect;
  if (effect.kind === "delete") return guard(path, isTree ? reach(path) : "name");
  return guard(endOf(path, into, files), isTree ? "tree" : "file");
};
