-- Scopes with the head of their event chain, the events, and the results of keyed writes.
CREATE TABLE scopes (
  id TEXT NOT NULL PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_seq INTEGER NOT NULL DEFAULT 0 CHECK (event_seq >= pruned_seq),
  event_hash TEXT NOT NULL,
  pruned_seq INTEGER NOT NULL DEFAULT 0,
  pruned_hash TEXT NOT NULL,
  -- Counted up when the outcome of a failed COMMIT is settled by a later one.
  settled INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT,
  subject TEXT,
  operation TEXT NOT NULL,
  data TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (scope_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER events_stay BEFORE DELETE ON events
WHEN OLD.seq > coalesce((SELECT pruned_seq FROM scopes WHERE id = OLD.scope_id), 0)
BEGIN
  SELECT RAISE(ABORT, 'events are removed by pruning only');
END;

CREATE TABLE outcomes (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  result TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, key)
) STRICT, WITHOUT ROWID;
