/**
 * What a finding says, as comparable parts: stemmed words, names of code, letters in threes. Review prose
 * has words of its own ("consider", "should", "missing") that say nothing about the problem.
 */
import { conceptOf } from "./concepts.ts";
import { stemOf } from "./stem.ts";
import { stopWords } from "./stop-words.ts";

export interface Words {
  /** Stemmed word → how often; the parts of names are among them, and one entry for each concept. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whole names of code (`handle_upload`, `os.path.join`), in small letters. */
  readonly names: ReadonlySet<string>;
  /** Letters in threes of the words that count → how often. */
  readonly trigrams: ReadonlyMap<string, number>;
}

export const readWords = (raw: string): Words => {
  const text = raw.slice(0, readLengthMax).replace(decoration, " ");
  const names = new Set<string>();
  for (const [, quoted = ""] of text.matchAll(/`([^`\n]{1,200})`/g)) {
    for (const [name] of quoted.matchAll(namePattern)) addName(names, name);
  }
  for (const [name] of text.matchAll(namePattern)) if (looksLikeCode(name)) addName(names, name);
  const counts = new Map<string, number>();
  const trigrams = new Map<string, number>();
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const part of splitName(run)) {
      const word = part.toLowerCase();
      if (stopWords.has(word)) continue;
      const stem = stemOf(word);
      if (stem.length < 2 && !/\d/.test(stem)) continue;
      add(counts, stem);
      const concept = conceptOf(stem);
      if (concept !== undefined) counts.set(concept, 1);
      const padded = ` ${stem} `;
      for (let at = 0; at + 3 <= padded.length; at += 1) add(trigrams, padded.slice(at, at + 3));
    }
  }
  return { counts, names, trigrams };
};

/** The problem is said at the beginning; what follows are patches and examples. */
const readLengthMax = 6000;
/** Addresses, badges and tags: the same under every comment of one tool. */
const decoration =
  /!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|https?:\/\/[^\s)>"']{1,500}|<!--[^]{0,2000}?-->|<\/?[a-z][^<>\n]{0,200}>/gi;

const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const namePattern = /[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*/g;

const looksLikeCode = (name: string): boolean =>
  /[a-z0-9][A-Z]|[\w$]_[\w$]|[a-z]\.[a-z]|::|->|^[A-Z][A-Z0-9]*_/.test(name);

/** The whole name and its last part: `l.buckets` and `buckets` mean the same thing here. */
const addName = (names: Set<string>, name: string): void => {
  const whole = name.toLowerCase();
  if (whole.length > 2 && !stopWords.has(whole)) names.add(whole);
  const last = whole.split(/\.|::|->|#/).at(-1) ?? "";
  if (last.length > 2 && !stopWords.has(last)) names.add(last);
};

const splitName = (run: string): string[] =>
  /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(run)
    ? run.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    : [run];
