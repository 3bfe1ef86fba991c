import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findRepository } from "../../../src/git/repository.ts";
import {
  type Candidate,
  candidatesOf,
  readSubject,
  type Subject,
  type TriageInput,
} from "../../../src/review/index.ts";
import type { RoutingView } from "../../../src/routing/index.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { newProject } from "../../reviewers/project.ts";
import { emptyPlace } from "../subject/place.ts";

const folder = join(import.meta.dirname, "changes");

/** A change as a subject, or a document where the name ends in `.md`. */
export const subjectOf = async (name: string, root?: string): Promise<Subject> => {
  if (!name.endsWith(".md")) {
    const patch = readFileSync(join(folder, `${name}.diff`));
    const repository = await findRepository(root ?? temporaryFolder());
    return readSubject({ target: "-", patch }, { repository });
  }
  const place = emptyPlace();
  place.write(name, readFileSync(join(folder, name)));
  return place.read({ target: name });
};

/** The roster, and the reviewers that would be generated for these domains. */
export const candidatesFor = async (
  domains: readonly string[],
  root?: string,
): Promise<Candidate[]> => {
  const project = newProject(root);
  const reviewers = await project.open();
  if (domains.length > 0) await reviewers.generate({ domains });
  return candidatesOf(reviewers, { domains });
};

export const noRouting: RoutingView = { overrides: [], canaries: [], precision: [] };

export const inputOf = async (
  name: string,
  domains: Readonly<Record<string, number>> = {},
): Promise<TriageInput> => ({
  subject: await subjectOf(name),
  candidates: await candidatesFor(Object.keys(domains)),
  domains: Object.entries(domains).map(([domain, confidence]) => ({ name: domain, confidence })),
  routing: noRouting,
  seed: `review of ${name}`,
});
