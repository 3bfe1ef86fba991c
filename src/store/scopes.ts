import type { Reader, Row, Scope, Statement, Writer } from "./port.ts";

export interface ScopeIdentity {
  readonly key: string;
  readonly name: string;
}

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
const insertScope: Statement = {
  sql: `INSERT INTO scopes (id, key, name, created_at, event_hash, pruned_hash)
        VALUES (:id, :key, :name, :at, :hash, :hash) ON CONFLICT (key) DO NOTHING`,
};
