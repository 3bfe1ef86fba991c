/** What generating would do, decided before anything is written. */
import { isOutdated, isPristine, type Known, type Survey, type Template } from "./survey.ts";
import { packBase, type ManifestEntry } from "./manifest.ts";
import { hashOf, withMarker } from "./marker.ts";

export interface GenerateRequest {
  /** The project's domains, as its profile has them. */
  readonly domains: readonly string[];
  /** Only these reviewers of the domains. */
  readonly names?: readonly string[];
  /** Bring what is there up to date; changes made by people are kept, by three-way merge. */
  readonly update?: boolean;
  /** Replace what people changed by what is generated. */
  readonly overwrite?: boolean;
}

export type StepAction =
  | "create"
  | "update"
  | "merge"
  | "overwrite"
  /** The file is there already; only the manifest did not know it. */
  | "register";

export interface PlannedStep {
  readonly name: string;
  readonly domain: string;
  readonly action: StepAction;
  readonly file: string;
  /** The text there now; null where there is none. */
  readonly before: string | null;
  readonly after: string;
  /** SHA-256 of the bytes that must be there; null: no file. */
  readonly expect: string | null;
  readonly entry: ManifestEntry;
}

export interface Kept {
  readonly name: string;
  readonly domain: string;
  readonly why:
    | "current"
    | "outdated"
    /** A file of this name that Headgate did not make. */
    | "own"
    /** Made by Headgate, but not in the manifest, and changed since: `adopt` takes it over. */
    | "unregistered"
    /** Changed by people where the new text changed, too. */
    | "conflict";
  readonly file: string;
  readonly detail?: string;
}

export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly kept: readonly Kept[];
  /** Domains without a usable document: warned about and left out. */
  readonly skipped: readonly { readonly domain: string; readonly why: string }[];
}

export type Merge = (
  base: string,
  ours: string,
  theirs: string,
) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly line: number };

export const makePlan = (found: Survey, request: GenerateRequest, merge: Merge): Plan => {
  const steps: PlannedStep[] = [];
  const kept: Kept[] = [];
  const skipped: { domain: string; why: string }[] = [];
  for (const domain of new Set(request.domains)) {
    const answer = found.domain(domain);
    if (answer.state === "found") {
      for (const { name } of answer.document.reviewers) {
        const template = found.templates.get(name);
        if (request.names && !request.names.includes(name)) continue;
        if (template) decide(template);
      }
    } else if (answer.state === "malformed") {
      skipped.push({ domain, why: `its document is malformed: ${answer.problem}` });
    } else {
      const hint = answer.nearest === undefined ? "" : `; did you mean ${answer.nearest}?`;
      skipped.push({ domain, why: `this Headgate has no document for it${hint}` });
    }
  }
  return { steps, kept, skipped };

  function decide(template: Template): void {
    const known = found.known.get(template.name);
    const decided = known?.file
      ? decideKnown(known, known.file.file, template)
      : decideMissing(template);
    if ("why" in decided) kept.push(decided);
    else steps.push(decided);
  }

  function decideMissing(template: Template): PlannedStep | Kept {
    const { name, domain } = template;
    const file = `${name}.md`;
    const isTaken = found.agents.readable.has(file) || found.agents.closed.has(file);
    if (isTaken) return { name, domain, why: "own", file };
    return stepOf(template, { action: "create", file, body: template.body });
  }

  function decideKnown(known: Known, file: string, template: Template): PlannedStep | Kept {
    const keep = (why: Kept["why"], detail?: string): Kept => ({
      ...{ name: template.name, domain: template.domain, why, file },
      ...(detail !== undefined && { detail }),
    });
    const body = known.file?.body ?? "";
    if (!known.entry) {
      if (!isPristine(known)) return keep("unregistered");
      if (!request.update) {
        const registered = { ...template, hash: known.baseHash, body };
        return stepOf(registered, { action: "register", file, body, known });
      }
    }
    if (request.overwrite && !isPristine(known)) {
      return stepOf(template, { action: "overwrite", file, body: template.body, known });
    }
    if (!isOutdated(known)) {
      const isRecorded = known.entry?.templateHash === template.hash && known.entry.file === file;
      if (isRecorded) return keep("current");
      return stepOf(template, { action: "register", file, body, known });
    }
    if (!request.update && !request.overwrite) return keep("outdated");
    if (isPristine(known)) {
      return stepOf(template, { action: "update", file, body: template.body, known });
    }
    if (known.base === undefined) return keep("conflict", "what it was made from is not known");
    const merged = merge(`${known.base}\n`, `${body}\n`, `${template.body}\n`);
    if (!merged.ok) return keep("conflict", `line ${merged.line} of the generated text`);
    return stepOf(template, { action: "merge", file, body: merged.text.trimEnd(), known });
  }
};

const stepOf = (
  template: Template,
  to: {
    readonly action: StepAction;
    readonly file: string;
    readonly body: string;
    readonly known?: Known;
  },
): PlannedStep => {
  const { name, domain, hash } = template;
  const { action, file, body, known } = to;
  const before = known?.file?.text ?? null;
  const marked = withMarker(body, { name, domain, template: hash });
  // Whoever works with carriage returns keeps them.
  const after = before?.includes("\r\n") ? marked.replaceAll("\n", "\r\n") : marked;
  return {
    ...{ name, domain, action, file, before },
    after: action === "register" && before !== null ? before : after,
    expect: known?.file?.bytesHash ?? null,
    entry: entryOf(template, file, body),
  };
};

export const entryOf = (template: Template, file: string, body: string): ManifestEntry => ({
  domain: template.domain,
  file,
  templateHash: template.hash,
  contentHash: hashOf(body),
  base: packBase(template.body),
});
