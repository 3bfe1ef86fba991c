/** Slips that sessions were asked about, and open ends of their edits (E-23): kept per worktree for a week. */
import type { Actor } from "../claims/index.ts";
import type { Row, Scope, Statement, Store } from "../store/index.ts";
import type { Reason, Verdict } from "./types.ts";

export interface OpenEnd {
  readonly session: string;
  readonly actor: string;
  readonly path: string;
  readonly line: number;
  readonly code: string;
  /** The name that does not exist, as it is called. */
  readonly missing: string;
  /** When the edit was allowed; milliseconds of the store's clock. */
  readonly since: number;
}

export interface OpenEnds {
  /** Slips that the session was asked about and may repeat, as `askedKey` names them. */
  asked(session: string): Promise<ReadonlySet<string>>;
  /** Writes down what a verdict asks or leaves open. */
  note(actor: Actor, verdict: Verdict): Promise<void>;
  /** Those that were left open, whether they have closed since or not. */
  list(): Promise<readonly OpenEnd[]>;
}

export interface OpenEndsOptions {
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
  /** As the lines of the worktree name it. */
  readonly worktree: string;
}

interface EndRow extends Row {
  readonly session: string;
  readonly path: string;
  readonly missing: string;
  readonly actor: string;
  readonly code: string;
  readonly line: number;
  readonly state: "asked" | "open";
  readonly at: number;
}

export const openOpenEnds = ({ open, look, worktree }: OpenEndsOptions): OpenEnds => {
  const read = async (): Promise<EndRow[]> => {
    const there = await look();
    if (!there) return [];
    const { store, scope } = there;
    return store.read((tx) => tx.all<EndRow>(selectEnds, { scope: scope.id, worktree }));
  };
  return {
    asked: async (session) =>
      new Set(
        (await read())
          .filter((row) => row.session === session)
          .map(({ path, missing }) => askedKey(path, missing)),
      ),
    note: async ({ id, session }, { verdict, confirm, reasons, notes }) => {
      const isAsked = verdict === "deny" && confirm === true;
      if (verdict === "deny" && !isAsked) return;
      const state = isAsked ? "asked" : "open";
      const ends = (isAsked ? reasons : notes).filter(isOpenEnd);
      if (ends.length === 0) return;
      const { store, scope } = await open();
      await store.write({ scope }, async (tx) => {
        const at = Math.trunc((await tx.now()).wallMs);
        await tx.run(pruneEnds, { scope: scope.id, before: at - keepMs });
        for (const { path, line = 0, code, missing } of ends) {
          const row = { session, path, missing, actor: id, code, line, state, at };
          await tx.run(upsertEnd, { ...row, scope: scope.id, worktree });
        }
        const names = ends.slice(0, eventNamesMax).map(({ path, missing }) => ({ path, missing }));
        const kind = isAsked ? "gate.asked" : "gate.left-open";
        tx.emit({ kind, actor: id, data: { names, count: ends.length } });
        return null;
      });
    },
    list: async () =>
      (await read()).flatMap(({ state, at, ...row }) =>
        state === "open" ? [{ ...row, since: at }] : [],
      ),
  };
};

export const askedKey = (path: string, missing: string): string => `${path}\0${missing}`;

const isOpenEnd = (reason: Reason): reason is Reason & { readonly missing: string } =>
  reason.missing !== undefined;

const keepMs = 7 * 24 * 60 * 60_000;
/** Names in one event. */
const eventNamesMax = 20;

const there = "scope_id = :scope AND worktree = :worktree";
const selectEnds: Statement = {
  sql: `SELECT session, path, missing, actor, code, line, state, at FROM open_ends WHERE ${there}`,
};
const upsertEnd: Statement = {
  sqlite: `INSERT INTO open_ends (scope_id, worktree, session, path, missing, actor, code, line, state, at)
           VALUES (:scope, :worktree, :session, :path, :missing, :actor, :code, :line, :state, :at)
           ON CONFLICT (scope_id, worktree, session, path, missing)
           DO UPDATE SET actor = excluded.actor, line = excluded.line, state = excluded.state`,
  postgres: `INSERT INTO open_ends (scope_id, worktree, session, path, missing, actor, code, line, state, at)
             VALUES (:scope, :worktree, :session, :path, :missing, :actor, :code, :line, :state, :at)
             ON CONFLICT (scope_id, worktree, session, md5(path), md5(missing))
             DO UPDATE SET actor = excluded.actor, line = excluded.line, state = excluded.state`,
};
const pruneEnds: Statement = {
  sql: "DELETE FROM open_ends WHERE scope_id = :scope AND at < :before",
};
