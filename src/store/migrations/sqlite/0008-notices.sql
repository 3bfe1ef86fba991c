-- One inbox per actor. A notice is taken by a hook, and delivered once the hook's answer was written: a notice
-- that was taken and never delivered is given again.
CREATE TABLE notices (
  scope_id TEXT NOT NULL REFERENCES scopes (id),
  -- The order of delivery.
  seq INTEGER NOT NULL,
  -- Several receivers of one message share its id.
  id TEXT NOT NULL,
  to_actor TEXT NOT NULL,
  to_session TEXT NOT NULL,
  -- Empty: Headgate itself.
  from_actor TEXT NOT NULL,
  from_session TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- A newer notice about the same thing replaces one that is not delivered yet.
  about TEXT,
  target TEXT,
  reply_to TEXT,
  text TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  takes INTEGER NOT NULL,
  taken_at INTEGER,
  -- JSON: the process that took it.
  taken_by TEXT,
  delivered_at INTEGER,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (scope_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX notices_waiting ON notices (scope_id, to_session, seq) WHERE delivered_at IS NULL;
CREATE INDEX notices_by_sender ON notices (scope_id, from_session, sent_at);
