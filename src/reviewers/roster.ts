/** The reviewers that come with Headgate, for every project. */
import type { Parsed } from "../state/index.ts";
import { limits } from "../base/limits.ts";
import { bad, bulletsOf, type Document } from "./document.ts";
import { type SeverityExample, severityOf } from "./domain.ts";

export interface RosterReviewer {
  readonly name: string;
  readonly description: string;
  readonly tools: string;
  readonly model: string;
  /** Who it is, in one paragraph. */
  readonly role: string;
  readonly focus: readonly string[];
  readonly ignores: readonly string[];
  readonly method: readonly string[];
  readonly severity: readonly SeverityExample[];
}

export const rosterNames = [
  "architecture",
  "safety",
  "correctness",
  "quality",
  "performance",
  "user-product",
  "game-design",
  "tests",
  "api-compatibility",
  "data-migration",
  "concurrency",
  "accessibility",
  "dependency",
] as const;

export const readRosterReviewer = (
  { meta, sections }: Document,
  name: string,
): Parsed<RosterReviewer> => {
  const { description, tools, model } = meta;
  if (meta["name"] !== name) return bad(`the front matter's name must be ${name}`, 1);
  if (!isLine(description) || !isLine(tools) || !isLine(model)) {
    return bad("the front matter needs description, tools and model, each on one line", 1);
  }
  const part = (title: string) => sections.find((section) => section.title === title);
  const listed = (title: string): string[] => bulletsOf(part(title)?.body ?? "") ?? [];
  const severity = part("Severity");
  const examples = severity ? severityOf(severity) : bad("needs a section Severity");
  if (!examples.ok) return examples;
  const [focus, ignores, method] = [listed("Focus"), listed("Ignore"), listed("Method")];
  const role = sections.find(({ level }) => level === 1)?.body ?? "";
  if (role === "" || [focus, ignores, method].some((items) => items.length === 0)) {
    return bad("needs a title with a paragraph, and lists under Focus, Ignore and Method");
  }
  const told = { role, focus, ignores, method, severity: examples.value };
  return { ok: true, value: { name, description, tools, model, ...told } };
};

const isLine = (value: unknown): value is string =>
  typeof value === "string" &&
  /^[^\n\r]+$/.test(value) &&
  value.length <= limits.reviewerDescriptionLengthMax;
