import { limits } from "../base/limits.ts";
import type { SignalIndex } from "./signal-index.ts";

/** Which domains a project claims for itself in its own words. */
export const statedDomains = (words: string, index: SignalIndex): string[] => {
  const text = words.toLowerCase().replace(/[\s_]+/g, " ");
  // A project says first what it is, and then what it includes ("it includes a command line client").
  for (const clause of text.split(/[.:;!?](?= |$)/)) {
    const found = new Set<string>();
    if (clause.trim() === "") continue;
    for (const { domain, expression } of index.statements) {
      if (!found.has(domain) && expression.test(clause)) found.add(domain);
    }
    if (found.size > 0) return [...found];
  }
  return [];
};

/**
 * The first sentences of a README: what stands before the second heading, without badges, pictures,
 * links' addresses and code. Later parts speak of installing, of other projects and of thanks.
 */
export const openingOf = (readme: string): string => {
  const plain = readme
    .slice(0, limits.profileReadmeBytesMax)
    .replace(/<!--[\s\S]*?-->/g, " ")
    // A link over several lines is a banner.
    .replace(
      /<a\b[^>]{0,1000}>(?:(?!<\/a>)[\s\S]){0,2000}?\n(?:(?!<\/a>)[\s\S]){0,2000}?<\/a>/g,
      " ",
    )
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, " ")
    .replace(/\[!\[[^\]]*\]/g, " ")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<[^>]{0,1000}>/g, " ")
    .replace(/^[ \t]*\[[^\]]+\]:.*$/gm, "")
    .replace(/https?:\/\/\S+/g, " ");
  const paragraphs: string[] = [];
  let length = 0;
  for (const paragraph of plain.split(/\n\s*\n/)) {
    const line = paragraph
      .replace(/^[#=*>\-~|\s]+/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    if (!/\p{L}{3}/u.test(line) || /\b(?:sponsor|special thanks|donat|hiring)/i.test(line))
      continue;
    paragraphs.push(line.slice(0, openingLength));
    length += line.length;
    if (length >= openingLength || (paragraphs.length > 1 && length > sentenceLength)) break;
  }
  return paragraphs.join(" . ").slice(0, openingLength);
};

const openingLength = 320;
const sentenceLength = 100;
