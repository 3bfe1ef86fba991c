/** Everybody who can be asked in this project, with the instructions that they would get. */
import {
  type DomainDocument,
  renderContract,
  renderRosterReviewer,
  type Reviewers,
} from "../../reviewers/index.ts";
import { staticReviewer, staticRules } from "../static/index.ts";
import type { Candidate } from "../triage/types.ts";

export interface CandidateOptions {
  /** The project's domains. */
  readonly domains: readonly string[];
  /** By reviewer, where it was tried on planted faults. */
  readonly qualified?: ReadonlyMap<string, boolean>;
}

/** Throws as reading the agents' folder does. */
export const candidatesOf = (
  reviewers: Pick<Reviewers, "library" | "agents">,
  { domains, qualified }: CandidateOptions,
): Candidate[] => {
  const { library } = reviewers;
  const documents = domains.flatMap((name): DomainDocument[] => {
    const found = library.domain(name);
    return found.state === "found" ? [found.document] : [];
  });
  const builtIn = library.roster().map((reviewer): Candidate => {
    const { name, description } = reviewer;
    const text = renderRosterReviewer(reviewer, { domains: documents, contract: library.contract });
    return { name, kind: "built-in", description, instructions: text };
  });
  const taken = new Set([staticReviewer, ...builtIn.map(({ name }) => name)]);
  const others = reviewers.agents().map((agent): Candidate => {
    const { kind, domain, description, body } = agent;
    const name = freeName(agent.name, taken);
    taken.add(name);
    const isQualified = qualified?.get(name);
    return {
      ...{ name, kind, description },
      ...(domain !== undefined && { domain }),
      instructions: withContract(body, name, library.contract),
      ...(isQualified !== undefined && { qualified: isQualified }),
    };
  });
  return [staticCandidate, ...builtIn, ...others];
};

const staticCandidate: Candidate = {
  name: staticReviewer,
  kind: "static",
  description: `${staticRules.length} rules over the syntax tree, without a model`,
  instructions: "",
};

/** Names stand in markers and logs, so their signs are few; nobody can take the name of a reviewer of ours. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const plain = name.replaceAll(/[^A-Za-z0-9._/-]+/g, "-").slice(0, 80) || "agent";
  const base = taken.has(plain) ? `own-${plain}` : plain;
  let free = base;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}`;
  return free;
};

/** Agents that people wrote know nothing of the form that reports have. */
const withContract = (body: string, agent: string, contract: string): string =>
  body.includes("headgate:complete") && body.includes("### Findings Index")
    ? body
    : `${body}\n\n${renderContract(contract, { agent })}`;
