-- Slips that a session was asked about, and what its allowed edits still owe, per worktree.
CREATE TABLE open_ends (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  worktree TEXT NOT NULL,
  session TEXT NOT NULL,
  path TEXT NOT NULL,
  -- The name that does not exist, as it is called.
  missing TEXT NOT NULL,
  actor TEXT NOT NULL,
  code TEXT NOT NULL,
  line INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'open')),
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, worktree, session, path, missing)
) STRICT, WITHOUT ROWID;
