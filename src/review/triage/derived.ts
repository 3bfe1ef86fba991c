/** What draws a reviewer that nobody made a table for: its own words about itself. */
import { stopWords } from "../synthesis/stop-words.ts";
import type { Affinity, Role } from "./affinity/index.ts";
import { formOf } from "./look.ts";
import type { Candidate } from "./types.ts";

/** Words of instructions that every reviewer uses. */
const common = new Set(
  `project projects checks check looks look reviews reviewer reviewing agent agents asks assumes follows find finds
  handling handle other like work works right wrong first second well known every read reads write writes written
  whole time people person user users value values name names file files place point part parts number numbers kind
  type types state states call calls called comes come take takes taken used behaviour behavior system systems
  application tool tools data two one three proactively expert specialist senior quality ensure ensures provide
  provides please examples example context task tasks must best practices practice standards
  export import return class public private function default const static void string boolean`
    .split(/\s+/)
    .map(formOf),
);

export const derivedAffinity = (candidate: Candidate): Affinity => {
  const { description, instructions, kind } = candidate;
  const areas =
    /^#{1,3} +Review areas\s*\n([^]*?)(?=^#{1,3} |(?![^]))/m.exec(instructions)?.[1] ?? "";
  const said = description.toLowerCase();
  const roles: Partial<Record<Role, number>> = {
    ...{ code: kind === "generated" ? 0.8 : 0.5, tests: 0.2, document: 0.4 },
    ...(/\b(?:docs?|documentation|guides?|tutorials?)\b/.test(said) && { docs: 1.2 }),
    ...(/\b(?:tests?|testing)\b/.test(said) && { tests: 1.2 }),
    ...(/\b(?:workflows?|ci|pipelines?|deployments?|docker\w*|terraform|manifests?|kubernetes)\b/.test(
      said,
    ) && { settings: 1 }),
    ...(/\b(?:data|schemas?|configuration|settings)\b/.test(said) && { data: 0.6 }),
    ...(/\b(?:plans?|requirements?|documents?|prd|specs?)\b/.test(said) && { document: 1.2 }),
    ...(/\b(?:styles?|css|interface|ui|components?|screens?)\b/.test(said) && { styles: 0.6 }),
  };
  return { roles, paths: [], words: wordsOf(description, areas).join(" ") };
};

/** An agent of the user's is asked only if it says that it reviews. */
export const saysItReviews = ({ name, description }: Candidate): boolean =>
  /\b(?:review|audit|critiqu|inspect|vulnerabilit|code quality|looks? for (?:bugs|defects))/i.test(
    `${name.replaceAll(/[-_/]/g, " ")} ${description}`,
  );

const wordsMax = 60;

/** Those of the description first; names in the areas' code are taken as they are. */
const wordsOf = (description: string, areas: string): string[] => {
  const found = new Set<string>();
  for (const [word] of `${description} ${areas}`.toLowerCase().matchAll(/[a-z][a-z0-9]{3,24}/g)) {
    if (stopWords.has(word) || common.has(formOf(word))) continue;
    found.add(word);
    if (found.size >= wordsMax) break;
  }
  return [...found];
};
