/**
 * The elements of an XML manifest, in order. Deliberately small: no entities, no document type, nothing
 * outside the text is ever looked at, so that there is nothing a hostile file could make it do.
 */
import { limits } from "../../base/limits.ts";

export interface XmlElement {
  /** Names from the root down, without prefixes: `project/dependencies/dependency`. */
  readonly path: string;
  readonly attributes: string;
  readonly text: string;
}

export const xmlElements = (source: string): XmlElement[] => {
  const found: XmlElement[] = [];
  const open: { name: string; attributes: string; from: number }[] = [];
  let at = 0;
  while (found.length < limits.profileNamesMax * 4) {
    const start = source.indexOf("<", at);
    if (start < 0) break;
    const skipped = skipTo(source, start);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const end = source.indexOf(">", start);
    if (end < 0) throw new Error("an element does not end");
    const tag = source.slice(start + 1, end);
    at = end + 1;
    if (tag.startsWith("/")) {
      const element = open.pop();
      if (!element || element.name !== nameOf(tag.slice(1)))
        throw new Error("elements do not match");
      const path = [...open.map(({ name }) => name), element.name].join("/");
      const text = source.slice(element.from, start);
      found.push({
        path,
        attributes: element.attributes,
        text: text.includes("<") ? "" : text.trim(),
      });
      continue;
    }
    const name = nameOf(tag);
    const attributes = tag.slice(name.length);
    if (tag.endsWith("/")) {
      found.push({ path: [...open.map((one) => one.name), name].join("/"), attributes, text: "" });
    } else {
      if (open.length >= limits.profileXmlDepthMax)
        throw new Error("elements lie too deep in each other");
      open.push({ name, attributes, from: at });
    }
  }
  if (open.length > 0) throw new Error("an element does not end");
  if (found.length === 0) throw new Error("it has no elements");
  return found;
};

/** Value of an attribute, whatever its case. */
export const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, "i").exec(attributes)?.[1];

const nameOf = (tag: string): string => /^\s*([^\s/>]*)/.exec(tag)?.[1]?.replace(/^.*:/, "") ?? "";

/** Past a comment, a declaration or a section of plain text, when one begins here. */
const skipTo = (source: string, start: number): number | undefined => {
  const past = (end: string): number => {
    const found = source.indexOf(end, start);
    if (found < 0) throw new Error("it ends in the middle");
    return found + end.length;
  };
  if (source.startsWith("<!--", start)) return past("-->");
  if (source.startsWith("<![CDATA[", start)) return past("]]>");
  if (source.startsWith("<?", start)) return past("?>");
  if (source.startsWith("<!", start)) return past(">");
  return undefined;
};
