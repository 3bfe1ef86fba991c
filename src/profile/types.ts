/** The words of this room: what kind of project a tree is, how sure that is, and why. */

export type SignalKind =
  /** A file that only this kind of project has: `project.godot`, `tauri.conf.json`. */
  | "defining-file"
  /** A dependency in a manifest. */
  | "framework"
  /** What the manifest or the sources start: `bin`, `[[bin]]`, `package main` under cmd/. */
  | "entry-point"
  /** Share of the code in a language or file extension. */
  | "extension-share"
  | "directory"
  /** A word in a manifest's own description or keywords. */
  | "keyword"
  /** An entry of a registry's own list of subjects: crates.io categories, Python classifiers. */
  | "category"
  /** What the project says it is: a manifest's description, the first sentences of the README. */
  | "statement"
  /** Two other domains that together are this one. */
  | "combination"
  /** The user said so. */
  | "override";

/** One thing that was found. The set of them, by key, is what a cached profile is compared with. */
export interface Evidence {
  /** Stable: `framework:npm:express`, `defining-file:project.godot`, `entry-point:cargo:bin`. */
  readonly key: string;
  readonly kind: SignalKind;
  /** Where it was found, relative to the root. */
  readonly path: string;
  /** git's object id of that file, where there is one. */
  readonly blob?: string;
}

export interface DomainEvidence {
  /** The evidence's key. */
  readonly signal: string;
  readonly path: string;
  /** What it adds on its own (0–1); negative: it speaks against. */
  readonly weight: number;
}

export interface Domain {
  readonly name: string;
  /** 0–1; 0.40 and above is detected, 0.20–0.40 likely. */
  readonly confidence: number;
  readonly state: "detected" | "likely";
  readonly evidence: readonly DomainEvidence[];
}

/** One package of a monorepo, or the whole repository ("."). */
export interface PackageProfile {
  readonly path: string;
  readonly name?: string;
  /** npm, cargo, go, python … */
  readonly ecosystems: readonly string[];
  readonly domains: readonly Domain[];
  readonly primary: string | null;
}

/** What could not be read or was left out, with the reason: a broken manifest is a note. */
export interface ProfileNote {
  readonly path: string;
  readonly message: string;
}

export interface Profile {
  readonly domains: readonly Domain[];
  /** Null without a clear winner (margin 0.10). */
  readonly primary: string | null;
  readonly packages: readonly PackageProfile[];
  /** Languages by share of the code that counts, largest first. */
  readonly languages: readonly { readonly name: string; readonly share: number }[];
  readonly notes: readonly ProfileNote[];
  readonly evidence: readonly Evidence[];
}

/** What the user knows better. Domains are names of the signal files. */
export interface ProfileOverride {
  /** These and no others; the first one is primary unless `primary` says otherwise. */
  readonly domains?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly primary?: string;
  /** Patterns as in .gitattributes: what they match does not count. */
  readonly ignore?: readonly string[];
}

/** Whether a cached profile still holds, and everything that was looked at to say so (D-07). */
export interface Freshness {
  /** `none`: there is no usable cache; `unknown`: it cannot be proven either way. */
  readonly state: "fresh" | "stale" | "none" | "unknown";
  readonly why: string;
  /** What the profile rests on today and did not then, and the other way round. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Files that changed and can matter. */
  readonly changed: readonly string[];
  readonly cache: CacheFacts;
  readonly now: TreeFacts;
  readonly steps: readonly CheckStep[];
}

export interface CacheFacts extends TreeFacts {
  readonly path: string;
  readonly format?: number;
  readonly generation?: number;
  /** ISO 8601, for people: nothing is decided by it. */
  readonly writtenAt?: string;
  readonly writer?: { readonly version: string; readonly pid: number };
}

/** What names the content of a worktree, and the rules it is looked at with. */
export interface TreeFacts {
  readonly worktree?: string;
  readonly source?: "git" | "folder";
  readonly head?: string | null;
  readonly tree?: string | null;
  readonly shallow?: boolean;
  readonly dirtyDigest?: string;
  readonly dirtyFiles?: number;
  readonly evidenceDigest?: string;
  readonly rules?: { readonly looked: string; readonly weighed: string };
  readonly override?: string;
}

export interface CheckStep {
  readonly step: string;
  readonly found: string;
  readonly ms: number;
}
