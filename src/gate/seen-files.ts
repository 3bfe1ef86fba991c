/**
 * The version of a file that an actor last saw (E-07), and which files a session was shown anything of (E-24), kept in the store
 * for a week. Beside files, three kinds of rows are there, known by their path: a folder (`src/`) of which a
 * command may have shown files, `/start` (the session began while Headgate looked on), `/reads` (its client reports
 * what it reads).
 */
import { HeadgateError } from "../errors.ts";
import type { Scope, Statement, Store } from "../store/index.ts";

export interface SeenFile {
  readonly path: string;
  /** sha256 of the content that was seen. */
  readonly hash: string;
}

/** read: something of it was shown. perhaps: that is not certain. never: it would have been reported. */
export type SessionReading = "read" | "perhaps" | "never";

export const sessionMarks = { start: "/start", reads: "/reads" } as const;

export interface SeenFiles {
  /** Nothing is written when it is known already, unless that is days old. */
  remember(actor: string, seen: readonly SeenFile[]): Promise<void>;
  /** Something of these was shown, in a version that is not known; folders end in a slash. Or a mark. */
  meet(actor: string, paths: readonly string[]): Promise<void>;
  lastSeen(actor: string, path: string): Promise<string | undefined>;
  /** Whether the session or one of its sub-agents was shown anything of the file. */
  reading(session: string, path: string): Promise<SessionReading>;
}

export const openSeenFiles = (place: {
  /** Opens the store for writing, creating it first. */
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  /** For looking: undefined while nothing was ever stored. */
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
}): SeenFiles => {
  const remember = async (actor: string, seen: readonly SeenFile[]): Promise<void> => {
    if (seen.length > seenAtOnceMax) {
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `${seen.length} files seen in one call; ${seenAtOnceMax} are the most`,
      );
    }
    const { store, scope } = await place.open();
    // One row per file, whatever the caller repeats: the last word counts.
    const files = [...new Map(seen.map((one) => [one.path, one])).values()];
    await store.write({ scope }, async (tx) => {
      const { wallMs } = await tx.now();
      const at = Math.trunc(wallMs);
      const news: SeenFile[] = [];
      for (const { path, hash } of files) {
        const known = await tx.get<{ hash: string; at: number }>(selectSeen, {
          scope: scope.id,
          actor,
          path,
        });
        const kept = hash === "" ? (known?.hash ?? "") : hash;
        if (known?.hash === kept && at - known.at < refreshMs) continue;
        await tx.run(upsertSeen, { scope: scope.id, actor, path, hash: kept, at });
        news.push({ path, hash: kept });
      }
      if (news.length === 0) return null;
      await tx.run(pruneSeen, { scope: scope.id, before: at - keepMs });
      // Which files is in the table; an event for each would drown all others.
      tx.emit({ kind: "files.seen", actor, data: { count: news.length } });
      return null;
    });
  };
  const lastSeen = async (actor: string, path: string): Promise<string | undefined> => {
    const there = await place.look();
    if (!there) return undefined;
    const { store, scope } = there;
    return store.read(async (tx) => {
      const { wallMs } = await tx.now();
      const row = await tx.get<{ hash: string; at: number }>(selectSeen, {
        scope: scope.id,
        actor,
        path,
      });
      return row && wallMs - row.at <= keepMs ? row.hash || undefined : undefined;
    });
  };
  const reading = async (session: string, path: string): Promise<SessionReading> => {
    const there = await place.look();
    if (!there) return "perhaps";
    const { store, scope } = there;
    const prefix = `${session}/`;
    const rows = await store.read((tx) =>
      tx.all<{ path: string }>(selectMet, {
        scope: scope.id,
        ...{ session, prefix, length: [...prefix].length, path },
      }),
    );
    const met = new Set(rows.map((row) => row.path));
    if (met.has(path)) return "read";
    const isReported = met.has(sessionMarks.start) && met.has(sessionMarks.reads);
    const isNear = [...met].some(
      (one) => one === "./" || (one.endsWith("/") && path.startsWith(one)),
    );
    return isReported && !isNear ? "never" : "perhaps";
  };
  return {
    remember,
    lastSeen,
    reading,
    meet: (actor, paths) =>
      remember(
        actor,
        paths.slice(0, seenAtOnceMax).map((path) => ({ path, hash: "" })),
      ),
  };
};

const day = 24 * 60 * 60_000;
const keepMs = 7 * day;
/** Well before it is forgotten. */
const refreshMs = day;
const seenAtOnceMax = 1_000;

// PostgreSQL finds the row by a digest of the path, which may be longer than an index entry.
const selectSeen: Statement = {
  sqlite:
    "SELECT hash, at FROM seen_files WHERE scope_id = :scope AND actor = :actor AND path = :path",
  postgres: `SELECT hash, at FROM seen_files
             WHERE scope_id = :scope AND actor = :actor AND md5(path) = md5(:path) AND path = :path`,
};
const selectMet: Statement = {
  sql: `SELECT path FROM seen_files
        WHERE scope_id = :scope AND (actor = :session OR substr(actor, 1, :length) = :prefix)
          AND (path = :path OR path LIKE '/%' OR path LIKE '%/')`,
};
const upsertSeen: Statement = {
  sqlite: `INSERT INTO seen_files (scope_id, actor, path, hash, at)
           VALUES (:scope, :actor, :path, :hash, :at)
           ON CONFLICT (scope_id, actor, path) DO UPDATE SET hash = excluded.hash, at = excluded.at`,
  postgres: `INSERT INTO seen_files (scope_id, actor, path, hash, at)
             VALUES (:scope, :actor, :path, :hash, :at)
             ON CONFLICT (scope_id, actor, md5(path))
             DO UPDATE SET path = excluded.path, hash = excluded.hash, at = excluded.at`,
};
const pruneSeen: Statement = {
  sql: "DELETE FROM seen_files WHERE scope_id = :scope AND at < :before",
};
