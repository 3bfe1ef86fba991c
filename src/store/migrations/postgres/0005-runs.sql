-- Plans that are carried out: a run, its plans with their texts as they were approved, their tasks (the
-- checkpoints), the agents that worked on them, and what agents and people said on the way.
CREATE TABLE runs (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('running', 'paused', 'done', 'failed', 'timeout', 'needs-decision', 'needs-action', 'rolled-back')),
  reason text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  worktree text COLLATE "C" NOT NULL,
  branch text COLLATE "C" NOT NULL,
  base text COLLATE "C",
  own text COLLATE "C" CHECK (own IN ('branch', 'worktree')),
  options text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  ended_at bigint,
  wants_pause text COLLATE "C" NOT NULL CHECK (wants_pause IN ('no', 'soon', 'now')),
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  -- Millionths of a dollar.
  cost_micros bigint NOT NULL,
  -- A commit that takes the run's work back, from before it is in the branch until everything is told.
  rollback text COLLATE "C",
  -- The claim of whoever carries it out; what comes under an older one is refused.
  fence bigint NOT NULL,
  PRIMARY KEY (scope_id, id)
);

CREATE TABLE run_plans (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  run_id text COLLATE "C" NOT NULL,
  plan text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'running', 'done', 'skipped', 'failed', 'timeout', 'needs-decision', 'needs-action')),
  reason text COLLATE "C" NOT NULL,
  -- The plan as it was read, and the text it was read from.
  content text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  started_at bigint,
  ended_at bigint,
  PRIMARY KEY (scope_id, run_id, plan)
);

CREATE TABLE run_tasks (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  run_id text COLLATE "C" NOT NULL,
  plan text COLLATE "C" NOT NULL,
  -- Its place in the plan, from 1.
  number bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'running', 'committing', 'done', 'skipped', 'failed', 'timeout', 'needs-decision', 'needs-action')),
  reason text COLLATE "C" NOT NULL,
  -- The operation whose trailer the commit carries, the commit and what it stands on.
  operation text COLLATE "C",
  commit_id text COLLATE "C",
  parent text COLLATE "C",
  tries bigint NOT NULL,
  -- An agent may have left changes that are not committed.
  touched bigint NOT NULL CHECK (touched IN (0, 1)),
  rescues text COLLATE "C" NOT NULL,
  started_at bigint,
  ended_at bigint,
  PRIMARY KEY (scope_id, run_id, plan, number)
);

CREATE TABLE run_agents (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  run_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  plan text COLLATE "C" NOT NULL,
  task bigint NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('spawned', 'completed', 'failed', 'timeout', 'cancelled', 'lost')),
  started_at bigint NOT NULL,
  ended_at bigint,
  exit bigint,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros bigint,
  problem text COLLATE "C",
  PRIMARY KEY (scope_id, run_id, id)
);

CREATE TABLE run_notes (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  run_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('fixed', 'issue', 'question', 'action')),
  plan text COLLATE "C" NOT NULL,
  task bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  answer text COLLATE "C",
  answered_at bigint,
  PRIMARY KEY (scope_id, run_id, number)
);
