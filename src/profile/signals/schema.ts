import * as v from "valibot";

/** What dependencies are called, and where such names come from. */
export const ecosystems = [
  "npm",
  "cargo",
  "go",
  "pypi",
  "maven",
  "gradle",
  "nuget",
  "composer",
  "gems",
  "swift",
  "native",
  "hex",
  "pub",
  "docker",
  "helm",
  "platformio",
] as const;
export type Ecosystem = (typeof ecosystems)[number];

const names = v.pipe(
  v.string(),
  v.regex(/^\S+(?: \S+)*$/, "names with one space between them"),
  v.check((text) => new Set(text.split(" ")).size === text.split(" ").length, "a name twice"),
);
const byEcosystem = v.partial(
  v.strictObject(
    Object.fromEntries(ecosystems.map((name) => [name, names])) as Record<Ecosystem, typeof names>,
  ),
);
const chance = v.pipe(v.number(), v.gtValue(0), v.maxValue(1));
const domainName = v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*$/));
const expression = v.pipe(
  v.string(),
  v.check((text) => compiles(text), "no regular expression"),
  // Nested repetition is how an expression gets slow.
  v.check((text) => !/[+*]\)?[+*]|\.\*/.test(text), "repetition that is not bounded"),
);

/**
 * What speaks for a domain and what against it. How much each kind counts is in weights.ts; a signal
 * that several domains list is shared between them.
 */
export const domainSignalsSchema = v.strictObject({
  domain: domainName,
  about: v.pipe(v.string(), v.minLength(20)),
  /**
   * product: something somebody runs or installs; field: a subject, programs and libraries alike; form:
   * how something is delivered, whatever it is. A form gives way to what is known more exactly.
   */
  nature: v.picklist(["product", "field", "form"]),
  /** Files that only such a project has: `name`, `folder/name`, `*.extension` or `name.config.*`. */
  definingFiles: v.optional(names),
  /** Files that hardly any other kind of project has. */
  uniqueFiles: v.optional(names),
  /** Files that others have too. */
  commonFiles: v.optional(names),
  /** What such a project is built on. A development dependency counts for a third. */
  frameworks: v.optional(byEcosystem),
  /** The same, but usually listed as a development dependency: it counts in full there too. */
  tools: v.optional(byEcosystem),
  /** What such projects often use and others sometimes. */
  helpers: v.optional(byEcosystem),
  /** Shapes of entry points that the manifests' readers tell. */
  entries: v.optional(names),
  /** The same, where nothing else has them. */
  definingEntries: v.optional(names),
  /** The same, where other kinds of project have them too. */
  commonEntries: v.optional(names),
  /** Extensions of languages that are made for this. */
  extensions: v.optional(names),
  /** Extensions of general languages in which such projects are often written. */
  generalExtensions: v.optional(names),
  /** Its files are read from the top of the project: further down they are something that it ships. */
  isAtTop: v.optional(v.boolean()),
  uniqueDirectories: v.optional(names),
  directories: v.optional(names),
  /** `cargo:name` or `python:Classifier`, by their beginning. */
  categories: v.optional(v.array(v.string())),
  /** Expressions over the project's own words about itself, in lower case. */
  statements: v.optional(v.array(expression)),
  keywords: v.optional(v.array(v.pipe(v.string(), v.toLowerCase()))),
  /** Evidence (by key) that speaks against it, and how much of the confidence it takes. */
  against: v.optional(v.record(v.string(), chance)),
  /** In the presence of these it is a part of them: how much of the confidence they take at most. */
  givesWay: v.optional(
    v.strictObject({
      to: v.union([v.literal("all"), v.array(domainName)]),
      except: v.optional(v.array(domainName)),
      by: chance,
    }),
  ),
  /** Two domains that together are this one. */
  combines: v.optional(v.tuple([domainName, domainName])),
});

export type DomainSignals = v.InferOutput<typeof domainSignalsSchema>;

const compiles = (text: string): boolean => {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
};
