/** The guides that come with the package: `headgate help docs/git.md`, `headgate help --man`. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { packageRoot } from "../setup/packaged.ts";

/** `git`, `git.md` or `docs/git.md`; undefined where no guide has the name. */
export const readGuide = (name: string): string | undefined => {
  const page = /^(?:docs\/)?([A-Za-z][\w-]*?)(?:\.md)?$/.exec(name)?.[1];
  if (page === undefined) return undefined;
  const path = join(packageRoot(), "docs", `${page}.md`);
  return systemFiles.stat(path)?.isFile() ? readPage(path) : undefined;
};

/** As text: the marks of the man page's own language are taken out. */
export const readManPage = (): string => {
  const path = join(packageRoot(), "man/headgate.1");
  if (!systemFiles.stat(path)?.isFile()) {
    throw new HeadgateError("INTERNAL", "the man page of this package is missing");
  }
  return asText(readPage(path));
};

const readPage = (path: string): string => systemFiles.readFile(path).toString("utf8").trimEnd();

const asText = (page: string): string =>
  page
    .split("\n")
    .flatMap((line) => {
      const [, macro = "", rest = ""] = /^\.([A-Za-z\\"]+)\s*(.*)$/.exec(line) ?? [];
      if (macro === "") return [line];
      if (macro === "TH" || macro.startsWith("\\")) return [];
      if (macro === "SH" || macro === "SS") return ["", plain(rest)];
      if (macro === "PP" || macro === "P" || macro === "TP") return [""];
      return rest === "" ? [] : [plain(rest)];
    })
    .map(plain)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

const plain = (text: string): string =>
  text
    .replaceAll(/\\f[A-Z]/g, "")
    .replaceAll(/\\\(aq/g, "'")
    .replaceAll("\\-", "-")
    .replaceAll("\\e", "\\")
    .replaceAll("\\&", "")
    .replaceAll(/^"(.*)"$/g, "$1");
