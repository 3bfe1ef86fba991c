-- Scopes with the head of their event chain, the events, and the results of keyed writes.
-- Runs with search_path = headgate. Columns of order-sensitive text use byte order ("C").
CREATE TABLE scopes (
  id text COLLATE "C" PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  created_at bigint NOT NULL,
  event_seq bigint NOT NULL DEFAULT 0,
  event_hash text NOT NULL,
  pruned_seq bigint NOT NULL DEFAULT 0,
  pruned_hash text NOT NULL,
  CHECK (event_seq >= pruned_seq)
);

CREATE TABLE events (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  actor text,
  subject text,
  operation text COLLATE "C" NOT NULL,
  data text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (scope_id, seq)
);

CREATE TABLE outcomes (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  key text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  -- Null: somebody was told that this operation did not happen, so it must not happen later.
  result text,
  at bigint NOT NULL,
  PRIMARY KEY (scope_id, key)
);

CREATE FUNCTION events_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are never changed';
END
$$;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
FOR EACH ROW EXECUTE FUNCTION events_never_change();

CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION events_never_change();

CREATE FUNCTION events_stay() RETURNS trigger LANGUAGE plpgsql
SET search_path = headgate, pg_temp AS $$
BEGIN
  IF OLD.seq > coalesce((SELECT pruned_seq FROM scopes WHERE id = OLD.scope_id), 0) THEN
    RAISE EXCEPTION 'events are removed by pruning only';
  END IF;
  RETURN OLD;
END
$$;

CREATE TRIGGER events_stay BEFORE DELETE ON events
FOR EACH ROW EXECUTE FUNCTION events_stay();

-- The server's clock in whole milliseconds: the only clock that decides here.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

CREATE FUNCTION hash_field(field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN field IS NULL THEN E'-\n'
    ELSE octet_length(convert_to(field, 'UTF8'))::text || ':' || field || E'\n' END
$$;

-- The same bytes as src/store/events/event-hash.ts.
CREATE FUNCTION event_hash(previous_hash text, event events) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = headgate, pg_temp AS $$
  SELECT encode(sha256(convert_to(
    E'headgate event 1\n' || hash_field(previous_hash) || hash_field(event.scope_id)
      || hash_field(event.seq::text) || hash_field(event.id) || hash_field(event.at::text)
      || hash_field(event.kind) || hash_field(event.actor) || hash_field(event.subject)
      || hash_field(event.operation) || hash_field(event.data), 'UTF8')), 'hex')
$$;

-- Appends events to a scope's chain, keeps the result under its key, and wakes followers at commit.
-- Takes the scope's row first, so that numbers follow the order of commits; returns the new head.
CREATE FUNCTION append_events(
  p_scope text, p_operation text, p_ids text[], p_kinds text[], p_actors text[], p_subjects text[],
  p_data text[], p_key text, p_result text
) RETURNS bigint LANGUAGE plpgsql
SET search_path = headgate, pg_temp AS $$
DECLARE
  v_at bigint;
  v_seq bigint;
  v_hash text;
  v_event events;
BEGIN
  -- Acknowledged means durable, whatever the server's default is.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT event_seq, event_hash INTO STRICT v_seq, v_hash FROM scopes WHERE id = p_scope FOR UPDATE;
  IF EXISTS (SELECT FROM outcomes WHERE scope_id = p_scope AND key = p_operation) THEN
    RAISE EXCEPTION 'operation % was given up', p_operation USING ERRCODE = 'HG001';
  END IF;
  v_at := now_ms();
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_seq := v_seq + 1;
    v_event := ROW(p_scope, v_seq, p_ids[i], v_at, p_kinds[i], p_actors[i], p_subjects[i],
      p_operation, p_data[i], '');
    v_hash := event_hash(v_hash, v_event);
    v_event.hash := v_hash;
    INSERT INTO events SELECT v_event.*;
  END LOOP;
  UPDATE scopes SET event_seq = v_seq, event_hash = v_hash WHERE id = p_scope;
  IF p_key IS NOT NULL THEN
    INSERT INTO outcomes (scope_id, key, operation, result, at)
    VALUES (p_scope, p_key, p_operation, p_result, v_at);
  END IF;
  PERFORM pg_notify('headgate_events', p_scope || ' ' || v_seq);
  RETURN v_seq;
END
$$;
