-- The parts of the file that a session waits for, as JSON of targets; none: the whole file. Without holders it is a
-- turn: the lines are free, and from `at` on they are kept for this session for a moment.
ALTER TABLE line_waits ADD COLUMN parts TEXT NOT NULL DEFAULT '[]';

-- Claims that were refused to agents: the first of them holds it for a moment when it becomes free.
CREATE TABLE claim_wishes (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  session TEXT NOT NULL,
  for_session INTEGER NOT NULL CHECK (for_session IN (0, 1)),
  -- JSON, as those of waiters.
  targets TEXT NOT NULL,
  mode TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;
