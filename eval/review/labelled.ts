/** Findings with labels, in the forms in which reviewers write them, and the two halves they are divided into. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Finding } from "../../src/review/index.ts";

/** `problem` is the same for findings of the same problem, `real` says whether it is worth fixing. */
export type Labelled = Finding & { readonly problem: string; readonly real: boolean };

/** Two findings of one file by two reviewers: the same problem in other words, or two problems in the same words. */
export interface LabelledPair {
  readonly id: string;
  readonly same: boolean;
  readonly path: string;
  readonly left: { readonly line: number; readonly title: string; readonly body?: string };
  readonly right: { readonly line: number; readonly title: string; readonly body?: string };
}

export type Half = "seen" | "unseen";

/** By a hash of the name, for ever: half of the reviews and pairs is never looked at while a rule is tuned. */
export const halfOf = (name: string): Half =>
  Number.parseInt(createHash("sha256").update(name).digest("hex").charAt(0), 16) % 2 === 0
    ? "seen"
    : "unseen";

export const ownFile = resolve(import.meta.dirname, "labelled.jsonl");

export const readLabelled = (file: string = ownFile): Labelled[] =>
  readLines(file).map((line) => JSON.parse(line) as Labelled);

export const readPairs = (): LabelledPair[] =>
  readLines(resolve(import.meta.dirname, "pairs.jsonl")).map(
    (line) => JSON.parse(line) as LabelledPair,
  );

const readLines = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");

/** The same finding without the template: the sentences alone. */
export const inProse = (finding: Labelled): Labelled => ({
  ...finding,
  body: (finding.body ?? "")
    .split("\n")
    .filter((line) => !/^\*\*(?:Place|Confidence)\*\*/.test(line))
    .map((line) => line.replace(/^\*\*\w+\*\*: /, ""))
    .join(" "),
});

/** Nothing says where it is. */
export const withoutPlace = ({ path: _path, line: _line, ...finding }: Labelled): Labelled => ({
  ...finding,
  body: (finding.body ?? "")
    .split("\n")
    .filter((line) => !line.startsWith("**Place**"))
    .join("\n"),
});
