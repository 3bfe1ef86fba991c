-- Reviews with what each reviewer answered, the problems found over all of them, and who was used how often.
CREATE TABLE reviews (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  ended_at bigint,
  actor text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  subject_digest text COLLATE "C" NOT NULL,
  base text COLLATE "C",
  head text COLLATE "C",
  state text COLLATE "C" NOT NULL CHECK (state IN ('running', 'interrupted', 'done', 'failed')),
  problem text COLLATE "C",
  verdict text COLLATE "C" CHECK (verdict IN ('clean', 'needs-changes', 'blocked', 'no-quorum')),
  -- JSON: counts of the synthesis.
  counts text COLLATE "C",
  input_digest text COLLATE "C",
  -- JSON: what was asked for, so that it can be taken up again.
  request text COLLATE "C" NOT NULL,
  -- JSON: everybody who was considered, with every term of the score.
  triage text COLLATE "C",
  -- The process that works on it, as JSON of a ProcessIdentity.
  process text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, id)
);

CREATE TABLE review_reports (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  review_id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  -- Its place among the reviewers, from 0.
  number bigint NOT NULL,
  runner text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  model text COLLATE "C",
  stage bigint NOT NULL,
  shadow bigint NOT NULL CHECK (shadow IN (0, 1)),
  state text COLLATE "C" NOT NULL
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'timeout', 'cancelled')),
  report text COLLATE "C"
    CHECK (report IN ('strict', 'lenient', 'prose', 'empty', 'truncated', 'foreign', 'error')),
  findings bigint NOT NULL,
  started_at bigint,
  ended_at bigint,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros bigint NOT NULL,
  problem text COLLATE "C",
  PRIMARY KEY (scope_id, review_id, reviewer)
);

-- What a reviewer wrote and what was read from it (JSON of a Report). In the store and not in files, so
-- that it is there exactly when its row says so, on every machine that shares the store.
CREATE TABLE review_texts (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  review_id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  report text COLLATE "C" NOT NULL,
  UNIQUE (scope_id, review_id, reviewer)
);

-- One row per problem, however many reviews and reviewers saw it.
CREATE TABLE findings (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL
    CHECK (state IN ('new', 'persisting', 'fixed', 'regressed', 'accepted', 'dismissed')),
  severity text COLLATE "C" NOT NULL CHECK (severity IN ('P0', 'P1', 'P2', 'P3')),
  title text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  path text COLLATE "C",
  line bigint,
  -- Hash of the cited line without its white space, and the symbol around it: how its place is found again.
  line_hash text COLLATE "C",
  symbol text COLLATE "C",
  rule text COLLATE "C",
  kind text COLLATE "C",
  -- JSON: names of those who ever reported it, and who did so last.
  reviewers text COLLATE "C" NOT NULL,
  last_reviewers text COLLATE "C" NOT NULL,
  first_review text COLLATE "C" NOT NULL,
  last_review text COLLATE "C" NOT NULL,
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  decided_by text COLLATE "C",
  decided_at bigint,
  reason text COLLATE "C",
  note text COLLATE "C",
  addressed_by text COLLATE "C",
  -- The review that looked for it and did not see it again.
  fixed_review text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

-- By hash, because a path may be longer than an index entry.
CREATE INDEX findings_by_path ON findings USING hash (path);

-- By what a finding is known again. Several findings may share a key: twins in one file or in two.
CREATE TABLE finding_keys (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  key text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, key, finding_id)
);

CREATE TABLE sightings (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  review_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  -- The cluster of the review's synthesis.
  cluster text COLLATE "C" NOT NULL,
  -- What the finding was for this review.
  state text COLLATE "C" NOT NULL,
  severity text COLLATE "C",
  title text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  path text COLLATE "C",
  line bigint,
  PRIMARY KEY (scope_id, review_id, finding_id, reviewer)
);

CREATE INDEX sightings_by_finding ON sightings (scope_id, finding_id);

CREATE TABLE reviewer_uses (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  reviewer text COLLATE "C" NOT NULL,
  uses bigint NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (scope_id, reviewer)
);

-- How a reviewer did on planted faults, when it was tried last.
CREATE TABLE reviewer_probes (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  reviewer text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  runner text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  -- sha256 of its instructions: who was changed since is untried.
  instructions text COLLATE "C" NOT NULL,
  qualified bigint NOT NULL CHECK (qualified IN (0, 1)),
  -- JSON: planted, found, missed, clean, alarms.
  result text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, reviewer)
);
