-- Slips that a session was asked about, and what its allowed edits still owe, per worktree.
-- Paths and names may be longer than an index entry, so rows are found by a digest of them.
CREATE TABLE open_ends (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  worktree text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- The name that does not exist, as it is called.
  missing text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  line bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('asked', 'open')),
  at bigint NOT NULL
);

CREATE UNIQUE INDEX open_ends_key ON open_ends (scope_id, worktree, session, md5(path), md5(missing));
