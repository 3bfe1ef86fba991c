/** What a git command does to the working tree, the index and other people's uncommitted work. */
import { gitCommands, type GitFacts } from "./git-commands.ts";
import { patchEffects } from "./patch-effects.ts";
import type { Place } from "./effect-sink.ts";
import { asksForNoHooks, isHiding, personalSetting } from "./git-settings.ts";
import { part, readArguments } from "./program-arguments.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

export const runGit = (words: readonly Word[], outer: Running): void => {
  const front = readFront(words, outer);
  if (front === undefined) return;
  const { command, rest, running, skipsHooks } = front;
  const { sink, place } = running;
  const { text, known } = command;
  if (rest.some((word) => word.text.startsWith("--output"))) sink.unsure("git writes a file");
  if (known && reading.has(text)) {
    // It changes nothing here, but one of our hooks looks at it.
    const isSkipping = sink.skipsHooks || sink.hasOtherSettings || skipsHooks;
    if (text === "push" && (isSkipping || asksForNoHooks(text, rest))) {
      addEffect(text, harmless, { rest, skipsHooks, running });
    }
    return;
  }
  if (text === "mv" || text === "rm") return runFiles(text, rest, running);
  if (text === "apply") return runApply(rest, running);
  if (text === "worktree") return runWorktree(rest, running);
  if (text === "config") return runConfig(rest, running, front.gitDir);
  if (text === "init" || text === "clone") sink.makesRepository = true;
  runInner(text, rest, running);
  const facts = known ? gitCommands.get(text)?.(rest) : undefined;
  if (facts === undefined) sink.unsure(`git ${known ? text : ""}`);
  else if (facts !== "nothing") addEffect(text, facts, { rest, skipsHooks, running });
  if (facts === undefined && place.cwd === undefined) sink.unsure("git somewhere");
};

const addEffect = (
  operation: string,
  facts: Exclude<GitFacts, "nothing">,
  options: {
    readonly rest: readonly Word[];
    readonly skipsHooks: boolean;
    readonly running: Running;
  },
): void => {
  const { rest, running } = options;
  const { sink, place } = running;
  const { by, touches, harm, dirty, only, paths = [], source } = facts;
  const located = paths.map((word) => sink.locate(word, place));
  // Behind a word that is worked out later there may be an option that changes everything.
  const isOpen = rest.some(({ known, text }) => !known && (text === "" || text.startsWith("-")));
  const isSure = !isOpen && !sink.hasGitVariables && place.cwd !== undefined && !place.isUnsure;
  const areKnown = located.every(({ certain }) => certain);
  const skips = options.skipsHooks || sink.skipsHooks || asksForNoHooks(operation, rest);
  if (skips || (sink.hasOtherSettings && runsHooks.has(operation))) {
    const where = sink.hasOtherRepository ? { ...place, cwd: undefined } : place;
    sink.person({ kind: "hooks", by: `git ${by ?? operation}` }, where);
  }
  sink.git(
    {
      operation,
      by: `git ${by ?? operation}`,
      certain: isSure && (dirty === "all" || dirty === "none" || areKnown),
      touches,
      harm,
      dirty,
      paths: located.map(({ path }) => path),
      at: place.cwd ?? "",
      ...(only && { only }),
      ...("source" in facts && (source?.known ?? true) && { source: source?.text ?? "" }),
    },
    place,
  );
};

const harmless = { touches: [], harm: "none", dirty: "none" } as const;

const runsHooks = new Set("commit merge push pull rebase cherry-pick revert am".split(" "));

/** Command lines that git runs: `rebase --exec`, `submodule foreach`, `bisect run`. */
const runInner = (command: string, words: readonly Word[], running: Running): void => {
  const lines: Word[] = [];
  if (command === "rebase") {
    for (const [index, word] of words.entries()) {
      const { text } = word;
      if (/^(?:-x|--exec)$/.test(text)) lines.push(...words.slice(index + 1, index + 2));
      else if (/^(?:-x.|--exec=)/s.test(text))
        lines.push(part(word, text.startsWith("--") ? 7 : 2));
    }
  }
  const [verb, ...rest] = words.filter(({ text }) => !/^--?(?:recursive|q|quiet)$/.test(text));
  const isRun =
    (command === "submodule" && verb?.text === "foreach") ||
    (command === "bisect" && verb?.text === "run");
  const place = { ...running.place, isUnsure: true } as const;
  if (isRun && rest.length === 1) lines.push(...rest);
  else if (isRun && rest.length > 1) running.runWords(rest, place);
  for (const { text, known } of lines) if (known) running.runText(text, place);
};

/** The file or folder that is named, in the place of where git runs. */
const placeFor = (word: Word | undefined, { sink, place }: Running): Place => {
  if (word === undefined) return place;
  const { path, certain } = sink.locate(word, place);
  return { ...place, cwd: certain ? path : undefined };
};

interface Front {
  readonly gitDir: Word | undefined;
  readonly command: Word;
  readonly rest: readonly Word[];
  readonly running: Running;
  readonly skipsHooks: boolean;
}

/** Over git's own options to the command. */
const readFront = (words: readonly Word[], running: Running): Front | undefined => {
  const { sink } = running;
  let { place } = running;
  let skipsHooks = false;
  let gitDir: Word | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const { text, known } = word;
    if (!text.startsWith("-") || !known) {
      const rest = words.slice(index + 1);
      return { command: word, rest, running: { ...running, place }, skipsHooks, gitDir };
    }
    if (/^--(?:version|help|exec-path|html-path|man-path|info-path)$|^-[vh]$/.test(text)) return;
    if (/^--(?:git-dir|work-tree|namespace|super-prefix)/.test(text)) {
      sink.hasGitVariables = true;
      sink.hasOtherRepository = true;
      const value = text.includes("=") ? part(word, text.indexOf("=") + 1) : words[index + 1];
      if (text.startsWith("--git-dir")) gitDir = value;
      if (!text.includes("=")) index += 1;
    } else if (text === "-C") {
      index += 1;
      const found = words[index] && sink.locate(words[index] as Word, place);
      if (found?.certain === true) place = { ...place, cwd: found.path, folder: found.path };
      else place = { ...place, cwd: undefined };
    } else if (text === "-c" || text.startsWith("--config-env")) {
      const isOne = text.startsWith("--config-env=");
      if (!isOne) index += 1;
      const setting = isOne ? text.slice("--config-env=".length) : (words[index]?.text ?? "");
      const [key = "", ...values] = setting.split("=");
      if (/^core\.hookspath$/i.test(key)) skipsHooks = true;
      if (isHiding(key, values.join("="))) {
        sink.person({ kind: "setting", by: `git -c ${key}` }, place);
      }
    }
  }
  return undefined;
};

/** Commands that change neither the working tree nor the index. */
const reading = new Set(
  `status log diff show blame annotate rev-parse ls-files ls-tree ls-remote cat-file describe grep shortlog
  reflog remote rev-list for-each-ref name-rev merge-base diff-tree diff-index diff-files show-ref var
  version help whatchanged count-objects fsck check-ignore check-attr check-ref-format range-diff fetch
  push tag branch notes gc cherry verify-commit verify-tag symbolic-ref show-branch merge-tree prune
  repack pack-refs maintenance hash-object commit-tree write-tree interpret-trailers`.split(/\s+/),
);

const runFiles = (command: string, words: readonly Word[], { sink, place }: Running): void => {
  const { flags, operands } = readArguments(words);
  if (flags.has("-n") || flags.has("--dry-run")) return;
  const isUnsure = sink.hasGitVariables;
  if (command === "rm") {
    if (flags.has("--cached")) return;
    const isTree = flags.has("-r");
    for (const word of operands) {
      sink.file("delete", word, place, "git rm", { isUnsure, ...(isTree && { isTree }) });
    }
    return;
  }
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (target === undefined) return;
  for (const source of sources) {
    const name =
      source.text
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1) ?? "";
    const to =
      sources.length > 1
        ? { ...target, text: `${target.text}/${name}`, known: target.known && source.known }
        : target;
    const into = sources.length > 1 ? {} : { into: name };
    const by = flags.has("-f") || flags.has("--force") ? "git mv -f" : "git mv";
    sink.move(source, to, place, { by, isUnsure, ...into });
  }
};

/** Where the paths of the patch begin depends on where the repository does: said, but not certain. */
const runApply = (words: readonly Word[], running: Running): void => {
  const { flags } = readArguments(words, { valued: "pC" });
  if (flags.has("--stat") || flags.has("--check") || flags.has("--numstat")) return;
  const place = { ...running.place, isUnsure: true } as const;
  patchEffects("git apply", words, { ...running, place });
  running.sink.unsure("git apply");
};

const runWorktree = (words: readonly Word[], { sink, place }: Running): void => {
  const [verb, ...rest] = words;
  if (verb?.text !== "remove") return;
  const { operands } = readArguments(rest);
  for (const word of operands) {
    sink.file("delete", word, place, "git worktree remove", { isTree: true });
  }
};

/** Settings are git's own, but some are a person's, and one of them takes our hooks away. */
const runConfig = (words: readonly Word[], running: Running, gitDir: Word | undefined): void => {
  const { sink, place } = running;
  readHooksPath(words, running);
  const found = personalSetting(words);
  // Which repository is meant, a variable decides: not certain.
  if (!found || (sink.hasGitVariables && gitDir === undefined)) return;
  const use = { kind: "setting", by: `git config ${found.key}` } as const;
  if (found.scope !== "global") sink.person(use, placeFor(found.file ?? gitDir, running));
  else if (!sink.hasOtherHome) sink.person(use, { ...place, cwd: "everywhere" });
};

const readHooksPath = (words: readonly Word[], running: Running): void => {
  const { operands } = readArguments(words, { valued: "f", longValued: ["file", "type"] });
  const isHooks = operands.some(({ text }) => /^core\.hookspath$/i.test(text));
  const isRead = words.some(({ text }) => /^(?:--get|--list|-l|get|list)/.test(text));
  if (!isHooks || isRead || (operands.length < 2 && !/unset/.test(words[0]?.text ?? ""))) return;
  const facts = { by: "config core.hooksPath", ...harmless } as const;
  addEffect("config", facts, { rest: words, skipsHooks: true, running });
};
