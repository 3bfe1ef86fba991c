/**
 * Things that only a person does (T-07): Headgate's own commands that open the gate, its variables, its store, and
 * the marks by which an agent is known. Read here; judge-personal.ts says what becomes of it.
 */
import { posix } from "node:path";
import type { Place } from "./effect-sink.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

/** True: it is Headgate that runs. */
export const readHeadgate = (words: readonly Word[], { sink, place }: Running): boolean => {
  const rest = afterName(words);
  if (rest === undefined) return false;
  const end = rest.findIndex(({ text }) => text === "--");
  const own = end < 0 ? rest : rest.slice(0, end);
  if (own.some(({ text }) => /^(?:--help|-h)$/.test(text))) return true;
  const repo = valueIn(own, "--repo");
  const found = repo && sink.locate(repo, place);
  const here: Place = found ? { ...place, cwd: found.certain ? found.path : undefined } : place;
  const [command = "", ...more] = operandsIn(own);
  const name = command === "routing" ? `routing ${more.join(" ")}` : command;
  if (/^uninstall$|^routing autonomy on\b/.test(name) && !hasWord(own, "--dry-run")) {
    sink.person({ kind: "command", by: `headgate ${name}` }, here);
  }
  if (hasWord(own, "--force")) {
    sink.person({ kind: "command", by: `headgate ${command} --force` }, here);
  }
  const actor = valueIn(own, "--as");
  if (actor?.known && !lookers.has(command)) {
    sink.person({ kind: "actor", by: `headgate ${command} --as`, actor: actor.text }, here);
  }
  if (command === "commit") noteCommit(own, sink, here);
  else if (!keepers.has(command)) sink.unsure("runs headgate");
  return true;
};

/** It takes turns with git's commits, and like these writes no file of the working tree. */
const noteCommit = (words: readonly Word[], sink: Running["sink"], place: Place): void => {
  if (hasWord(words, "--dry-run")) return;
  const { cwd = "", isUnsure } = place;
  sink.git(
    {
      ...{ operation: "commit", by: "headgate commit", touches: ["index", "head"], harm: "none" },
      ...{ dirty: "none", paths: [], at: cwd, certain: cwd !== "" && !isUnsure },
    },
    place,
  );
};

/**
 * Commands that write no file of a working tree. Others' shell commands are another matter: two that may write at the
 * same time leave lines without an author, and `wait` takes long.
 */
const keepers = new Set(
  `status claims check events blame diff history inbox help wait claim release renew tell ask answer judge
  outline`.split(/\s+/),
);

const hasWord = (words: readonly Word[], name: string): boolean =>
  words.some(({ text }) => text === name);

/** Commands that change nothing. */
const lookers = new Set(
  `status claims check events outline diff blame history doctor config profile judge languages findings
  inbox help verify top`.split(/\s+/),
);

/** The words after Headgate's name, however it is started. */
const afterName = ([program, ...rest]: readonly Word[]): readonly Word[] | undefined => {
  if (!program?.known) return undefined;
  if (isHeadgate(program)) return rest;
  if (!starters.has(posix.basename(program.text))) return undefined;
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] as Word;
    if (isHeadgate(word)) {
      const again = rest[index + 1];
      // `npx -p headgate headgate …`
      return rest.slice(again && isHeadgate(again) ? index + 2 : index + 1);
    }
    if (!/^(?:-.*|exec|dlx|run|x)$/.test(word.text)) return undefined;
  }
  return undefined;
};

const starters = new Set("npx bunx pnpx pnpm yarn npm bun node nodejs deno".split(" "));

const isHeadgate = ({ text, known }: Word): boolean =>
  known && /^(?:.*\/)?headgate(?:\.js)?(?:@[\w.^~-]+)?$|\/dist\/cli\/program\.cjs$/.test(text);

const valueIn = (words: readonly Word[], name: string): Word | undefined => {
  const at = words.findLastIndex(({ text }) => text === name || text.startsWith(`${name}=`));
  const word = words[at];
  if (word === undefined) return undefined;
  if (word.text === name) return words[at + 1];
  return { ...word, text: word.text.slice(name.length + 1), tilde: false };
};

const operandsIn = (words: readonly Word[]): string[] => {
  const found: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const { text } = words[index] as Word;
    if (text === "--repo" || text === "--as") index += 1;
    else if (!text.startsWith("-")) found.push(text);
  }
  return found;
};

/** `sqlite3 .git/headgate/store.db`, also where only the end of the path is known. */
export const readDatabase = (words: readonly Word[], { sink, place }: Running): void => {
  for (const word of words) {
    if (word.text.startsWith("-")) continue;
    const { path } = sink.locate(word, place);
    if (/(?:^|\/)headgate\/[^/]*\.db(?:-\w+)?(?:\?.*)?$/.test(path)) {
      sink.person({ kind: "store", by: "sqlite3" }, place);
    }
  }
};

/** A variable that a line sets: `NAME=value`. */
export const personalVariable = (text: string): { by: string; actor?: string } | undefined => {
  const [, name = "", value = ""] = /^(\w+)\+?=([\s\S]*)$/.exec(text) ?? [];
  if (name === "HEADGATE_ACTOR" && value !== "") return { by: name, actor: value };
  if (/^HEADGATE_(?:BYPASS|STORE)$/.test(name) && value !== "") return { by: name };
  // Set to nothing is as good as not set.
  if (marks.has(name) && value === "") return { by: name };
  if (/^GIT_CONFIG_(?:KEY_\d+|PARAMETERS)$/.test(name) && hidden.test(value)) return { by: name };
  return undefined;
};

const hidden = /core\.hookspath|include(?:if\..*)?\.path|hook\..*\.command/i;

/** By these variables Headgate knows which client a command comes from. */
export const marks: ReadonlySet<string> = new Set([
  ...["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID", "CODEX_THREAD_ID"],
  ...["GEMINI_SESSION_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT"],
  ...["QWEN_CODE_SESSION_ID", "QWEN_CODE", "COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"],
]);

/** A client that is started inside another one sets its own marks. */
export const isClient = (word: Word | undefined): boolean =>
  word?.known === true &&
  /^(?:claude|codex|gemini|opencode|cursor-agent|copilot|qwen)$/.test(posix.basename(word.text));
