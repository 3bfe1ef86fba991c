-- Claims, who holds them, who waits for them. Only live rows are kept; the events are the history.
-- A moment that decides something is stored three ways: wall clock for showing, monotonic time with its
-- boot for deciding (jumps of the wall clock must not count).
ALTER TABLE scopes ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;

CREATE TABLE actors (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  session TEXT NOT NULL,
  harness TEXT,
  -- The process whose end proves the actor's; all null when none is known.
  host TEXT,
  boot_id TEXT,
  pid_namespace TEXT,
  pid INTEGER,
  start_time TEXT,
  seen_at INTEGER NOT NULL,
  seen_mono INTEGER,
  seen_boot TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE claims (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  target TEXT NOT NULL,
  -- What a path without wildcards means: 'file' itself only, 'tree' with everything below.
  extent TEXT NOT NULL CHECK (extent IN ('file', 'tree')),
  folds INTEGER NOT NULL CHECK (folds IN (0, 1)),
  -- Where to look for overlaps: literal folders at the start, literal characters at the end (reversed).
  place TEXT NOT NULL,
  tail TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared')),
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

CREATE INDEX claims_by_place ON claims (scope_id, place, tail);

CREATE TABLE waiters (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  session TEXT NOT NULL,
  for_session INTEGER NOT NULL CHECK (for_session IN (0, 1)),
  -- JSON: [{"text","extent","folds"}].
  targets TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared')),
  ttl_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  priority INTEGER NOT NULL,
  -- Smaller is served first: when it came, put earlier by its priority.
  rank INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  expires_mono INTEGER,
  expires_boot TEXT,
  -- The process that waits, as JSON of a ProcessIdentity.
  process TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  seen_mono INTEGER,
  seen_boot TEXT,
  -- Ended rows stay a little while, so that the waiting process can read how it ended.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'granted', 'victim', 'ended')),
  outcome TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE release_requests (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  claim_id TEXT NOT NULL,
  target TEXT NOT NULL,
  holder TEXT NOT NULL,
  asker TEXT NOT NULL,
  reason TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  expires_mono INTEGER,
  expires_boot TEXT,
  answer TEXT NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rescues (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  claim_id TEXT NOT NULL,
  target TEXT NOT NULL,
  extent TEXT NOT NULL,
  folds INTEGER NOT NULL,
  actor TEXT NOT NULL,
  ref TEXT NOT NULL,
  files INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, claim_id)
) STRICT, WITHOUT ROWID;
