import type { Hunk } from "./hunks.ts";

/** What a patch does to one file, whichever way it was written down. */
export type FilePatch =
  | {
      readonly do: "create";
      readonly path: string;
      readonly content: string;
      readonly mode?: number;
    }
  | { readonly do: "delete"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly do: "update";
      readonly path: string;
      readonly to?: string;
      readonly hunks: readonly Hunk[];
    };

/** From lines marked with blank, minus and plus. */
export const hunkOf = (
  marked: readonly string[],
  rest: Omit<Hunk, "old" | "new" | "kept">,
): Hunk => {
  const old: string[] = [];
  const added: string[] = [];
  const kept: (number | undefined)[] = [];
  for (const line of marked) {
    const text = line.slice(1);
    if (line.startsWith("+")) {
      added.push(text);
      kept.push(undefined);
      continue;
    }
    if (!line.startsWith("-")) {
      added.push(text);
      kept.push(old.length);
    }
    old.push(text);
  }
  return { ...rest, old, new: added, kept };
};
