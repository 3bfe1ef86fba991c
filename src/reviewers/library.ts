/** The documents that come with Headgate, read when first asked for. */
import { join } from "node:path";
import { type Files, systemFiles } from "../base/files.ts";
import { nearestName, showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Parsed } from "../state/index.ts";
import { loadDocumentReader, normalText, oneLine, type ReadDocument } from "./document.ts";
import { type DomainDocument, readDomain } from "./domain.ts";
import { isDomainName } from "./names.ts";
import { readRosterReviewer, type RosterReviewer, rosterNames } from "./roster.ts";

export type FoundDomain =
  | { readonly state: "found"; readonly document: DomainDocument }
  /** No such document; the nearest name there is. */
  | { readonly state: "absent"; readonly nearest?: string }
  | { readonly state: "malformed"; readonly problem: string };

export interface Library {
  readonly contract: string;
  domainNames(): readonly string[];
  domain(name: string): FoundDomain;
  roster(): readonly RosterReviewer[];
  /** What an agent file's front matter says it is for; undefined when it says nothing. */
  describe(text: string): string | undefined;
}

/** Beside this module in the sources; beside the bundled command line in the package. */
const shipped = join(import.meta.dirname, "../reviewers");

export const openLibrary = async (
  options: { readonly folder?: string; readonly files?: Files } = {},
): Promise<Library> => {
  const { folder = shipped, files = systemFiles } = options;
  const read = await loadDocumentReader();
  const load = (path: string): string => normalText(files.readFile(path).toString("utf8"));
  const known = new Map<string, FoundDomain>();
  const names = files
    .list(join(folder, "domains"))
    .map(({ name }) => name.replace(/\.md$/, ""))
    .filter(isDomainName)
    .toSorted();
  return {
    contract: load(join(folder, "contract.md")),
    domainNames: () => names,
    domain: (name) => {
      if (!names.includes(name)) {
        const nearest = nearestName(name, names);
        return { state: "absent", ...(nearest !== undefined && { nearest }) };
      }
      const present = known.get(name);
      if (present) return present;
      const found = foundOf(parseDomain(read, load(join(folder, "domains", `${name}.md`)), name));
      known.set(name, found);
      return found;
    },
    describe: (text) => {
      const document = read(text);
      const description = document.ok ? document.value.meta["description"] : undefined;
      return typeof description === "string" ? oneLine(description) : undefined;
    },
    roster: () =>
      rosterNames.map((name) => {
        const document = read(load(join(folder, "roster", `${name}.md`)));
        const reviewer = document.ok ? readRosterReviewer(document.value, name) : document;
        if (reviewer.ok) return reviewer.value;
        throw new HeadgateError("INTERNAL", `roster/${name}.md: ${reviewer.problem.message}`);
      }),
  };
};

const roster: ReadonlySet<string> = new Set(rosterNames);

const parseDomain = (read: ReadDocument, text: string, domain: string): Parsed<DomainDocument> => {
  const document = read(text);
  return document.ok ? readDomain(document.value, { domain, roster }) : document;
};

const foundOf = (parsed: Parsed<DomainDocument>): FoundDomain => {
  if (parsed.ok) return { state: "found", document: parsed.value };
  const { message, line } = parsed.problem;
  const place = line === undefined ? "" : `line ${line}: `;
  return { state: "malformed", problem: place + showText(message) };
};
