import type { Reader, Row, Scope, Statement, Writer } from "./port.ts";

export interface ScopeIdentity {
  readonly key: string;
  readonly name: string;
  /**
   * Whether a scope of the same store is this one under another path: "moved" where nothing is at that path any
   * more, "here" where both paths lead to this very store.
   */
  readonly knows?: (key: string) => "moved" | "here" | undefined;
}

/** The store moves with its repository, and may be seen under several paths; a copy is another scope. */
export const findScopeElsewhere = async (
  tx: Reader,
  { knows }: ScopeIdentity,
): Promise<{ readonly scope: Scope; readonly how: "moved" | "here" } | undefined> => {
  if (!knows) return undefined;
  for (const scope of await tx.all<Scope & Row>(selectScopes, {})) {
    const how = knows(scope.key);
    if (how !== undefined) return { scope, how };
  }
  return undefined;
};

export const moveScope = async (
  tx: Writer,
  { id, key: from }: Scope,
  { key, name }: ScopeIdentity,
): Promise<Scope> => {
  await tx.run(updateScope, { id, key, name });
  tx.emit({ kind: "scope.moved", subject: id, data: { from, to: key } });
  return { id, key, name };
};

export const findScope = (tx: Reader, key: string): Promise<Scope | undefined> =>
  tx.get<Scope & Row>(selectScope, { key });

/** Adds the scope and its first event; returns false when another process was faster. */
export const createScope = async (
  tx: Writer,
  options: { readonly scope: Scope; readonly firstHash: string; readonly wallMs: number },
): Promise<boolean> => {
  const { scope, firstHash: hash, wallMs: at } = options;
  const { id, key, name } = scope;
  if ((await tx.run(insertScope, { id, key, name, at, hash })) === 0) return false;
  tx.emit({ kind: "scope.created", subject: id, data: { key, name } });
  return true;
};

const selectScope: Statement = { sql: "SELECT id, key, name FROM scopes WHERE key = :key" };
const selectScopes: Statement = {
  sql: "SELECT id, key, name FROM scopes ORDER BY created_at DESC",
};
const updateScope: Statement = {
  sql: "UPDATE scopes SET key = :key, name = :name WHERE id = :id",
};
const insertScope: Statement = {
  sql: `INSERT INTO scopes (id, key, name, created_at, event_hash, pruned_hash)
        VALUES (:id, :key, :name, :at, :hash, :hash) ON CONFLICT (key) DO NOTHING`,
};
