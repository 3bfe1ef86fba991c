-- One inbox per actor. A notice is taken by a hook, and delivered once the hook's answer was written: a notice
-- that was taken and never delivered is given again.
CREATE TABLE notices (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  -- The order of delivery.
  seq bigint NOT NULL,
  -- Several receivers of one message share its id.
  id text COLLATE "C" NOT NULL,
  to_actor text COLLATE "C" NOT NULL,
  to_session text COLLATE "C" NOT NULL,
  -- Empty: Headgate itself.
  from_actor text COLLATE "C" NOT NULL,
  from_session text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- A newer notice about the same thing replaces one that is not delivered yet.
  about text COLLATE "C",
  target text COLLATE "C",
  reply_to text COLLATE "C",
  text text COLLATE "C" NOT NULL,
  sent_at bigint NOT NULL,
  takes bigint NOT NULL,
  taken_at bigint,
  -- JSON: the process that took it.
  taken_by text COLLATE "C",
  delivered_at bigint,
  expires_at bigint NOT NULL,
  PRIMARY KEY (scope_id, seq)
);

CREATE INDEX notices_waiting ON notices (scope_id, to_session, seq) WHERE delivered_at IS NULL;
CREATE INDEX notices_by_sender ON notices (scope_id, from_session, sent_at);
