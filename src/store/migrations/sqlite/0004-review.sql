-- Reviews with what each reviewer answered, the problems found over all of them, and who was used how often.
CREATE TABLE reviews (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  ended_at INTEGER,
  actor TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_digest TEXT NOT NULL,
  base TEXT,
  head TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'done', 'failed')),
  problem TEXT,
  verdict TEXT CHECK (verdict IN ('clean', 'needs-changes', 'blocked', 'no-quorum')),
  -- JSON: counts of the synthesis.
  counts TEXT,
  input_digest TEXT,
  -- JSON: what was asked for, so that it can be taken up again.
  request TEXT NOT NULL,
  -- JSON: everybody who was considered, with every term of the score.
  triage TEXT,
  -- The process that works on it, as JSON of a ProcessIdentity.
  process TEXT NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE review_reports (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  review_id TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  -- Its place among the reviewers, from 0.
  number INTEGER NOT NULL,
  runner TEXT NOT NULL,
  family TEXT NOT NULL,
  model TEXT,
  stage INTEGER NOT NULL,
  shadow INTEGER NOT NULL CHECK (shadow IN (0, 1)),
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'timeout', 'cancelled')),
  report TEXT
    CHECK (report IN ('strict', 'lenient', 'prose', 'empty', 'truncated', 'foreign', 'error')),
  findings INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (scope_id, review_id, reviewer)
) STRICT, WITHOUT ROWID;

-- What a reviewer wrote and what was read from it (JSON of a Report). In the store and not in files, so
-- that it is there exactly when its row says so, on every machine that shares the store.
CREATE TABLE review_texts (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  review_id TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  text TEXT NOT NULL,
  report TEXT NOT NULL,
  UNIQUE (scope_id, review_id, reviewer)
) STRICT;

-- One row per problem, however many reviews and reviewers saw it.
CREATE TABLE findings (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  identity TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('new', 'persisting', 'fixed', 'regressed', 'accepted', 'dismissed')),
  severity TEXT NOT NULL CHECK (severity IN ('P0', 'P1', 'P2', 'P3')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  path TEXT,
  line INTEGER,
  -- Hash of the cited line without its white space, and the symbol around it: how its place is found again.
  line_hash TEXT,
  symbol TEXT,
  rule TEXT,
  kind TEXT,
  -- JSON: names of those who ever reported it, and who did so last.
  reviewers TEXT NOT NULL,
  last_reviewers TEXT NOT NULL,
  first_review TEXT NOT NULL,
  last_review TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  reason TEXT,
  note TEXT,
  addressed_by TEXT,
  -- The review that looked for it and did not see it again.
  fixed_review TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX findings_by_path ON findings (scope_id, path);

-- By what a finding is known again. Several findings may share a key: twins in one file or in two.
CREATE TABLE finding_keys (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  key TEXT NOT NULL,
  finding_id TEXT NOT NULL,
  PRIMARY KEY (scope_id, key, finding_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sightings (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  review_id TEXT NOT NULL,
  finding_id TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  -- The cluster of the review's synthesis.
  cluster TEXT NOT NULL,
  -- What the finding was for this review.
  state TEXT NOT NULL,
  severity TEXT,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  path TEXT,
  line INTEGER,
  PRIMARY KEY (scope_id, review_id, finding_id, reviewer)
) STRICT, WITHOUT ROWID;

CREATE INDEX sightings_by_finding ON sightings (scope_id, finding_id);

CREATE TABLE reviewer_uses (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  reviewer TEXT NOT NULL,
  uses INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, reviewer)
) STRICT, WITHOUT ROWID;

-- How a reviewer did on planted faults, when it was tried last.
CREATE TABLE reviewer_probes (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  reviewer TEXT NOT NULL,
  at INTEGER NOT NULL,
  runner TEXT NOT NULL,
  family TEXT NOT NULL,
  -- sha256 of its instructions: who was changed since is untried.
  instructions TEXT NOT NULL,
  qualified INTEGER NOT NULL CHECK (qualified IN (0, 1)),
  -- JSON: planted, found, missed, clean, alarms.
  result TEXT NOT NULL,
  PRIMARY KEY (scope_id, reviewer)
) STRICT, WITHOUT ROWID;
