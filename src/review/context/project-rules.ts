/**
 * The rules of a project for all who work on it or review it. Read from the commit that the change starts from: a
 * change cannot write the rules by which it is reviewed.
 */
import { posix } from "node:path";
import { type Git, readBlobs, splitNul } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import type { RuleFile } from "./types.ts";

const names = ["REVIEW.md", "AGENTS.md", "CLAUDE.md", ".cursor/BUGBOT.md", "GEMINI.md"];
/** Only at the root. */
const rootNames = [".github/copilot-instructions.md", ".cursorrules"];

export const readProjectRules = async (
  git: Git,
  revision: string,
  changed: readonly string[],
): Promise<RuleFile[]> => {
  const folders = new Set(changed.flatMap(foldersAbove));
  const wanted = [...folders].flatMap((folder) => names.map((name) => posix.join(folder, name)));
  const { stdout } = await git.run({
    args: ["ls-tree", "-z"],
    revisions: [revision],
    paths: [...wanted, ...rootNames].slice(0, pathsMax),
  });
  const found = splitNul(stdout).flatMap((line) => {
    const [, name = "", path = ""] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return path === "" ? [] : [{ name, path }];
  });
  const blobs = await readBlobs(
    git,
    found.map(({ name }) => name),
    { bytesMax: limits.reviewRulesBytesMax },
  );
  const texts = new Set<string>();
  return found.flatMap(({ name, path }) => {
    const text = plainRules(blobs.get(name)?.toString("utf8") ?? "");
    // CLAUDE.md is often AGENTS.md under another name.
    if (text === "" || texts.has(text)) return [];
    texts.add(text);
    return [{ path, text }];
  });
};

/** Those of a file's own folder first, then up to the root. */
export const nearestRules = (rules: readonly RuleFile[], paths: readonly string[]): RuleFile[] => {
  const depth = ({ path }: RuleFile): number => folderRuled(path).split("/").filter(Boolean).length;
  const isAbove = ({ path }: RuleFile): boolean => {
    const folder = folderRuled(path);
    return folder === "" || paths.some((one) => one.startsWith(`${folder}/`));
  };
  const rank = ({ path }: RuleFile): number => {
    const at = names.findIndex((name) => path.endsWith(name));
    return at < 0 ? names.length : at;
  };
  return rules.filter(isAbove).toSorted((a, b) => depth(b) - depth(a) || rank(a) - rank(b));
};

/** The folder that a rule file speaks for: `.cursor` and `.github` speak for the one above. */
const folderRuled = (path: string): string => {
  const folder = posix.dirname(path).replace(/(^|\/)\.(?:cursor|github)$/, "");
  return folder === "." ? "" : folder;
};

const pathsMax = 1000;

const foldersAbove = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return [".", ...parts.map((_, at) => parts.slice(0, at + 1).join("/"))];
};

/** Without what Headgate itself writes there for agents that edit, and without lines that only include another file. */
const plainRules = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/<!-- headgate:begin -->[^]*?<!-- headgate:end -->/g, "")
    .replace(/^@\S+[ \t]*$/gm, "")
    .trim();
