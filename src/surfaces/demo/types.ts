/** The words of the demo: what an agent is told to do, and what came of it. */

export type Step =
  /** As a client's own tools do it: asked by the hook before, told to the hook after. */
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "replace"; readonly path: string; readonly old: string; readonly new: string }
  /** Through the command line. */
  | { readonly do: "claim"; readonly target: string; readonly ttl: string; readonly wait?: string }
  | { readonly do: "release" }
  | { readonly do: "commit"; readonly message: string }
  /** The turn is over: what the session holds ends sooner. */
  | { readonly do: "begin" | "end" };

export interface Done {
  readonly ok: boolean;
  /** Of a refusal: its code, its first line, and what it says to do. */
  readonly code?: string;
  readonly text?: string;
  readonly remedy?: string;
  /** Uncommitted work of a dead holder that was saved. */
  readonly rescued?: number;
  readonly ms: number;
}

/** Something that a person watching should see. */
export interface Scene {
  readonly name: string;
  readonly agents: readonly string[];
  /** What happened, in one line, and how it was handled. */
  readonly happened: string;
  readonly handled: string;
  readonly isHandled: boolean;
  /** Of a scene that went otherwise: which step, and its answer. */
  readonly missed: string;
}

export interface Check {
  readonly what: string;
  readonly told: number | string;
  readonly found: number | string;
  readonly ok: boolean;
}
