-- Whose every uncommitted line is, per worktree: a record per file that differs from its commit, the sessions
-- that write here, and who waits for whose lines. Claims learn a third mode: held by an edit.
-- Paths may be longer than an index entry, so rows are found by a digest of the path.
CREATE TABLE line_files (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  worktree text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- JSON: the weave of the file and the writes that were allowed but not seen yet.
  record text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

CREATE UNIQUE INDEX line_files_key ON line_files (scope_id, worktree, md5(path));

CREATE TABLE line_sessions (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  worktree text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  -- Whoever of the session was heard last.
  actor text COLLATE "C" NOT NULL,
  task text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  ended bigint NOT NULL CHECK (ended IN (0, 1)),
  PRIMARY KEY (scope_id, worktree, session)
);

CREATE TABLE line_waits (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  worktree text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- JSON: the sessions whose lines are in the way.
  holders text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  at bigint NOT NULL
);

CREATE UNIQUE INDEX line_waits_key ON line_waits (scope_id, worktree, session, md5(path));

ALTER TABLE claims DROP CONSTRAINT claims_mode_check;
ALTER TABLE claims ADD CONSTRAINT claims_mode_check CHECK (mode IN ('exclusive', 'shared', 'edit'));
ALTER TABLE waiters DROP CONSTRAINT waiters_mode_check;
ALTER TABLE waiters ADD CONSTRAINT waiters_mode_check CHECK (mode IN ('exclusive', 'shared', 'edit'));
