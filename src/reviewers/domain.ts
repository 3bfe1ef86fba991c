/** A domain's document: what goes wrong there, what each roster reviewer adds, whom to generate. */
import type { Parsed } from "../state/index.ts";
import { limits } from "../base/limits.ts";
import { bad, bulletsOf, type Document, oneLine, type Section } from "./document.ts";
import { isDomainName, isReviewerName } from "./names.ts";

export const severities = ["P0", "P1", "P2", "P3"] as const;
export type Severity = (typeof severities)[number];

export interface SeverityExample {
  readonly severity: Severity;
  readonly text: string;
}

/** A reviewer that is generated for projects of a domain. */
export interface ReviewerSpec {
  readonly name: string;
  /** When to use it: what clients choose by. */
  readonly description: string;
  readonly focus: string;
  readonly severity: readonly SeverityExample[];
  readonly areas: readonly string[];
}

export interface DomainDocument {
  readonly domain: string;
  readonly title: string;
  readonly pitfalls: readonly string[];
  /** By roster reviewer: what it also looks at in projects of this domain. */
  readonly criteria: ReadonlyMap<string, readonly string[]>;
  readonly reviewers: readonly ReviewerSpec[];
}

/** `roster` are the names that criteria may be given for. */
export const readDomain = (
  document: Document,
  { domain, roster }: { readonly domain: string; readonly roster: ReadonlySet<string> },
): Parsed<DomainDocument> => {
  const { meta, sections } = document;
  if (meta["domain"] !== domain || !isDomainName(domain)) {
    return bad(`the front matter's domain must be ${domain}`, 1);
  }
  const title = meta["title"];
  if (typeof title !== "string" || !/^[^\n\r]{1,80}$/.test(title)) {
    return bad("the front matter needs a title of one line", 1);
  }
  const [, ...parts] = groupsOf(sections);
  let pitfalls: readonly string[] | undefined;
  const criteria = new Map<string, readonly string[]>();
  const reviewers: ReviewerSpec[] = [];
  for (const { head, under } of parts) {
    if (head.title === "What goes wrong") pitfalls = bulletsOf(head.body);
    else if (head.title === "Criteria") {
      for (const part of under) {
        const items = bulletsOf(part.body);
        if (!roster.has(part.title)) return bad(`no roster reviewer ${part.title}`, part.line);
        if (!items) return bad(`${part.title} needs a list of criteria`, part.line);
        criteria.set(part.title, items);
      }
    } else if (isReviewerName(head.title)) {
      const spec = specOf(head, under);
      if (!spec.ok) return spec;
      reviewers.push(spec.value);
    } else return bad(`a section that is not known here: ${head.title}`, head.line);
  }
  if (!pitfalls) return bad('needs a section "What goes wrong" with a list');
  if (criteria.size === 0) return bad('needs a section "Criteria"');
  if (reviewers.length === 0) return bad("specifies no reviewer (## fd-…)");
  const names = new Set(reviewers.map(({ name }) => name));
  if (names.size < reviewers.length) return bad("specifies two reviewers of one name");
  return { ok: true, value: { domain, title, pitfalls, criteria, reviewers } };
};

/** `- P1: text` for each severity; P0 to P2 must be among them, for there the line is hard to draw. */
export const severityOf = ({ title, body, line }: Section): Parsed<SeverityExample[]> => {
  const examples: SeverityExample[] = [];
  for (const item of bulletsOf(body) ?? []) {
    const [, word, text = ""] = /^(P[0-3]): (.+)$/.exec(item) ?? [];
    const severity = severities.find((one) => one === word);
    if (!severity) return bad(`${title}: expected "- P0: …" to "- P3: …", not ${item}`, line);
    examples.push({ severity, text });
  }
  const missing = severities
    .slice(0, 3)
    .find((one) => !examples.some(({ severity }) => severity === one));
  return missing === undefined
    ? { ok: true, value: examples }
    : bad(`${title}: no example for ${missing}`, line);
};

interface Group {
  readonly head: Section;
  readonly under: readonly Section[];
}

/** Sections of level 1 and 2 with what stands under them. */
const groupsOf = (sections: readonly Section[]): Group[] => {
  const groups: { head: Section; under: Section[] }[] = [];
  for (const section of sections) {
    if (section.level <= 2) groups.push({ head: section, under: [] });
    else groups.at(-1)?.under.push(section);
  }
  return groups;
};

const specOf = (head: Section, under: readonly Section[]): Parsed<ReviewerSpec> => {
  const { title: name, line } = head;
  const description = oneLine(head.body);
  if (description === "" || description.length > limits.reviewerDescriptionLengthMax) {
    return bad(
      `${name} needs a description of at most ${limits.reviewerDescriptionLengthMax} letters`,
      line,
    );
  }
  const part = (title: string): Section | undefined => under.find((one) => one.title === title);
  const [focus, severity, areas] = [part("Focus"), part("Severity"), part("Areas")];
  if (!focus || !severity || !areas || under.length !== 3 || focus.body === "") {
    return bad(`${name} needs exactly ### Focus, ### Severity and ### Areas`, line);
  }
  const examples = severityOf(severity);
  if (!examples.ok) return examples;
  const items = bulletsOf(areas.body);
  if (!items) return bad(`${name}: Areas must be a list`, areas.line);
  const spec = { name, description, focus: oneLine(focus.body) };
  return { ok: true, value: { ...spec, severity: examples.value, areas: items } };
};
