import { agentsFolder } from "./place.ts";

export interface DiffedText {
  /** In the agents' folder. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** In git's form, without colours. */
export const textDiff = async (changes: readonly DiffedText[]): Promise<string> => {
  const changed = changes.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return "";
  const { createTwoFilesPatch } = await import("diff");
  return changed
    .map(({ file, before, after }) => {
      const path = `${agentsFolder}/${file}`;
      const [from, to] = [
        before === null ? "/dev/null" : `a/${path}`,
        after === null ? "/dev/null" : `b/${path}`,
      ];
      const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
        context: 3,
      });
      return `diff --git a/${path} b/${path}\n${patch.replace(/^=+\n/, "")}`;
    })
    .join("");
};
