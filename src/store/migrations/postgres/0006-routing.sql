-- What became of findings, what was proposed and changed because of it, and how that is watched. The
-- overrides themselves are in a tracked file; git's branch decides, these rows follow (operations).

CREATE TABLE evidence (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('accepted', 'dismissed', 'addressed', 'escaped')),
  reason text COLLATE "C",
  session text COLLATE "C",
  change_of text COLLATE "C",
  severity text COLLATE "C",
  path text COLLATE "C",
  domain text COLLATE "C",
  model text COLLATE "C",
  finding text COLLATE "C",
  note text COLLATE "C",
  -- Why it does not count yet: told for others, a flood, a contradiction. Null: it counts.
  held text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

-- The same finding with the same outcome counts once, however often it is told.
CREATE UNIQUE INDEX evidence_once ON evidence (scope_id, reviewer, finding, outcome) WHERE finding IS NOT NULL;
-- Counts are read from this index alone.
CREATE INDEX evidence_counts ON evidence (scope_id, reviewer, outcome, reason, severity, at) WHERE held IS NULL;
CREATE INDEX evidence_by_session ON evidence (scope_id, reviewer, session, at);
CREATE INDEX evidence_held ON evidence (scope_id, reviewer) WHERE held IS NOT NULL;

CREATE TABLE proposals (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL CHECK (action IN ('floor', 'scope', 'stage', 'sample', 'exclude')),
  -- Floor, globs, sample: JSON of the override's own fields.
  details text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  class text COLLATE "C",
  -- The counts it rests on, as JSON.
  support text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('proposed', 'approved', 'applying', 'applied', 'superseded', 'reverted')),
  -- The reviewer's override that it was made upon: a digest, or empty where there was none.
  basis text COLLATE "C" NOT NULL,
  proposer text COLLATE "C" NOT NULL,
  proposer_session text COLLATE "C" NOT NULL,
  approver text COLLATE "C",
  approved_at bigint,
  PRIMARY KEY (scope_id, id)
);

CREATE INDEX proposals_by_reviewer ON proposals (scope_id, reviewer, id);

-- Each change of the overrides that is in git.
CREATE TABLE modifications (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  -- The operation's.
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('apply', 'update', 'revert', 'expire')),
  -- The override as JSON; null when it was taken away.
  override text COLLATE "C",
  proposal text COLLATE "C",
  ref text COLLATE "C" NOT NULL,
  commit_id text COLLATE "C" NOT NULL,
  -- Whether it is the newest word on its reviewer.
  state text COLLATE "C" NOT NULL CHECK (state IN ('current', 'past')),
  PRIMARY KEY (scope_id, id)
);

CREATE UNIQUE INDEX modifications_current ON modifications (scope_id, reviewer) WHERE state = 'current';
CREATE INDEX modifications_by_age ON modifications (scope_id, kind, at);

CREATE TABLE canaries (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  opened_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  is_extended bigint NOT NULL,
  -- Reviews under the override, shadowed or not.
  uses bigint NOT NULL,
  -- The rates and bounds it was opened with, as JSON.
  settings text COLLATE "C" NOT NULL,
  passed_at bigint,
  alerted_at bigint,
  closed_at bigint,
  closed_why text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

-- One watch per reviewer.
CREATE UNIQUE INDEX canaries_open ON canaries (scope_id, reviewer) WHERE closed_at IS NULL;

CREATE TABLE canary_samples (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  canary_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('clean', 'loss', 'escape')),
  amount bigint NOT NULL,
  -- With what probability the shadow was run, in millionths.
  probability bigint NOT NULL,
  severity text COLLATE "C",
  review text COLLATE "C",
  note text COLLATE "C",
  PRIMARY KEY (scope_id, canary_id, id)
);

-- One shadow of one review counts once.
CREATE UNIQUE INDEX canary_samples_once ON canary_samples (scope_id, canary_id, review) WHERE review IS NOT NULL;

-- Planted faults, reviewed with and without a reviewer.
CREATE TABLE probes (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  domain text COLLATE "C",
  found_by_both bigint NOT NULL,
  only_with bigint NOT NULL,
  only_without bigint NOT NULL,
  found_by_none bigint NOT NULL,
  PRIMARY KEY (scope_id, id)
);

CREATE INDEX probes_by_reviewer ON probes (scope_id, reviewer, id);

-- The key is what makes a second revert change nothing: without it each would add a row.
CREATE TABLE blacklist (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  pattern text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, pattern)
);

-- The last word on whether overrides may be changed without a person; alerts before it are seen to.
CREATE TABLE autonomy (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  to_state text COLLATE "C" NOT NULL CHECK (to_state IN ('on', 'off')),
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id)
);

-- Written before something that git and this store must agree on; finished or given up by the next start.
CREATE TABLE operations (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  -- What it is about: routing, run.
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('prepared', 'done', 'aborted')),
  -- Which clone and worktree, because only there can be seen whether git has it.
  place text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  commit_id text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, id)
);

CREATE INDEX operations_open ON operations (scope_id, kind, place) WHERE state = 'prepared';
