/**
 * Git's settings that are a person's (T-07; docs/security.md lists them): those that run programs, move the
 * hooks or the identity, or take in other files. All others an agent changes as it likes, through git.
 */
import { commitArguments } from "./git-commands.ts";
import { type Arguments, readArguments } from "./program-arguments.ts";
import type { Word } from "./syntax-tree.ts";

export interface SettingChange {
  /** For the person: `user.email`. */
  readonly key: string;
  readonly scope: "global" | "here" | "file";
  /** With "file". */
  readonly file?: Word;
}

/** The setting of a person that `git config` changes with these words, if any. */
export const personalSetting = (words: readonly Word[]): SettingChange | undefined => {
  const args = readArguments(words, { valued: "f", longValued: valued });
  const [verb, ...behind] = args.operands;
  const isVerb = verbs.has(verb?.text ?? "") && words[0] === verb;
  const does = isVerb ? verb?.text : undefined;
  if (does === "get" || does === "list" || reading.some((flag) => args.flags.has(flag))) return;
  const operands = isVerb ? behind : args.operands;
  const where = scopeIn(args);
  if (does === "edit" || args.flags.has("-e") || args.flags.has("--edit")) {
    return { key: "--edit", ...where };
  }
  const isSection = does?.endsWith("-section") === true || hasSection(args);
  if (isSection) {
    const named = operands.find(({ text, known }) => known && sections.test(text));
    return named && { key: named.text, ...where };
  }
  const [key, value] = operands;
  const isUnset =
    /unset/.test(does ?? "") || [...args.flags].some((one) => one.startsWith("--unset"));
  if (!key?.known || (value === undefined && !isUnset && does !== "set")) return undefined;
  const known = value?.known === false ? undefined : (value?.text ?? "");
  return isPersonal(key.text, isUnset ? "" : known) ? { key: key.text, ...where } : undefined;
};

const valued = ["file", "blob", "type", "default", "comment", "value", "url"];
const verbs = new Set("get set unset list edit rename-section remove-section".split(" "));
const reading = `--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l
  --show-origin --blob`.split(/\s+/);

const hasSection = ({ flags }: Arguments): boolean =>
  flags.has("--rename-section") || flags.has("--remove-section");

const sections = /^(?:core|user|author|committer|include|includeif|hook|credential)(?:\.|$)/i;

const scopeIn = ({ flags, values }: Arguments): Omit<SettingChange, "key"> => {
  const file = values.get("-f") ?? values.get("--file");
  if (file) return { scope: "file", file };
  return { scope: flags.has("--global") || flags.has("--system") ? "global" : "here" };
};

/** A value that is worked out later is undefined, and may be anything. */
export const isPersonal = (key: string, value: string | undefined): boolean => {
  const lower = key.toLowerCase();
  if (lower.startsWith("alias.") || /^submodule\..*\.update$/.test(lower)) {
    return value !== undefined && isHidingAlias(value);
  }
  // Git's own monitor, no pager or a usual one: no program of one's own choice.
  if (lower === "core.fsmonitor") return !/^(?:true|false|)$/.test(value ?? "?");
  if (/^(?:core\.pager|pager\.)/.test(lower)) {
    return !/^(?:true|false|cat|less|more|)$/.test(value ?? "?");
  }
  return personal.some((pattern) => pattern.test(lower));
};

/** For one command (`git -c`): what hides other settings or programs from the reader of the line. */
export const isHiding = (key: string, value: string): boolean =>
  /^(?:include|includeif|hook)\./i.test(key) || (/^alias\./i.test(key) && isHidingAlias(value));

/** It starts a program, or leaves the hooks out. */
const isHidingAlias = (value: string): boolean => {
  const [operation = "", ...rest] = value
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => ({ text, known: true, plain: true, tilde: false }));
  if (operation === "") return false;
  const { text } = operation;
  return text.startsWith("!") || /core\.hookspath/i.test(value) || asksForNoHooks(text, rest);
};

/** Git takes the beginning of an option for the option. `-n` means it for a commit only. */
export const asksForNoHooks = (operation: string, words: readonly Word[]): boolean => {
  const { flags } = readArguments(words, operation === "commit" ? commitArguments : {});
  const isLong = [...flags].some((flag) => /^--no-veri(?:f|fy)?$/.test(flag));
  return isLong || (operation === "commit" && flags.has("-n"));
};

const personal: readonly RegExp[] = [
  /^core\.(?:hookspath|editor|sshcommand|gitproxy|askpass|alternaterefscommand|worktree|attributesfile)$/,
  /^(?:sequence\.editor|diff\.external|interactive\.difffilter|imap\.tunnel|init\.templatedir)$/,
  /^diff\..*\.(?:command|textconv)$|^merge\..*\.driver$|^filter\..*\.(?:clean|smudge|process)$/,
  /^(?:mergetool|difftool|browser|man|guitool)\..*\.(?:cmd|path)$|^web\.browser$|^instaweb\./,
  /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$|^credential\./,
  /^trailer\..*\.(?:command|cmd)$|^tar\..*\.command$|^sendemail\..*(?:cmd|smtpserver)$/,
  /^uploadpack\.packobjectshook$|^gc\.recentobjectshook$|^hook\./,
  /^remote\..*\.(?:uploadpack|receivepack|vcs)$|^lfs\.(?:customtransfer|extension)\./,
  /^protocol\.(?:.*\.)?allow$|^include\.path$|^includeif\./,
  /^(?:user|author|committer)\./,
];
