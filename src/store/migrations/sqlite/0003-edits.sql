-- Edits of files with the hashes of what they found and left; the contents lie beside the store. What an
-- actor last saw of a file.
CREATE TABLE edits (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('applied', 'undone', 'partly-undone', 'rolled-back')),
  -- The edit it takes back, and how much of it; all null for any other.
  undoes TEXT,
  part TEXT CHECK (part IN ('whole', 'file', 'symbol')),
  part_file TEXT,
  part_symbol TEXT,
  PRIMARY KEY (scope_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX edits_by_undone ON edits (scope_id, undoes) WHERE undoes IS NOT NULL;

CREATE TABLE edit_files (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  edit_id TEXT NOT NULL,
  -- Its place in the edit, from 0.
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  -- SHA-256 of the contents; null where there was or is no file.
  before TEXT,
  after TEXT,
  before_mode INTEGER,
  after_mode INTEGER,
  PRIMARY KEY (scope_id, edit_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX edit_files_by_path ON edit_files (scope_id, path, edit_id);

CREATE TABLE seen_files (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  actor TEXT NOT NULL,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, actor, path)
) STRICT, WITHOUT ROWID;

CREATE INDEX seen_files_by_age ON seen_files (scope_id, at);
