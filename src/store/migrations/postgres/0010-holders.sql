-- A grant is bound to its holder by the hash of a secret; null: the holder's name is enough.
ALTER TABLE claims ADD COLUMN holder text COLLATE "C";
ALTER TABLE waiters ADD COLUMN holder text COLLATE "C";

DROP FUNCTION grant_claim;

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
  p_pid bigint, p_start_time text, p_fresh_ms bigint, p_holder text
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
    for_session, fence, reason, granted_at, ttl_ms, expires_at, holder)
  VALUES (p_scope, p_id, p_target, p_extent, p_folds, p_place, p_tail, p_mode, p_actor, p_session,
    p_for_session, v_fence, p_reason, v_now, p_ttl, v_now + p_ttl, p_holder);
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
