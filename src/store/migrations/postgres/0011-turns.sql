-- The parts of the file that a session waits for, as JSON of targets; none: the whole file. Without holders it is a
-- turn: the lines are free, and from `at` on they are kept for this session for a moment.
ALTER TABLE line_waits ADD COLUMN parts text COLLATE "C" NOT NULL DEFAULT '[]';

-- Claims that were refused to agents: the first of them holds it for a moment when it becomes free.
CREATE TABLE claim_wishes (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  for_session bigint NOT NULL CHECK (for_session IN (0, 1)),
  -- JSON, as those of waiters.
  targets text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope_id, id)
);
