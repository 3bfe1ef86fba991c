-- Plans that are carried out: a run, its plans with their texts as they were approved, their tasks (the
-- checkpoints), the agents that worked on them, and what agents and people said on the way.
CREATE TABLE runs (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'done', 'failed', 'timeout', 'needs-decision', 'needs-action', 'rolled-back')),
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  source TEXT NOT NULL,
  worktree TEXT NOT NULL,
  branch TEXT NOT NULL,
  base TEXT,
  own TEXT CHECK (own IN ('branch', 'worktree')),
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER,
  wants_pause TEXT NOT NULL CHECK (wants_pause IN ('no', 'soon', 'now')),
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  -- Millionths of a dollar.
  cost_micros INTEGER NOT NULL,
  -- A commit that takes the run's work back, from before it is in the branch until everything is told.
  rollback TEXT,
  -- The claim of whoever carries it out; what comes under an older one is refused.
  fence INTEGER NOT NULL,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_plans (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  run_id TEXT NOT NULL,
  plan TEXT NOT NULL,
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'skipped', 'failed', 'timeout', 'needs-decision', 'needs-action')),
  reason TEXT NOT NULL,
  -- The plan as it was read, and the text it was read from.
  content TEXT NOT NULL,
  source TEXT NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (scope_id, run_id, plan)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_tasks (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  run_id TEXT NOT NULL,
  plan TEXT NOT NULL,
  -- Its place in the plan, from 1.
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'committing', 'done', 'skipped', 'failed', 'timeout', 'needs-decision', 'needs-action')),
  reason TEXT NOT NULL,
  -- The operation whose trailer the commit carries, the commit and what it stands on.
  operation TEXT,
  commit_id TEXT,
  parent TEXT,
  tries INTEGER NOT NULL,
  -- An agent may have left changes that are not committed.
  touched INTEGER NOT NULL CHECK (touched IN (0, 1)),
  rescues TEXT NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  PRIMARY KEY (scope_id, run_id, plan, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_agents (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  run_id TEXT NOT NULL,
  id TEXT NOT NULL,
  plan TEXT NOT NULL,
  task INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('spawned', 'completed', 'failed', 'timeout', 'cancelled', 'lost')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit INTEGER,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_micros INTEGER,
  problem TEXT,
  PRIMARY KEY (scope_id, run_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_notes (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  run_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fixed', 'issue', 'question', 'action')),
  plan TEXT NOT NULL,
  task INTEGER NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  answer TEXT,
  answered_at INTEGER,
  PRIMARY KEY (scope_id, run_id, number)
) STRICT, WITHOUT ROWID;
