import { sha256 } from "../../base/sha256.ts";

/** An event as it is stored: what the hash covers, besides the hash itself. */
export interface StoredEvent {
  readonly scope_id: string;
  readonly seq: number;
  readonly id: string;
  /** Wall time in milliseconds. */
  readonly at: number;
  readonly kind: string;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly operation: string;
  /** JSON text, byte for byte. */
  readonly data: string;
}

/** What the first event of a scope follows. */
export const firstHash = "0".repeat(64);

/**
 * The one definition of the chain. The bytes are a version line, then each field in this order on its
 * own as `LENGTH:TEXT` with the length in UTF-8 bytes, or `-` for null, each ended by a line feed.
 * Lengths in front leave no two field lists with the same bytes. PostgreSQL computes the same in
 * `headgate.event_hash` (migrations/postgres/0001-foundation.sql); a contract test compares them.
 */
export const eventHash = (previousHash: string, event: StoredEvent): string => {
  const { scope_id, seq, id, at, kind, actor, subject, operation, data } = event;
  const fields = [previousHash, scope_id, seq, id, at, kind, actor, subject, operation, data];
  return sha256(`headgate event 1\n${fields.map(fieldText).join("")}`);
};

const fieldText = (field: string | number | null): string => {
  if (field === null) return "-\n";
  const text = String(field);
  return `${Buffer.byteLength(text, "utf8")}:${text}\n`;
};
