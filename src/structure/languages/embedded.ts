/** Files that hold a script of another language: the rest is blanked, so that all places stay the same. */
import type { SourceText } from "../source-text.ts";
import type { Span } from "../types.ts";

export const embeddedScript = (
  language: string,
  source: SourceText,
): { readonly language: string; readonly text: string } => {
  if (language !== "vue" && language !== "svelte") return { language, text: source.text };
  const scripts = scriptsOf(source.text);
  // Both scripts of a component must be in one language; the first one decides.
  return { language: scripts[0]?.language ?? "javascript", text: onlyAt(source.text, scripts) };
};

interface Script extends Span {
  readonly language: string;
}

/** Attributes may hold `>` in quotes: `generics="T extends Map<string, X>"`. */
const attributes = String.raw`((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*`;
/** Comments, and elements in which a script is only part of the page. */
const passed = String.raw`<!--[^]*?(?:-->|$)|<(template|svelte:head)\b`;
const tags = new RegExp(String.raw`${passed}|<script${attributes}(/?)>`, "gi");

const scriptsOf = (text: string): Script[] => {
  const found: Script[] = [];
  tags.lastIndex = 0;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    const [whole, outer, given = "", selfClosed] = tag;
    const after = tag.index + whole.length;
    if (whole.startsWith("<!--")) continue;
    if (outer !== undefined) {
      tags.lastIndex = behindElement(text, outer, after);
      continue;
    }
    if (selfClosed === "/") continue;
    const length = text.slice(after).search(/<\/script\s*>/i);
    const to = length < 0 ? text.length : after + length;
    found.push({ from: after, to, language: languageOfScript(given) });
    tags.lastIndex = to;
  }
  return found;
};

/** Behind the end tag that belongs to it; templates stand in templates. */
const behindElement = (text: string, name: string, start: number): number => {
  const ends = new RegExp(
    String.raw`<!--[^]*?(?:-->|$)|<(/?)${name}\b(?:"[^"]*"|'[^']*'|[^'">])*>`,
    "gi",
  );
  ends.lastIndex = start;
  let depth = 1;
  // The tag it began with: `<template src="…" />` has nothing inside.
  const opening = /^(?:"[^"]*"|'[^']*'|[^'">])*>/.exec(text.slice(start, start + 10_000))?.[0];
  if (opening?.endsWith("/>")) return start + opening.length;
  for (let tag = ends.exec(text); tag; tag = ends.exec(text)) {
    if (tag[0].startsWith("<!--") || tag[0].endsWith("/>")) continue;
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) return ends.lastIndex;
  }
  return text.length;
};

const languageOfScript = (given: string): string => {
  const lang = /(?:^|\s)lang\s*=\s*["']?([\w/-]+)/i.exec(given)?.[1]?.toLowerCase();
  if (lang === "tsx") return "tsx";
  return lang === "ts" || lang === "typescript" ? "typescript" : "javascript";
};

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, " ");

const onlyAt = (text: string, spans: readonly Span[]): string => {
  let [at, result] = [0, ""];
  for (const { from, to } of spans) {
    result += blank(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return result + blank(text.slice(at));
};
