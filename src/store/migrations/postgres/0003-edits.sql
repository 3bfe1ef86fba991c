-- Edits of files with the hashes of what they found and left; the contents lie beside the store. What an
-- actor last saw of a file.
CREATE TABLE edits (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('applied', 'undone', 'partly-undone', 'rolled-back')),
  -- The edit it takes back, and how much of it; all null for any other.
  undoes text COLLATE "C",
  part text COLLATE "C" CHECK (part IN ('whole', 'file', 'symbol')),
  part_file text COLLATE "C",
  part_symbol text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

CREATE INDEX edits_by_undone ON edits (scope_id, undoes) WHERE undoes IS NOT NULL;

CREATE TABLE edit_files (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  edit_id text COLLATE "C" NOT NULL,
  -- Its place in the edit, from 0.
  number bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- SHA-256 of the contents; null where there was or is no file.
  before text COLLATE "C",
  after text COLLATE "C",
  before_mode bigint,
  after_mode bigint,
  PRIMARY KEY (scope_id, edit_id, number)
);

-- By hash, because a path may be longer than an index entry.
CREATE INDEX edit_files_by_path ON edit_files USING hash (path);

-- Paths may be longer than an index entry, so the row is found by a digest of the path.
CREATE TABLE seen_files (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  actor text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

CREATE UNIQUE INDEX seen_files_key ON seen_files (scope_id, actor, md5(path));
CREATE INDEX seen_files_by_age ON seen_files (scope_id, at);
