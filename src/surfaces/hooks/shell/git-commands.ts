/** Git commands that change the index or the working tree: what of it, and whose work is in danger. */
import { type Arguments, hasFlag, readArguments, valueOf } from "./program-arguments.ts";
import type { Word } from "./syntax-tree.ts";
import type { GitEffect } from "./types.ts";

/** "nothing": it is known to change neither. */
export type GitFacts =
  | "nothing"
  | (Pick<GitEffect, "touches" | "harm" | "dirty" | "only"> & {
      /** The command with the option that makes it dangerous. */
      readonly by?: string;
      readonly paths?: readonly Word[];
      /** The commit that files are taken from; undefined: the index. */
      readonly source?: Word | undefined;
    });

type GitCommand = (words: readonly Word[]) => GitFacts;

const everything = ["index", "head", "worktree"] as const;

/** Puts other commits' files in the place of these. */
const replays: GitCommand = (words) => {
  if (words.some(({ text }) => /^--(?:quit|show-current-patch|edit-todo)$/.test(text))) {
    return "nothing";
  }
  const isBack = words.some(({ text }) => /^--(?:abort|skip)$/.test(text));
  return { touches: everything, harm: isBack ? "loses" : "moves", dirty: "all" };
};

/** What is named behind `--`, or all operands from `from` on. */
const pathsOf = ({ operands, dashesAt }: Arguments, from = 0): readonly Word[] =>
  operands.slice(dashesAt ?? from);

const isWholeTree = (words: readonly Word[]): boolean =>
  words.some(({ text }) => [":/", ":/*", ":(top)"].includes(text));

const reset: GitCommand = (words) => {
  const args = readArguments(words, { longValued: ["pathspec-from-file"] });
  if (hasFlag(args, "--hard", "--merge", "--keep")) {
    const by = hasFlag(args, "--hard") ? "reset --hard" : "reset --merge";
    return { by, touches: everything, harm: "loses", dirty: "all" };
  }
  if (hasFlag(args, "-p", "--patch")) return { touches: ["index"], harm: "none", dirty: "none" };
  const isPaths = args.dashesAt !== undefined && args.operands.length > args.dashesAt;
  const touches =
    isPaths || args.operands.length === 0 ? (["index"] as const) : (["index", "head"] as const);
  return { touches, harm: "none", dirty: "none" };
};

const checkout: GitCommand = (words) => {
  const args = readArguments(words, { valued: "bB", longValued: ["orphan", "conflict"] });
  const { operands, dashesAt } = args;
  if (dashesAt !== undefined && operands.length > dashesAt) {
    return overwrites("checkout --", pathsOf(args), operands.slice(0, dashesAt)[0]);
  }
  if (hasFlag(args, "-f", "--force")) {
    return { by: "checkout -f", touches: everything, harm: "loses", dirty: "all" };
  }
  const isNew = ["-b", "-B", "--orphan"].some((name) => args.values.has(name));
  if (isNew && operands.length === 0) return { touches: ["head"], harm: "none", dirty: "none" };
  if (isNew || hasFlag(args, "-d", "--detach", "-t", "--track")) {
    return { touches: everything, harm: "moves", dirty: "all" };
  }
  if (hasFlag(args, "-p", "--patch") || operands.length === 0) return "nothing";
  const source = operands.length > 1 && !operands.slice(0, 1).some(isDot) ? operands[0] : undefined;
  if (operands.some(isDot)) return overwrites("checkout", operands.filter(isDot), source);
  return { touches: everything, harm: "loses", dirty: "maybe", paths: operands, source };
};

const isDot = ({ text, known }: Word): boolean => known && /^\.{1,2}(?:\/|$)/.test(text);

const overwrites = (by: string, paths: readonly Word[], source?: Word): GitFacts => {
  if (isWholeTree(paths))
    return { by, touches: ["index", "worktree"], harm: "loses", dirty: "all", source };
  return { by, touches: [], harm: "loses", dirty: "paths", paths, only: "tracked", source };
};

const restore: GitCommand = (words) => {
  const args = readArguments(words, { valued: "s", longValued: ["source", "pathspec-from-file"] });
  if (hasFlag(args, "-S", "--staged") && !hasFlag(args, "-W", "--worktree")) {
    return { by: "restore --staged", touches: ["index"], harm: "none", dirty: "none" };
  }
  if (hasFlag(args, "-p", "--patch") || args.operands.length === 0) return "nothing";
  return overwrites("restore", args.operands, valueOf(args, "-s", "--source"));
};

const switchTo: GitCommand = (words) => {
  const args = readArguments(words, { valued: "cC", longValued: ["create", "orphan"] });
  if (hasFlag(args, "-f", "--force", "--discard-changes")) {
    return { by: "switch -f", touches: everything, harm: "loses", dirty: "all" };
  }
  const isNew = ["-c", "-C", "--create", "--orphan"].some((name) => args.values.has(name));
  if (isNew && args.operands.length === 0)
    return { touches: ["head"], harm: "none", dirty: "none" };
  return { touches: everything, harm: "moves", dirty: "all" };
};

const clean: GitCommand = (words) => {
  const args = readArguments(words, { valued: "e", longValued: ["exclude"] });
  const { operands } = args;
  if (hasFlag(args, "-n", "--dry-run") || !hasFlag(args, "-f", "--force")) return "nothing";
  const facts = {
    by: "clean -f",
    touches: ["worktree"],
    harm: "loses",
    only: "untracked",
  } as const;
  if (operands.length === 0) return { ...facts, dirty: "all" };
  return { ...facts, dirty: "paths", paths: operands };
};

const stash: GitCommand = (words) => {
  const [verb] = words;
  const isVerb = verb !== undefined && !verb.text.startsWith("-");
  const name = isVerb ? verb.text : "push";
  if (/^(?:list|show|create)$/.test(name)) return "nothing";
  if (/^(?:drop|clear|store)$/.test(name)) {
    return { by: `stash ${name}`, touches: ["stash"], harm: "none", dirty: "none" };
  }
  const touches = ["stash", "index", "worktree"] as const;
  if (/^(?:pop|apply|branch)$/.test(name)) {
    // It writes over clean files only, and stops at dirty ones.
    return { by: `stash ${name}`, touches, harm: "none", dirty: "none" };
  }
  if (name !== "push" && name !== "save") return "nothing";
  const args = readArguments(isVerb ? words.slice(1) : words, {
    valued: "m",
    longValued: ["message"],
  });
  const paths = name === "save" ? [] : args.operands;
  const only = hasFlag(args, "-u", "-a", "--include-untracked", "--all")
    ? {}
    : ({ only: "tracked" } as const);
  if (paths.length === 0) return { by: "stash", touches, harm: "loses", dirty: "all", ...only };
  return { by: "stash", touches: ["stash"], harm: "loses", dirty: "paths", paths, ...only };
};

const add: GitCommand = (words) => {
  const args = readArguments(words, { longValued: ["pathspec-from-file", "chmod"] });
  if (hasFlag(args, "-n", "--dry-run", "-p", "--patch", "-i", "--interactive", "-N"))
    return "nothing";
  const facts = { touches: ["index"], harm: "takes" } as const;
  const isUpdate = hasFlag(args, "-u", "--update");
  const only = isUpdate ? ({ only: "tracked" } as const) : {};
  const isAll = isUpdate || hasFlag(args, "-A", "--all", "--no-ignore-removal");
  if (args.operands.length > 0 && !isWholeTree(args.operands)) {
    return { ...facts, by: "add", dirty: "paths", paths: args.operands, ...only };
  }
  if (!isAll && args.operands.length === 0) return "nothing";
  return { ...facts, by: isUpdate ? "add -u" : "add -A", dirty: "all", ...only };
};

export const commitArguments = {
  valued: "mFcCtS",
  longValued: ["message", "file", "author", "date", "template", "trailer", "reuse-message"],
} as const;

const commit: GitCommand = (words) => {
  const args = readArguments(words, commitArguments);
  if (hasFlag(args, "--dry-run")) return "nothing";
  const facts = { touches: ["index", "head"], harm: "takes" } as const;
  if (hasFlag(args, "-a", "--all")) {
    return { ...facts, by: "commit -a", dirty: "all", only: "tracked" };
  }
  if (args.operands.length > 0)
    return { ...facts, by: "commit", dirty: "paths", paths: args.operands };
  return { ...facts, by: "commit", harm: "none", dirty: "none" };
};

const bisect: GitCommand = ([verb]) =>
  /^(?:log|view|terms|help)$/.test(verb?.text ?? "help")
    ? "nothing"
    : { touches: everything, harm: "moves", dirty: "all" };

export const gitCommands: ReadonlyMap<string, GitCommand> = new Map<string, GitCommand>([
  ["reset", reset],
  ["checkout", checkout],
  ["restore", restore],
  ["switch", switchTo],
  ["clean", clean],
  ["stash", stash],
  ["add", add],
  ["stage", add],
  ["commit", commit],
  ["bisect", bisect],
  ...["rebase", "merge", "pull", "cherry-pick", "revert", "am"].map(
    (name) => [name, replays] as [string, GitCommand],
  ),
  ["update-ref", () => ({ touches: ["head"], harm: "none", dirty: "none" })],
  ["init", () => "nothing"],
  ["clone", () => "nothing"],
]);
