/** What `.git/headgate/cache/profile.json` holds. */
import * as v from "valibot";
import { roleShare } from "./signals/weights.ts";
import type { StoredSurvey } from "./stored-survey.ts";
import type { Profile } from "./types.ts";
import type { Change } from "./worktree-state.ts";

/** Raised with every change that an older program cannot read. */
export const cacheFormat = 1;

export interface CachedProfile {
  readonly format: number;
  /** Counts the writes; a write that expects another one is refused. */
  readonly generation: number;
  /** For people; nothing is decided by it. */
  readonly writtenAt: string;
  readonly writer: { readonly version: string; readonly pid: number };
  /** A copied folder is another worktree. */
  readonly worktree: string;
  readonly rules: { readonly looked: string; readonly weighed: string };
  readonly override: string;
  readonly source: "git" | "folder";
  readonly head: string | null;
  /** Null without git. */
  readonly tree: string | null;
  readonly dirtyDigest: string;
  /** What differed from the tree and can matter; null: too much to list. */
  readonly changes: readonly Change[] | null;
  readonly evidenceDigest: string;
  readonly survey: StoredSurvey;
  readonly profile: Omit<Profile, "evidence">;
}

const text = v.string();
const digest = v.pipe(text, v.regex(/^sha256:[0-9a-f]{64}$/));
const objectId = v.pipe(text, v.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const counts = v.array(v.strictTuple([text, v.pipe(v.number(), v.minValue(0))]));
const role = v.picklist(Object.keys(roleShare) as (keyof typeof roleShare)[]);
const kind = v.picklist([
  "defining-file",
  "framework",
  "entry-point",
  "extension-share",
  "directory",
  "keyword",
  "category",
  "statement",
  "combination",
  "override",
]);
const note = v.strictObject({ path: text, message: text });
const facts = v.strictObject({
  ecosystem: text,
  isPackage: v.boolean(),
  name: v.exactOptional(text),
  members: v.array(text),
});
const domains = v.array(
  v.strictObject({
    name: text,
    confidence: share,
    state: v.picklist(["detected", "likely"]),
    evidence: v.array(v.strictObject({ signal: text, path: text, weight: v.number() })),
  }),
);

/** The file lies in the project: what is in it may have been written by anybody. */
export const cacheSchema: v.GenericSchema<unknown, CachedProfile> = v.strictObject({
  format: v.literal(cacheFormat),
  generation: v.pipe(v.number(), v.integer(), v.minValue(1)),
  writtenAt: text,
  writer: v.strictObject({ version: text, pid: v.number() }),
  worktree: text,
  rules: v.strictObject({ looked: digest, weighed: digest }),
  override: digest,
  source: v.picklist(["git", "folder"]),
  head: v.nullable(objectId),
  tree: v.nullable(objectId),
  dirtyDigest: digest,
  changes: v.nullable(
    v.array(
      v.strictObject({
        path: text,
        kind: v.picklist(["added", "deleted", "changed"]),
        digest: v.exactOptional(text),
      }),
    ),
  ),
  evidenceDigest: digest,
  survey: v.strictObject({
    prevailing: role,
    counts,
    weighed: counts,
    packages: v.array(
      v.strictObject({
        path: text,
        name: v.exactOptional(text),
        ecosystems: v.array(text),
        role,
        counts,
        topCounts: counts,
        importance: share,
        isMember: v.boolean(),
      }),
    ),
    evidence: v.array(
      v.strictObject({ key: text, kind, path: text, blob: v.exactOptional(text), owner: text }),
    ),
    read: v.array(
      v.strictObject({
        path: text,
        digest: text,
        evidence: v.array(text),
        packages: v.array(facts),
        notes: v.array(text),
      }),
    ),
    sampled: v.nullable(v.array(text)),
    hasRules: v.boolean(),
    notes: v.array(note),
  }),
  profile: v.strictObject({
    domains,
    primary: v.nullable(text),
    packages: v.array(
      v.strictObject({
        path: text,
        name: v.exactOptional(text),
        ecosystems: v.array(text),
        domains,
        primary: v.nullable(text),
      }),
    ),
    languages: v.array(v.strictObject({ name: text, share })),
    notes: v.array(note),
  }),
});
