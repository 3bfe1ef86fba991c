-- Claims, who holds them, who waits for them. Only live rows are kept; the events are the history.
-- A moment that decides something is stored three ways: wall clock for showing, monotonic time with its
-- boot where the back end has one; here the server's clock alone decides and those stay null.
ALTER TABLE scopes ADD COLUMN fence bigint NOT NULL DEFAULT 0;

CREATE TABLE actors (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  harness text COLLATE "C",
  -- The process whose end proves the actor's; all null when none is known.
  host text COLLATE "C",
  boot_id text COLLATE "C",
  pid_namespace text COLLATE "C",
  pid bigint,
  start_time text COLLATE "C",
  seen_at bigint NOT NULL,
  seen_mono bigint,
  seen_boot text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

CREATE TABLE claims (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  -- What a path without wildcards means: 'file' itself only, 'tree' with everything below.
  extent text COLLATE "C" NOT NULL CHECK (extent IN ('file', 'tree')),
  folds bigint NOT NULL CHECK (folds IN (0, 1)),
  -- Where to look for overlaps: literal folders at the start, literal characters at the end (reversed).
  place text COLLATE "C" NOT NULL,
  tail text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL CHECK (mode IN ('exclusive', 'shared')),
  actor text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  for_session bigint NOT NULL CHECK (for_session IN (0, 1)),
  fence bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  granted_at bigint NOT NULL,
  ttl_ms bigint NOT NULL CHECK (ttl_ms > 0),
  expires_at bigint NOT NULL,
  expires_mono bigint,
  expires_boot text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

CREATE INDEX claims_by_place ON claims (scope_id, place, tail);

CREATE TABLE waiters (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  for_session bigint NOT NULL CHECK (for_session IN (0, 1)),
  -- JSON: [{"text","extent","folds"}].
  targets text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL CHECK (mode IN ('exclusive', 'shared')),
  ttl_ms bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  priority bigint NOT NULL,
  -- Smaller is served first: when it came, put earlier by its priority.
  rank bigint NOT NULL,
  queued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  expires_mono bigint,
  expires_boot text COLLATE "C",
  -- The process that waits, as JSON of a ProcessIdentity.
  process text COLLATE "C" NOT NULL,
  seen_at bigint NOT NULL,
  seen_mono bigint,
  seen_boot text COLLATE "C",
  -- Ended rows stay a little while, so that the waiting process can read how it ended.
  state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'granted', 'victim', 'ended')),
  outcome text COLLATE "C",
  PRIMARY KEY (scope_id, id)
);

CREATE TABLE release_requests (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  id text COLLATE "C" NOT NULL,
  claim_id text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  asker text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  asked_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  expires_mono bigint,
  expires_boot text COLLATE "C",
  answer text COLLATE "C" NOT NULL,
  note text COLLATE "C" NOT NULL,
  PRIMARY KEY (scope_id, id)
);

CREATE TABLE rescues (
  scope_id text COLLATE "C" NOT NULL REFERENCES scopes (id),
  claim_id text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  extent text COLLATE "C" NOT NULL,
  folds bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  files bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope_id, claim_id)
);

-- The usual grant in one round trip: one target with nothing near it, nobody in line, no word to pass
-- on. Whatever is not that simple is answered with no row and changes nothing; the caller then decides
-- with all the rows before it. p_near… say where overlapping rows can be (src/claims/candidates.ts).
-- p_data is the event's data, beginning with {"fence":0 for the number that only this knows.
CREATE FUNCTION grant_claim(
  p_lock_ms bigint, p_scope text, p_operation text, p_floor bigint,
  p_near_places text[], p_near_from text, p_near_to text,
  p_near_tails text[], p_near_tail_from text, p_near_tail_to text,
  p_id text, p_target text, p_extent text, p_folds bigint, p_place text, p_tail text,
  p_mode text, p_ttl bigint, p_reason text, p_for_session bigint, p_event_id text, p_data text,
  p_actor text, p_session text, p_harness text, p_host text, p_boot_id text, p_pid_namespace text,
  p_pid bigint, p_start_time text, p_fresh_ms bigint
) RETURNS TABLE (fence bigint, granted_at bigint) LANGUAGE plpgsql
SET search_path = headgate, pg_temp AS $$
DECLARE
  v_fence bigint;
  v_now bigint;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_ms::text, true);
  SELECT s.fence + 1 INTO STRICT v_fence FROM scopes s WHERE s.id = p_scope FOR UPDATE;
  IF v_fence <= p_floor
    -- Which of two processes stands for an actor is not decided here.
    OR EXISTS (SELECT FROM actors a WHERE a.scope_id = p_scope AND a.id = p_actor
      AND (a.pid IS DISTINCT FROM p_pid OR a.start_time IS DISTINCT FROM p_start_time
        OR a.host IS DISTINCT FROM p_host OR a.boot_id IS DISTINCT FROM p_boot_id
        OR a.pid_namespace IS DISTINCT FROM p_pid_namespace))
    OR EXISTS (SELECT FROM waiters w WHERE w.scope_id = p_scope)
    OR EXISTS (SELECT FROM rescues r WHERE r.scope_id = p_scope)
    OR EXISTS (SELECT FROM release_requests q WHERE q.scope_id = p_scope AND q.holder = p_actor
      AND q.answer = 'none')
    OR EXISTS (
      SELECT FROM claims c WHERE c.scope_id = p_scope AND c.place = ANY (p_near_places)
        AND (p_near_tails IS NULL OR c.tail = ANY (p_near_tails)
          OR (c.tail >= p_near_tail_from AND c.tail < p_near_tail_to)))
    OR EXISTS (
      SELECT FROM claims c
      WHERE c.scope_id = p_scope AND c.place >= p_near_from AND c.place < p_near_to
        AND (p_near_tails IS NULL OR c.tail = ANY (p_near_tails)
          OR (c.tail >= p_near_tail_from AND c.tail < p_near_tail_to)))
  THEN
    RETURN;
  END IF;
  v_now := now_ms();
  INSERT INTO claims (scope_id, id, target, extent, folds, place, tail, mode, actor, session,
    for_session, fence, reason, granted_at, ttl_ms, expires_at)
  VALUES (p_scope, p_id, p_target, p_extent, p_folds, p_place, p_tail, p_mode, p_actor, p_session,
    p_for_session, v_fence, p_reason, v_now, p_ttl, v_now + p_ttl);
  INSERT INTO actors AS a (scope_id, id, session, harness, host, boot_id, pid_namespace, pid,
    start_time, seen_at)
  VALUES (p_scope, p_actor, p_session, p_harness, p_host, p_boot_id, p_pid_namespace, p_pid,
    p_start_time, v_now)
  ON CONFLICT (scope_id, id) DO UPDATE SET seen_at = excluded.seen_at
  WHERE a.seen_at < v_now - p_fresh_ms;
  UPDATE scopes s SET fence = v_fence WHERE s.id = p_scope;
  PERFORM append_events(p_scope, p_operation, ARRAY[p_event_id], ARRAY['claim.granted'],
    ARRAY[p_actor], ARRAY[p_id],
    ARRAY['{"fence":' || v_fence || substr(p_data, length('{"fence":0') + 1)], NULL, NULL);
  RETURN QUERY SELECT v_fence, v_now;
END
$$;
