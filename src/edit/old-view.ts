/**
 * E-07: who changes something must have seen what is there. What an actor last saw of a file is known by
 * its hash; where that version is still kept, only the symbol itself counts, so that others may work
 * elsewhere in the file.
 */
import { contentHash } from "../state/index.ts";
import type { SeenFiles, Tree } from "../gate/index.ts";
import { type Analyser, symbolText } from "../structure/index.ts";
import type { EditResult, Operation } from "./types.ts";

export interface ViewOptions {
  readonly tree: Tree;
  readonly analyser: Analyser;
  readonly seen: SeenFiles;
  readonly actor: string;
  /** A version that is kept, by its hash. */
  readonly kept: (hash: string) => Buffer | undefined;
}

/** A refusal when an operation is made for something that somebody else has changed meanwhile. */
export const oldView = async (
  operations: readonly Operation[],
  options: ViewOptions,
): Promise<Extract<EditResult, { ok: false }> | undefined> => {
  for (const operation of operations) {
    if (!("file" in operation)) continue;
    const now = options.tree.read(operation.file);
    if (!now) continue;
    const known =
      "seen" in operation && operation.seen !== undefined
        ? operation.seen
        : await options.seen.lastSeen(options.actor, operation.file);
    if (known === undefined || known === contentHash(now)) continue;
    const what = await whatChanged(operation, { ...options, now, known });
    if (what === undefined) continue;
    // The answer shows what is there, so that the next attempt is made with open eyes.
    await options.seen.remember(options.actor, [{ path: operation.file, hash: contentHash(now) }]);
    return refusal(operation.file, what);
  }
  return undefined;
};

const refusal = (path: string, message: string): Extract<EditResult, { ok: false }> => ({
  ok: false,
  code: "STALE_VIEW",
  reasons: [
    {
      code: "STALE_VIEW",
      path,
      message,
      remedy: "Make the change on what is there now, and repeat it.",
    },
  ],
  diff: "",
  message: message.split("\n", 1)[0] ?? message,
});

const whatChanged = async (
  operation: Operation,
  { now, known, kept, analyser }: ViewOptions & { readonly now: Buffer; readonly known: string },
): Promise<string | undefined> => {
  if (operation.do === "write" || operation.do === "delete") {
    return `${operation.file} has changed since you last saw it; nothing was written`;
  }
  if (!("symbol" in operation)) return undefined;
  const old = kept(known);
  if (!old) return undefined;
  const { file, symbol } = operation;
  const [before, after] = await Promise.all([
    analyser.outline(old, file),
    analyser.outline(now, file),
  ]);
  const [was, is] = [symbolText(before, symbol), symbolText(after, symbol)];
  if (was === undefined || is === undefined || was === is) return undefined;
  return `'${symbol}' in ${file} has changed since you last saw it; nothing was written\n--- now\n${is}`;
};
