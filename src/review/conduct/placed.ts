/** Reports whose findings are where the reviewed version says. */
import { limits } from "../../base/limits.ts";
import { systemFiles } from "../../base/files.ts";
import { resolvePlaces, type PlacedFile } from "../report/resolve-places.ts";
import { readContent } from "../subject/place.ts";
import type { Subject } from "../subject/types.ts";
import type { Report } from "../types.ts";
import type { ReviewParts } from "./types.ts";

export const placer = async (
  { analyser, repository }: Pick<ReviewParts, "analyser" | "repository">,
  subject: Subject,
): Promise<(report: Report) => Report> => {
  const files: PlacedFile[] = [];
  for (const { path, oldPath, after } of subject.files) {
    const isOutlined = after !== undefined && files.length < outlinedMax;
    const symbols = isOutlined ? await symbolsIn(analyser, after, path) : undefined;
    files.push({ path, oldPath, text: after, symbols });
  }
  const place = {
    ...{ worktree: repository.worktree, cwd: repository.worktree, files: systemFiles },
    ...{ caseInsensitive: repository.caseInsensitive, checkStopped: () => undefined },
  };
  const known = new Map<string, string | undefined>();
  const readText = (path: string): string | undefined => {
    if (path.startsWith("/") || path.split("/").includes("..") || path.includes("\0"))
      return undefined;
    if (!known.has(path) && known.size < elsewhereMax) {
      const found = readContent(place, path);
      known.set(path, found.state === "read" ? found.content.toString("utf8") : undefined);
    }
    return known.get(path);
  };
  return (report) => ({
    ...report,
    findings: resolvePlaces(report.findings, { files, textOf: readText }),
  });
};

const symbolsIn = async (
  analyser: ReviewParts["analyser"],
  text: string,
  path: string,
): Promise<PlacedFile["symbols"]> =>
  text.length > limits.structureBytesMax
    ? undefined
    : (await analyser.outline(text, path)).outline.symbols;

/** A whole tree is not parsed for it: without symbols distance decides. */
const outlinedMax = 300;
/** Files outside of the change that reports cite. */
const elsewhereMax = 500;
