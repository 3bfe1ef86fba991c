/** A subject as triage sees it: roles, languages, and which words stand on changed lines. */
import type { Subject, SubjectFile } from "../subject/types.ts";
import type { Role } from "./affinity/index.ts";
import { roleOf } from "./roles.ts";

export interface LookFile {
  readonly path: string;
  readonly role: Role;
  readonly language?: string;
  /** Changed lines, or all of a whole file; at least one. */
  readonly lines: number;
}

export interface Look {
  readonly kind: Subject["kind"];
  readonly files: readonly LookFile[];
  readonly lines: number;
  /** 0 to 1, of the changed lines. */
  readonly roles: ReadonlyMap<Role, number>;
  readonly languages: ReadonlyMap<string, number>;
  /** The lines on which a word stands, by its form (`formOf`). */
  readonly words: ReadonlyMap<string, ReadonlySet<number>>;
  /** In small letters, without blanks around. */
  readonly texts: readonly string[];
}

/** Words of the first so many changed lines: more of them say nothing new, and the time is bounded. */
const linesMax = 20_000;
const lineLengthMax = 400;

export const lookAt = (subject: Subject): Look => {
  const files = subject.files.map((file): LookFile => {
    const { path, language } = file;
    const lines = Math.max(1, linesOf(file));
    return {
      path,
      role: roleOf(file, subject.kind),
      ...(language !== undefined && { language }),
      lines,
    };
  });
  const texts = subject.files.flatMap(textsOf).slice(0, linesMax);
  const words = new Map<string, Set<number>>();
  const known = new Map<string, readonly string[]>();
  for (const [at, text] of texts.entries()) {
    for (const form of formsOf(text, known)) {
      const present = words.get(form);
      if (present) present.add(at);
      else words.set(form, new Set([at]));
    }
  }
  const lines = files.reduce((sum, file) => sum + weightOf(file), 0);
  const shares = <K>(keyOf: (file: LookFile) => K | undefined): Map<K, number> => {
    const found = new Map<K, number>();
    for (const file of files) {
      const key = keyOf(file);
      if (key !== undefined) found.set(key, (found.get(key) ?? 0) + weightOf(file) / lines);
    }
    return found;
  };
  return {
    ...{ kind: subject.kind, files, words, texts: texts.map((text) => text.trim().toLowerCase()) },
    lines: files.reduce((sum, file) => sum + file.lines, 0),
    roles: shares(({ role }) => role),
    languages: shares(({ language }) => language),
  };
};

/** Words that differ only in number or tense. Less than for prose: a `header` is no `heading`. */
export const formOf = (word: string): string => {
  if (word.length < 5) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.endsWith("ied")) return `${word.slice(0, -3)}y`;
  const cut = /^(.{4,})(?:ing|ed)$/.exec(word)?.[1] ?? word.replace(/(?<=[^su])s$/, "");
  return cut.endsWith("e") && cut.length > 4 ? cut.slice(0, -1) : cut;
};

/** Parts of names and words: `retryCount`, `retry_count` and `retries` all have `retry`. */
export const formsOf = (
  text: string,
  known = new Map<string, readonly string[]>(),
): Set<string> => {
  const forms = new Set<string>();
  for (const [run] of text.slice(0, lineLengthMax).matchAll(/[\p{L}\p{N}]+/gu)) {
    if (run.length >= 60) continue;
    let parts = known.get(run);
    if (!parts) {
      parts = partsOf(run);
      known.set(run, parts);
    }
    for (const part of parts) forms.add(part);
  }
  return forms;
};

const partsOf = (run: string): string[] => {
  const parts = run.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return [...parts, ...(parts.length > 1 ? [run] : [])].map((part) => formOf(part.toLowerCase()));
};

/** A lock file of ten thousand lines must not hide the ten lines of code beside it. */
const weightOf = ({ lines }: LookFile): number => Math.sqrt(lines);

const linesOf = ({ hunks, after, status, counts }: SubjectFile): number => {
  if (status === "whole") return after?.split("\n").length ?? 1;
  if (counts) return counts.added + counts.removed;
  return hunks.reduce((sum, { lines }) => sum + lines.filter(isChanged).length, 0);
};

const textsOf = ({ hunks, after, status }: SubjectFile): string[] =>
  status === "whole" && hunks.length === 0
    ? (after?.split("\n") ?? [])
    : hunks.flatMap(({ lines }) => lines.filter(isChanged).map((line) => line.slice(1)));

const isChanged = (line: string): boolean => line.startsWith("+") || line.startsWith("-");
