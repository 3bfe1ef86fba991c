/** What a list of calls is made of: a project, calls, and the forms in which they are written. */
export interface CallList {
  readonly files: Readonly<Record<string, string>>;
  path(n: number): string;
  /** Imports of the edited file. */
  readonly head: string;
  readonly placements: readonly ((call: string, n: number) => string)[];
  inClass(call: string, n: number): string;
  readonly missing: readonly string[];
  readonly missingInClass: readonly string[];
  readonly legal: readonly string[];
  readonly legalInClass: readonly string[];
}
