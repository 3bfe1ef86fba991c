/** A plan as a unified diff. Code that comes with Headgate is named, not shown. */
import { createTwoFilesPatch } from "diff";
import type { PlannedFile } from "./types.ts";

export const planDiff = (files: readonly PlannedFile[]): string =>
  files
    .filter(({ isPackaged }) => !isPackaged)
    .map(({ path, before, after }) => {
      const [from, to] = [before ? `a/${path}` : "/dev/null", after ? `b/${path}` : "/dev/null"];
      const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), "", "", {
        context: 3,
      });
      return patch.replace(/^=+\n/, "").replace(/^(---|\+\+\+ )(.*)\t$/gm, "$1$2");
    })
    .join("");

const textOf = (bytes: Buffer | undefined): string => bytes?.toString("utf8") ?? "";
