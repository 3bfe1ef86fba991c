/**
 * The last line of a generated file says whose it is. It survives what people do to agents: removing the
 * header, rewriting the text, giving the file another name, copying it into another project.
 */
import { contentHash } from "../state/index.ts";
import { normalText } from "./document.ts";
import { isDomainName, isReviewerName } from "./names.ts";

export interface Marker {
  readonly name: string;
  readonly domain: string;
  /** Of the text as it was generated, `sha256:…`. */
  readonly template: string;
}

export interface MarkedText {
  /** Without the marker, normal line ends, no blank lines at its end. */
  readonly body: string;
  readonly marker?: Marker;
}

/** The last marker counts, wherever it stands: people add notes below it. */
export const splitMarker = (text: string): MarkedText => {
  const lines = normalText(text).split("\n");
  const at = lines.findLastIndex((line) => pattern.test(line.trim()));
  const [, name = "", domain = "", template = ""] = pattern.exec(lines[at]?.trim() ?? "") ?? [];
  if (!isReviewerName(name) || !isDomainName(domain)) return { body: trimmed(lines) };
  return { body: trimmed(lines.toSpliced(at, 1)), marker: { name, domain, template } };
};

export const withMarker = (body: string, { name, domain, template }: Marker): string =>
  `${body}\n\n<!-- headgate:reviewer name=${name} domain=${domain} template=${template} -->\n`;

/** Of a body as `splitMarker` gives it: the same on every system, whatever git did to line ends. */
export const hashOf = (body: string): string => `sha256:${contentHash(body)}`;

const pattern =
  /^<!-- headgate:reviewer name=([a-z0-9-]+) domain=([a-z0-9-]+) template=(sha256:[0-9a-f]{64}) -->$/;

const trimmed = (lines: readonly string[]): string => lines.join("\n").trimEnd();
