-- What became of findings, what was proposed and changed because of it, and how that is watched. The
-- overrides themselves are in a tracked file; git's branch decides, these rows follow (operations).

CREATE TABLE evidence (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('accepted', 'dismissed', 'addressed', 'escaped')),
  reason TEXT,
  session TEXT,
  change_of TEXT,
  severity TEXT,
  path TEXT,
  domain TEXT,
  model TEXT,
  finding TEXT,
  note TEXT,
  -- Why it does not count yet: told for others, a flood, a contradiction. Null: it counts.
  held TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

-- The same finding with the same outcome counts once, however often it is told.
CREATE UNIQUE INDEX evidence_once ON evidence (scope_id, reviewer, finding, outcome) WHERE finding IS NOT NULL;
-- Counts are read from this index alone.
CREATE INDEX evidence_counts ON evidence (scope_id, reviewer, outcome, reason, severity, at) WHERE held IS NULL;
CREATE INDEX evidence_by_session ON evidence (scope_id, reviewer, session, at);
CREATE INDEX evidence_held ON evidence (scope_id, reviewer) WHERE held IS NOT NULL;

CREATE TABLE proposals (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  reviewer TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('floor', 'scope', 'stage', 'sample', 'exclude')),
  -- Floor, globs, sample: JSON of the override's own fields.
  details TEXT NOT NULL,
  reason TEXT NOT NULL,
  class TEXT,
  -- The counts it rests on, as JSON.
  support TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('proposed', 'approved', 'applying', 'applied', 'superseded', 'reverted')),
  -- The reviewer's override that it was made upon: a digest, or empty where there was none.
  basis TEXT NOT NULL,
  proposer TEXT NOT NULL,
  proposer_session TEXT NOT NULL,
  approver TEXT,
  approved_at INTEGER,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposals_by_reviewer ON proposals (scope_id, reviewer, id);

-- Each change of the overrides that is in git.
CREATE TABLE modifications (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  -- The operation's.
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('apply', 'update', 'revert', 'expire')),
  -- The override as JSON; null when it was taken away.
  override TEXT,
  proposal TEXT,
  ref TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  -- Whether it is the newest word on its reviewer.
  state TEXT NOT NULL CHECK (state IN ('current', 'past')),
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX modifications_current ON modifications (scope_id, reviewer) WHERE state = 'current';
CREATE INDEX modifications_by_age ON modifications (scope_id, kind, at);

CREATE TABLE canaries (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  operation TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  is_extended INTEGER NOT NULL,
  -- Reviews under the override, shadowed or not.
  uses INTEGER NOT NULL,
  -- The rates and bounds it was opened with, as JSON.
  settings TEXT NOT NULL,
  passed_at INTEGER,
  alerted_at INTEGER,
  closed_at INTEGER,
  closed_why TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

-- One watch per reviewer.
CREATE UNIQUE INDEX canaries_open ON canaries (scope_id, reviewer) WHERE closed_at IS NULL;

CREATE TABLE canary_samples (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  canary_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('clean', 'loss', 'escape')),
  amount INTEGER NOT NULL,
  -- With what probability the shadow was run, in millionths.
  probability INTEGER NOT NULL,
  severity TEXT,
  review TEXT,
  note TEXT,
  PRIMARY KEY (scope_id, canary_id, id)
) STRICT, WITHOUT ROWID;

-- One shadow of one review counts once.
CREATE UNIQUE INDEX canary_samples_once ON canary_samples (scope_id, canary_id, review) WHERE review IS NOT NULL;

-- Planted faults, reviewed with and without a reviewer.
CREATE TABLE probes (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  domain TEXT,
  found_by_both INTEGER NOT NULL,
  only_with INTEGER NOT NULL,
  only_without INTEGER NOT NULL,
  found_by_none INTEGER NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX probes_by_reviewer ON probes (scope_id, reviewer, id);

-- The key is what makes a second revert change nothing: without it each would add a row.
CREATE TABLE blacklist (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  pattern TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (scope_id, pattern)
) STRICT, WITHOUT ROWID;

-- The last word on whether overrides may be changed without a person; alerts before it are seen to.
CREATE TABLE autonomy (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  to_state TEXT NOT NULL CHECK (to_state IN ('on', 'off')),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (scope_id)
) STRICT, WITHOUT ROWID;

-- Written before something that git and this store must agree on; finished or given up by the next start.
CREATE TABLE operations (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  -- What it is about: routing, run.
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('prepared', 'done', 'aborted')),
  -- Which clone and worktree, because only there can be seen whether git has it.
  place TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  subject TEXT NOT NULL,
  ref TEXT NOT NULL,
  parent_id TEXT,
  commit_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_open ON operations (scope_id, kind, place) WHERE state = 'prepared';
