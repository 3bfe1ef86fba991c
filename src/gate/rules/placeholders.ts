/** Text that stands for code somebody meant to write: placeholders of lazy edits, and merge markers. */
import type { FileCase } from "../file-case.ts";
import { type Finding, findingsMax } from "./rule.ts";

export const placeholders = async (one: FileCase): Promise<readonly Finding[]> => {
  const { before, after, path } = one;
  if (!after || isProse.test(path)) return [];
  const old = new Set(before?.source.text.split(/\r\n|\r|\n/).map((line) => line.trim()) ?? []);
  const lines = after.source.text.split(/\r\n|\r|\n/);
  const found: Finding[] = [];
  const markers = lines.filter((line) => /^(<{7}|>{7}) /.test(line)).length;
  // A file that parses with them has them in texts: tools that talk about merges do.
  const areText = markers >= 2 && (await one.syntaxAfter())?.state === "valid";
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === "" || text.length > 200 || old.has(text)) continue;
    const at = { level: "deny", path, line: index + 1 } as const;
    if (markers >= 2 && !areText && /^(<{7} |>{7} |={7}$)/.test(line)) {
      found.push({
        ...at,
        code: "MERGE_MARKER",
        message: `line ${index + 1} is a marker of an unfinished merge: ${text.slice(0, 40)}`,
        remedy: "Resolve the conflict and leave the markers out.",
      });
    } else if (isPlaceholder(text)) {
      found.push({
        ...at,
        code: "LAZY_PLACEHOLDER",
        message: `line ${index + 1} stands for code that is not there: ${text.slice(0, 80)}`,
        remedy:
          "Write the whole code, or use an operation that leaves the rest alone (modify, replace).",
      });
    }
  }
  return found.slice(0, findingsMax);
};

const isProse = /\.(md|mdx|markdown|rst|txt|adoc)$/i;

/** A comment that says no more than that code is left out: "... existing code ...", "rest unchanged". */
const isPlaceholder = (text: string): boolean => {
  const comment = /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s*(.*?)\s*(?:\*\/\}?|-->)?$/.exec(text)?.[1];
  if (comment === undefined || comment === "" || comment.length > 80) return false;
  const words = comment.toLowerCase().replace(/^[[(]+|[\])]+$/g, "");
  return dotted.test(words) || plain.test(words);
};

const parts =
  "(code|file|class|methods?|functions?|implementation|imports?|body|logic|content|component|tests?|cases?|fields?|properties|props|routes|lines?)";
/** Begins with dots, and names what they stand for. */
const dotted = new RegExp(
  `^(\\.{3}|…)\\s*[[(]?(the )?(existing|rest|remaining|other|same|previous|unchanged|keep|your|more)\\b.*|` +
    `^(the )?(existing|rest of (the |this )?|remaining|other|previous) ?${parts}.{0,30}(\\.{3}|…)$`,
);
/** Without dots it must say both what and that it stays. */
const plain = new RegExp(
  `^(the )?(rest|remaining|existing|other|all other|previous)( of)?( the| this)? ${parts}\\b.{0,40}` +
    "(unchanged|remains? (the )?(same|unchanged)|stays? (the )?(same|unchanged)|goes here|as before|omitted)\\b.{0,20}$|" +
    "^(the )?rest( of it)? (is |remains? |stays? )?(unchanged|the same)\\.?$",
);
