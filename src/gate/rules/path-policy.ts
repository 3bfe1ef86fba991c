/** Where a write may go at all. Looked at before anything is read. */
import { spellingProblem } from "../../base/path-spelling.ts";
import { showText } from "../../base/text.ts";
import type { PathFacts, Tree } from "../tree.ts";
import type { Reason } from "../types.ts";
import type { Finding } from "./rule.ts";

export interface PathPolicy {
  readonly platform?: NodeJS.Platform;
  /** Whether a configured pattern protects this path; the pattern if so. */
  readonly protectedBy?: (path: string) => string | undefined;
  /** Whether it is what arms the gate, by where it is on this machine (guard.ts). */
  readonly guarded?: (path: string) => Reason | undefined;
}

export const checkPath = (path: string, tree: Tree, policy: PathPolicy): Finding | undefined => {
  const refuse = (code: string, message: string, remedy: string): Finding => ({
    level: "deny",
    code,
    path,
    message,
    remedy,
  });
  const shown = showText(path);
  const spelling = spellingProblem(path, policy.platform ?? "linux");
  const names = path.split("/");
  if (spelling !== undefined || names.includes("..") || path.startsWith("/")) {
    return refuse(
      "PATH_OUTSIDE",
      spelling ?? `${shown} leads out of the repository`,
      "Name a path relative to the repository's root, with / between names and without ..",
    );
  }
  const lower = names.map((name) => name.toLowerCase().replace(/(?<![. ])[. ]+$/, ""));
  if (lower.includes(".git") || lower.some((name) => /^git~\d+$/.test(name))) {
    return refuse(
      "PATH_GIT",
      `${shown} belongs to git`,
      "Use git commands to change what git keeps.",
    );
  }
  if (lower[0] === ".headgate") {
    return refuse(
      "PATH_OWN",
      `${shown} belongs to Headgate`,
      "Use headgate commands; a person can change .headgate/config.jsonc by hand.",
    );
  }
  const guarded = policy.guarded?.(path);
  if (guarded) return refuse(guarded.code, guarded.message, guarded.remedy);
  const pattern = policy.protectedBy?.(path);
  if (pattern !== undefined) {
    return refuse(
      "PATH_PROTECTED",
      `${shown} is protected by the pattern ${showText(pattern)}`,
      "Ask the owner of the repository, who can change `gate.protect` in the configuration.",
    );
  }
  const facts = tree.facts?.(path);
  return facts && refuseByFacts(facts, shown, refuse);
};

const refuseByFacts = (
  { kind, otherNames, linkAbove, fileAbove }: PathFacts,
  shown: string,
  refuse: (code: string, message: string, remedy: string) => Finding,
): Finding | undefined => {
  if (linkAbove !== undefined) {
    return refuse(
      "PATH_LINK",
      `${shown} is behind the link ${showText(linkAbove)}`,
      "Name the file by its real path inside the repository.",
    );
  }
  if (fileAbove !== undefined) {
    return refuse("PATH_SPECIAL", `${showText(fileAbove)} is not a folder`, "Choose another path.");
  }
  if (kind === "link") {
    return refuse(
      "PATH_LINK",
      `${shown} is a link`,
      "Name the file it leads to, or delete the link first.",
    );
  }
  if (kind === "folder" || kind === "special") {
    const what = kind === "folder" ? "a folder" : "not a regular file";
    return refuse("PATH_SPECIAL", `${shown} is ${what}`, "Name a regular file.");
  }
  if (otherNames > 0) {
    return refuse(
      "PATH_HARD_LINK",
      `${shown} has ${otherNames} other name${otherNames === 1 ? "" : "s"} (hard links), which would be changed or cut off`,
      "Make it a file of its own first (cp, then mv).",
    );
  }
  return undefined;
};
