import type { Ecosystem } from "../signals/schema.ts";
import type { Use } from "../signals/weights.ts";

export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly use?: Use;
}

/** What a manifest says, in words that all ecosystems share. */
export interface ManifestFacts {
  /** Shown in the profile: npm, cargo, python … */
  readonly ecosystem: string;
  /** Its folder is a package of its own. */
  readonly isPackage?: boolean;
  readonly name?: string;
  readonly dependencies?: readonly Dependency[];
  /** Shapes of what is started or offered: `npm:bin`, `cargo:lib`. */
  readonly entries?: readonly string[];
  readonly description?: string;
  readonly keywords?: readonly string[];
  /** With the registry in front: `cargo:game-engines`. */
  readonly categories?: readonly string[];
  /** Patterns of the folders of a workspace; `!` takes out. */
  readonly members?: readonly string[];
}

export interface ManifestReader {
  /** File patterns as in the signals, with a space between them. */
  readonly files: string;
  /** Throws on text that is not of its format; the caller makes a note of it. */
  read(text: string, path: string): ManifestFacts | Promise<ManifestFacts>;
}
