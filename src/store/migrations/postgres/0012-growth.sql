-- What every look asks for must not cost more as events and claims become many: the newest events of a kind, what
-- one holder has, whose time is over, and how many claims each holder has.
CREATE INDEX events_by_kind ON events (scope_id, kind, seq);
CREATE INDEX claims_by_holder ON claims (scope_id, actor, id);
CREATE INDEX claims_by_end ON claims (scope_id, expires_boot, expires_mono, expires_at);

CREATE TABLE claim_counts (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  actor text COLLATE "C" NOT NULL,
  claims bigint NOT NULL,
  PRIMARY KEY (scope_id, actor)
);

INSERT INTO claim_counts (scope_id, actor, claims)
SELECT scope_id, actor, count(*) FROM claims GROUP BY scope_id, actor;

CREATE FUNCTION count_claims() RETURNS trigger LANGUAGE plpgsql
SET search_path = headgate, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO claim_counts AS c (scope_id, actor, claims) VALUES (NEW.scope_id, NEW.actor, 1)
    ON CONFLICT (scope_id, actor) DO UPDATE SET claims = c.claims + 1;
  ELSE
    UPDATE claim_counts SET claims = claims - 1
    WHERE scope_id = OLD.scope_id AND actor = OLD.actor;
    DELETE FROM claim_counts WHERE scope_id = OLD.scope_id AND actor = OLD.actor AND claims < 1;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER claims_counted AFTER INSERT OR DELETE ON claims
FOR EACH ROW EXECUTE FUNCTION count_claims();
