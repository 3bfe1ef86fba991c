-- Whose every uncommitted line is, per worktree: a record per file that differs from its commit, the sessions
-- that write here, and who waits for whose lines. Claims learn a third mode: held by an edit.
CREATE TABLE line_files (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  worktree TEXT NOT NULL,
  path TEXT NOT NULL,
  -- JSON: the weave of the file and the writes that were allowed but not seen yet.
  record TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, worktree, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE line_sessions (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  worktree TEXT NOT NULL,
  session TEXT NOT NULL,
  -- Whoever of the session was heard last.
  actor TEXT NOT NULL,
  task TEXT NOT NULL,
  at INTEGER NOT NULL,
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
  PRIMARY KEY (scope_id, worktree, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE line_waits (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  worktree TEXT NOT NULL,
  session TEXT NOT NULL,
  path TEXT NOT NULL,
  -- JSON: the sessions whose lines are in the way.
  holders TEXT NOT NULL,
  since INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, worktree, session, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE claims_next (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  target TEXT NOT NULL,
  extent TEXT NOT NULL CHECK (extent IN ('file', 'tree')),
  folds INTEGER NOT NULL CHECK (folds IN (0, 1)),
  place TEXT NOT NULL,
  tail TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared', 'edit')),
  actor TEXT NOT NULL,
  session TEXT NOT NULL,
  for_session INTEGER NOT NULL CHECK (for_session IN (0, 1)),
  fence INTEGER NOT NULL,
  reason TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  ttl_ms INTEGER NOT NULL CHECK (ttl_ms > 0),
  expires_at INTEGER NOT NULL,
  expires_mono INTEGER,
  expires_boot TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

INSERT INTO claims_next SELECT * FROM claims;
DROP TABLE claims;
ALTER TABLE claims_next RENAME TO claims;
CREATE INDEX claims_by_place ON claims (scope_id, place, tail);

CREATE TABLE waiters_next (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  session TEXT NOT NULL,
  for_session INTEGER NOT NULL CHECK (for_session IN (0, 1)),
  targets TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared', 'edit')),
  ttl_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  priority INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  expires_mono INTEGER,
  expires_boot TEXT,
  process TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  seen_mono INTEGER,
  seen_boot TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'granted', 'victim', 'ended')),
  outcome TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

INSERT INTO waiters_next SELECT * FROM waiters;
DROP TABLE waiters;
ALTER TABLE waiters_next RENAME TO waiters;
