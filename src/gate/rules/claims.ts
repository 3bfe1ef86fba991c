/**
 * The targets a write holds, and who claimed them. The changed symbols are shown as held by the edit; what keeps two
 * edits apart are their lines. A claim that was asked for stops every other writer.
 */
import { shellWord } from "../../base/shell-word.ts";
import { dirname } from "node:path";
import { limits } from "../../base/limits.ts";
import { type Blocker, type Claims, spellSymbol, type TargetInput } from "../../claims/index.ts";
import type { FileCase } from "../file-case.ts";
import { heldParts } from "../held-parts.ts";
import type { Finding } from "./rule.ts";

/** The parts of a file that a change touches, as targets; `root` makes them independent of the caller's folder. */
export const targetsOf = (file: FileCase, root: string): TargetInput[] => {
  const path = `${root}/${file.path}`;
  const parts = heldParts(file);
  const symbols = new Set(parts.map(({ names }) => spellSymbol(names)));
  // A name without a spelling (empty, or longer than a target may be) is held with its file.
  if (symbols.size === 0 || symbols.has(undefined)) return [{ path, extent: "file" }];
  return [...symbols].flatMap((symbol) =>
    symbol === undefined ? [] : [{ path, extent: "file" as const, symbol }],
  );
};

/** A claim names only so many targets: then whole files are claimed, then the folder around them all. */
export const targetsOfAll = (files: readonly FileCase[], root: string): TargetInput[] => {
  const symbols = files.flatMap((file) => targetsOf(file, root));
  if (symbols.length <= limits.claimTargetsMax) return symbols;
  const paths = files.map(({ path }) => `${root}/${path}`);
  if (paths.length <= limits.claimTargetsMax) {
    return paths.map((path) => ({ path, extent: "file" }));
  }
  let folder = paths[0] ?? root;
  for (const path of paths) while (!path.startsWith(`${folder}/`)) folder = dirname(folder);
  return [{ path: folder, extent: "tree" }];
};

/** Looks whether somebody else holds what is to be changed; takes nothing. */
export const heldByOthers =
  (claims: Pick<Claims, "check">, root: string) =>
  async (cases: readonly FileCase[]): Promise<readonly Finding[]> => {
    const targets = lookedAt(cases, root);
    const found = new Map<string, Blocker>();
    for (let from = 0; from < targets.length; from += limits.claimTargetsMax) {
      const part = targets.slice(from, from + limits.claimTargetsMax);
      const { blockers } = await claims.check(part, { mode: "edit" });
      for (const blocker of blockers) found.set(blocker.id, blocker);
    }
    return [...found.values()].map((blocker) => conflictFinding(blocker, cases[0]?.path ?? ""));
  };

/** A change in very many places is asked about file by file. */
const lookedAt = (cases: readonly FileCase[], root: string): TargetInput[] => {
  const symbols = cases.flatMap((file) => targetsOf(file, root));
  if (symbols.length <= symbolsMax) return symbols;
  return cases.map(({ path }) => ({ path: `${root}/${path}`, extent: "file" }));
};

const symbolsMax = 4 * limits.claimTargetsMax;

export const conflictFinding = (blocker: Blocker, path: string): Finding => {
  const [file = path, symbol] = (blocker.blocks?.[0] ?? path).split("#");
  const evidence = blocker.liveness.evidence.join(", ");
  const target = shellWord(blocker.target);
  const why = blocker.reason === "" ? "" : `: ${blocker.reason}`;
  return {
    level: "deny",
    code: "CLAIM_CONFLICT",
    path: file,
    ...(symbol !== undefined && { symbol }),
    message: `${blocker.target} is claimed by ${blocker.actor}${why} (${blocker.id}, until ${blocker.expiresAt}; ${evidence})`,
    remedy: `Wait for it (headgate wait ${target}), ask its holder (headgate ask ${target} WHY), or work elsewhere: an agent gets a notice when it is free.`,
  };
};
