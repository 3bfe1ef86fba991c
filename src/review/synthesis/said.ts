/**
 * The part of a finding that is about its problem, without what every finding has: labels of the template, its place, its
 * confidence, quoted code, paths. In the report template these are most of the words, and the same in all.
 */
import type { Finding } from "../types.ts";

export const saidIn = ({ title, body = "", path }: Finding): ProblemWords => ({
  title: bare(title, path),
  body: bare(
    body
      .split("\n")
      .filter(outsideFences())
      .flatMap((line) => (fieldLine.test(line) ? [] : [line.replace(label, "")]))
      .join("\n"),
    path,
  ),
});

export interface ProblemWords {
  readonly title: string;
  readonly body: string;
}

/** Says of each line whether it is outside of quoted code; a fence that is never closed reaches to the end. */
const outsideFences = (): ((line: string) => boolean) => {
  let open: string | undefined;
  return (line) => {
    const [, fence = ""] = /^[ \t]{0,3}(`{3,200}|~{3,200})/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== "") open = fence;
      return fence === "";
    }
    if (fence.startsWith(open)) open = undefined;
    return false;
  };
};

const bullet = String.raw`^[ \t>]*(?:[-*+•][ \t]+)?`;

/** A line that holds a place or a grade and nothing about the problem. */
const fieldLine = new RegExp(
  `${bullet}(?:[*_]{1,2})?(?:place|places|location|file|path|lines?|where|symbol|confidence|severity|priority|category|kind|rule|id)(?:[*_]{1,2})?[ \\t]*:`,
  "i",
);

/** `**Evidence**:`, `Failure scenario:`, `**Why it matters:**` at the beginning of a line. */
const label = new RegExp(
  `${bullet}(?:[*_]{2}[^*_\\n]{1,40}(?::[*_]{2}|[*_]{2}[ \\t]*:)|(?:evidence|failure(?: scenario)?|scenario|impact|consequence|problem|issue|description|details|cause|root cause|why|fix|suggested fix|recommendation|suggestion|remediation|example|note)[ \\t]*:)[ \\t]*`,
  "i",
);

/** Without paths, line numbers and quoted code; the names in the code stay. */
const bare = (text: string, path: string | undefined): string => {
  const name = path?.split("/").at(-1);
  let rest = text.replace(quoted, (whole, code: string) => (isName(code) ? whole : namesIn(code)));
  rest = rest.replace(lineNumbers, " ").replace(token, (one) => (isPlace(one) ? " " : one));
  if (path !== undefined) rest = rest.replaceAll(path, " ");
  if (name !== undefined && name.includes(".")) rest = rest.replaceAll(name, " ");
  return rest;
};

const quoted = /`([^`\n]{1,400})`/g;

/** `handle_upload`, `os.path.join()`, `l.buckets`: what the code is called, not how it reads. */
const isName = (code: string): boolean =>
  /^[@$&*]?[\w$]+(?:(?:\.|::|->|#|\/)[\w$]+)*[!?]?(?:\(\))?$/.test(code.trim());

const namesIn = (code: string): string =>
  ` ${[...code.matchAll(/[A-Za-z_$][\w$]{2,}(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*/g)].map(([name]) => `\`${name}\``).join(" ")} `;

const lineNumbers = /\blines?[ \t]{1,5}\d{1,7}(?:[ \t]{0,5}(?:-|–|to|and)[ \t]{0,5}\d{1,7})?/gi;

const token = /[^\s()[\]{}<>"'`,;]+/g;

/** `src/a.ts`, `src/a.ts:12-14`, `a.ts:12`, `a.ts#L12`: a path with a folder, or a file name with a line. */
const isPlace = (text: string): boolean => {
  if (text.length > 400) return false;
  const word = text.replace(/[.:!?]$/, "");
  const bare = word.replace(/(?::|#L)\d{1,7}(?:-L?\d{1,7})?$/i, "");
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot < 1 || !/^[A-Za-z]\w{0,9}$/.test(name.slice(dot + 1))) return false;
  return (name !== bare || bare !== word) && /^[\w@.+/-]+$/.test(bare);
};
