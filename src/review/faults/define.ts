/** How the bank is written: the defect's line ends with `◀`, so that nobody counts lines. */
import { assert } from "../../base/assert.ts";
import type { CleanProbe, PlantedFault } from "./types.ts";

const mark = "◀";

export const fault = (
  id: string,
  facts: Pick<PlantedFault, "severity" | "path" | "about"> & {
    readonly reviewers?: readonly string[];
    readonly domains?: readonly string[];
  },
  text: string,
): PlantedFault => {
  const lines = text.replace(/^\n/, "").split("\n");
  const at = lines.findIndex((line) => line.endsWith(mark));
  assert(at >= 0 && lines.filter((line) => line.endsWith(mark)).length === 1, `${id}: one ${mark}`);
  const [reviewer = ""] = id.split("/");
  return {
    id,
    reviewers: facts.reviewers ?? [reviewer],
    domains: facts.domains ?? [],
    severity: facts.severity,
    path: facts.path,
    about: facts.about,
    content: lines.map((line) => line.replace(mark, "").trimEnd()).join("\n"),
    line: at + 1,
  };
};

export const clean = (id: string, path: string, text: string): CleanProbe => {
  const [reviewer = ""] = id.split("/");
  return { id, reviewers: [reviewer], path, content: text.replace(/^\n/, "") };
};
