/** Looking at a project's reviewers: all of them, the orphans, what changed. Nothing is written. */
import type { Library } from "./library.ts";
import { loadMerge } from "./generate.ts";
import type { Place } from "./place.ts";
import { makePlan } from "./plan.ts";
import { rosterNames } from "./roster.ts";
import { isOutdated, isPristine, type Known, type Survey, survey } from "./survey.ts";
import { type DiffedText, textDiff } from "./text-diff.ts";

/** How often a reviewer ran, and when last; kept in the store. */
export interface UseCount {
  readonly uses: number;
  readonly lastUsedAt: string | null;
}

export interface ListedReviewer {
  readonly name: string;
  readonly kind: "built-in" | "generated" | "own";
  readonly state: "built-in" | "pristine" | "customised" | "missing" | "unregistered" | "own";
  readonly domain?: string;
  /** In the agents' folder. */
  readonly file?: string;
  /** Its name at generation, where that is another. */
  readonly renamedFrom?: string;
  readonly outdated?: boolean;
  /** Why no domain of the project needs it. */
  readonly orphan?: string;
  readonly description?: string;
  readonly uses?: number;
  readonly lastUsedAt?: string | null;
}

/** An agent file that can be asked to review, with its text. */
export interface AgentText {
  readonly name: string;
  readonly kind: "generated" | "own";
  readonly domain?: string;
  readonly description: string;
  /** As it is now, front matter included; without our marker. */
  readonly body: string;
}

export interface LookOptions {
  /** The project's domains; without them nobody can be an orphan for a domain that is gone. */
  readonly domains?: readonly string[];
  readonly uses?: ReadonlyMap<string, UseCount>;
}

export const listReviewers = (
  place: Place,
  library: Library,
  options: LookOptions = {},
): ListedReviewer[] => {
  const found = survey(place, library);
  const described = new Map(library.roster().map((one) => [one.name, one.description]));
  const builtIn = rosterNames.map((name): ListedReviewer => {
    const description = described.get(name);
    const told = { ...(description !== undefined && { description }) };
    return { name, kind: "built-in", state: "built-in", ...told };
  });
  const generated = [...found.known.values()].map((known) => listed(known, found, options));
  const wanted = (options.domains ?? []).flatMap((domain) => missingFor(domain, found));
  const own = found.own.map(({ file }): ListedReviewer => {
    return { name: file.replace(/\.md$/, ""), kind: "own", state: "own", file };
  });
  const byName = (a: ListedReviewer, b: ListedReviewer): number => (a.name < b.name ? -1 : 1);
  return [...builtIn, ...[...generated, ...wanted].toSorted(byName), ...own.toSorted(byName)].map(
    (one) => ({ ...one, ...options.uses?.get(one.name) }),
  );
};

/** Generated ones whose file is there, and everybody's own; by kind, then by name. */
export const agentTexts = (place: Place, library: Library): AgentText[] => {
  const found = survey(place, library);
  const generated = [...found.known.values()].flatMap(({ name, domain, file, template }) => {
    if (!file) return [];
    const description = library.describe(file.text) ?? template?.description ?? "";
    return [{ name, kind: "generated" as const, domain, description, body: file.body }];
  });
  const own = found.own.map(({ file, text, body }) => {
    const description = library.describe(text) ?? "";
    return { name: file.replace(/\.md$/, ""), kind: "own" as const, description, body };
  });
  const byName = (a: AgentText, b: AgentText): number => (a.name < b.name ? -1 : 1);
  return [...generated.toSorted(byName), ...own.toSorted(byName)];
};

export const listOrphans = (
  place: Place,
  library: Library,
  options: LookOptions,
): ListedReviewer[] =>
  listReviewers(place, library, options).filter(({ orphan }) => orphan !== undefined);

export interface DiffReport {
  /** Of these an update would change the file. */
  readonly outdated: readonly string[];
  readonly conflicts: readonly string[];
  readonly diff: string;
}

/** What an update would change; with `own`, what people changed since generation. */
export const diffReviewers = async (
  place: Place,
  library: Library,
  options: { readonly names?: readonly string[]; readonly own?: boolean } = {},
): Promise<DiffReport> => {
  const found = survey(place, library);
  const isMeant = ({ name }: Known): boolean => options.names?.includes(name) ?? true;
  const meant = [...found.known.values()].filter(isMeant);
  if (options.own) {
    const changes = meant.flatMap(({ base, file }): DiffedText[] =>
      base === undefined || !file
        ? []
        : [{ file: file.file, before: `${base}\n`, after: `${file.body}\n` }],
    );
    return { outdated: [], conflicts: [], diff: await textDiff(changes) };
  }
  const domains = [...new Set(meant.map(({ domain }) => domain))];
  const names = meant.filter(({ file }) => file !== undefined).map(({ name }) => name);
  const request = { domains, names, update: true };
  const plan = makePlan(found, request, await loadMerge(request));
  const steps = plan.steps.filter(({ before, after }) => before !== after);
  const conflicts = plan.kept.filter(({ why }) => why === "conflict");
  return {
    outdated: steps.map(({ name }) => name),
    conflicts: conflicts.map(({ name }) => name),
    diff: await textDiff(steps),
  };
};

/** Undefined: somebody needs it, or nobody can tell. */
export const orphanReason = (
  { domain, name }: Pick<Known, "domain" | "name">,
  found: Survey,
  domains: readonly string[] | undefined,
): string | undefined => {
  const answer = found.domain(domain);
  if (answer.state === "malformed") return undefined;
  if (answer.state === "absent") return `this Headgate knows no domain ${domain}`;
  if (!answer.document.reviewers.some((one) => one.name === name)) {
    return `the domain ${domain} no longer has it`;
  }
  return domains && !domains.includes(domain) ? `the project is no ${domain}` : undefined;
};

const listed = (known: Known, found: Survey, { domains }: LookOptions): ListedReviewer => {
  const { name, domain, file, entry, template } = known;
  const orphan = orphanReason(known, found, domains);
  const renamedFrom = entry?.file ?? `${name}.md`;
  const changed = isPristine(known) ? "pristine" : "customised";
  const present = entry ? changed : "unregistered";
  return {
    ...{ name, kind: "generated", domain, state: file ? present : "missing" },
    ...(file && { file: file.file, outdated: isOutdated(known) }),
    ...(file && file.file !== renamedFrom && { renamedFrom }),
    ...(orphan !== undefined && { orphan }),
    ...(template && { description: template.description }),
  };
};

const missingFor = (domain: string, found: Survey): ListedReviewer[] => {
  const answer = found.domain(domain);
  if (answer.state !== "found") return [];
  return answer.document.reviewers
    .filter(({ name }) => !found.known.has(name) && !found.agents.readable.has(`${name}.md`))
    .map(({ name, description }) => {
      return { name, kind: "generated", state: "missing", domain, description };
    });
};
