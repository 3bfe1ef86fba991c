/** Imports and exports of one file, and the names it uses without having them. Made where parsers run. */

export interface ModuleShape {
  /** Names that other files can import; `default` is one of them. */
  readonly exports: readonly { readonly name: string; readonly line: number }[];
  /** `export { name as as } from`; the name `*` passes on the whole module under one name. */
  readonly passedOn: readonly ImportedName[];
  /** Modules whose names are all passed on, as written. */
  readonly stars: readonly string[];
  readonly imports: readonly ImportedName[];
  /** `ns.total`, where `ns` is an imported module and nothing else in the file has that name. */
  readonly members: readonly MemberUse[];
  /** Why names may exist that are not in `exports`; absent when the list is complete. */
  readonly openBecause?: string;
  /** Names of the module level: definitions and imports. */
  readonly bound: readonly string[];
  /** Uses of names that nothing in the file binds, in whatever scope. */
  readonly unbound: readonly UnboundName[];
  readonly classes: readonly ClassShape[];
}

export interface ImportedName {
  /** The module as written. */
  readonly from: string;
  /** Its name there; `*` for the whole module, empty when only the module is asked for. */
  readonly name: string;
  readonly as: string;
  readonly line: number;
  /** Asked for in a way that expects failure: inside `try`, or under a condition. */
  readonly isGuarded?: true;
}

export interface MemberUse {
  /** The local name of the module. */
  readonly of: string;
  readonly name: string;
  readonly line: number;
}

export interface UnboundName {
  readonly name: string;
  readonly line: number;
  /** In the place of a type. */
  readonly isType?: true;
}

/** A class whose members are all written in its body. */
export interface ClassShape {
  readonly name: string;
  readonly members: readonly string[];
  /** `this.name` in its methods. */
  readonly uses: readonly { readonly name: string; readonly line: number }[];
}

export const emptyShape: ModuleShape = {
  exports: [],
  passedOn: [],
  stars: [],
  imports: [],
  members: [],
  bound: [],
  unbound: [],
  classes: [],
};
