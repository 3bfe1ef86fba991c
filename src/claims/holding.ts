/** What a holder does with its claims: release, renew, narrow, hand on. */
import { isId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { parseActor } from "./actors/actor.ts";
import { type Blocking, describeBlockers } from "./blockers.ts";
import { type ClaimRow, isHeldBy, modesConflict, targetOf, toClaim } from "./claim-row.ts";
import type { Ledger } from "./ledger.ts";
import { askedOf } from "./requests.ts";
import { covers } from "./targets/overlap.ts";
import { Queue } from "./queue.ts";
import { checkReason, checkTtl, resolveTargets, usage } from "./request.ts";
import { type Room, writeClaims } from "./room.ts";
import type { Target } from "./targets/target.ts";
import { moveRequests, tellMoved } from "./tidings.ts";
import { dropAllWishes, serveWishes } from "./wishes.ts";
import type {
  Actor,
  Claim,
  ClaimResult,
  ReleaseRequest,
  Selection,
  TargetInput,
  Transfer,
} from "./types.ts";

export const release = async (
  room: Room,
  selection: Selection,
  { key }: { readonly key?: string } = {},
): Promise<{ readonly released: readonly Claim[] }> => {
  const ask = readSelection(room, selection);
  // Whoever holds more than one transaction can tell of gives it back in several; the key is the first's.
  let part = await releaseSome(room, ask, key);
  const released = [...part.ended];
  while (part.hasMore) {
    part = await releaseSome(room, ask, undefined);
    released.push(...part.ended);
  }
  return { released };
};

const releaseSome = async (
  room: Room,
  ask: AskedFor,
  key: string | undefined,
): Promise<{ readonly ended: readonly Claim[]; readonly hasMore: boolean }> => {
  const { ids, targets } = ask;
  const wanted = { key, ids, targets, isCounted: true };
  const { fences } = await room.open();
  return writeClaims(room, wanted, async (ledger) => {
    const queue = new Queue(ledger);
    const rows = await select(ledger, room, ask);
    for (const row of rows) refuseOthers(row, room.actor);
    const ended = rows.map((row) => toClaim(row, ledger.now));
    for (const row of rows) ledger.end(row, "released", { actor: room.actor.id });
    await queue.serve();
    if (ask.all) await dropAllWishes(ledger, room.actor.id);
    await serveWishes(ledger);
    // With nothing claimed any more another store may be used at once (F08). Said under the store's
    // turn, where nobody else can be writing the mark.
    if (rows.length > 0 && ledger.isEmpty) fences.clear();
    return { ended, hasMore: ledger.hasMore };
  });
};

export const renew = async (
  room: Room,
  selection: Selection,
  { ttlMs, key }: { readonly ttlMs?: number; readonly key?: string } = {},
): Promise<{ readonly claims: readonly Claim[]; readonly asked?: readonly ReleaseRequest[] }> => {
  if (ttlMs !== undefined) checkTtl(ttlMs);
  const ask = readSelection(room, selection);
  let { hasMore, ...part } = await renewSome(room, ask, { ttlMs, key });
  const claims = [...part.claims];
  while (hasMore) {
    const after = claims.at(-1)?.id ?? "";
    ({ hasMore, ...part } = await renewSome(room, { ...ask, after }, { ttlMs, key: undefined }));
    claims.push(...part.claims);
  }
  return { ...part, claims };
};

const renewSome = (
  room: Room,
  ask: AskedFor,
  { ttlMs, key }: { readonly ttlMs: number | undefined; readonly key: string | undefined },
): Promise<Awaited<ReturnType<typeof renew>> & { readonly hasMore: boolean }> =>
  writeClaims(room, { key, actor: room.actor.id }, async (ledger) => {
    const rows = await select(ledger, room, ask, { isStrict: true });
    for (const row of rows) refuseOthers(row, room.actor);
    if (rows.length > 0) await ledger.touchActor(room.actor);
    const renewed = rows.map((row) =>
      ledger.change(row, ledger.extended(row, ttlMs ?? row.ttl_ms), "renewed", room.actor.id),
    );
    await new Queue(ledger).serve();
    const asked = await askedOf(ledger, room.actor.id);
    return {
      claims: renewed.map((row) => toClaim(row, ledger.now)),
      hasMore: ledger.hasMore,
      ...(asked.length > 0 && { asked }),
    };
  });

/** Gives claims an earlier end; one that ends sooner anyway stays as it is. */
export const shorten = async (
  room: Room,
  selection: Selection,
  ttlMs: number,
): Promise<{ readonly claims: readonly Claim[] }> => {
  checkTtl(ttlMs);
  const ask = readSelection(room, selection);
  return writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const rows = await select(ledger, room, ask, { isStrict: false });
    for (const row of rows) refuseOthers(row, room.actor);
    const shortened = rows.flatMap((row) => {
      const next = ledger.shortened(row, ttlMs);
      return next ? [ledger.change(row, next, "shortened", room.actor.id)] : [];
    });
    return { claims: shortened.map((row) => toClaim(row, ledger.now)) };
  });
};

export const narrow = async (
  room: Room,
  claim: string,
  keep: readonly TargetInput[],
): Promise<{ readonly claims: readonly Claim[] }> => {
  const targets = resolveTargets(room, keep);
  const ask = readSelection(room, { claims: [claim] });
  const claims = await writeClaims(room, {}, async (ledger) => {
    const queue = new Queue(ledger);
    const [row] = await select(ledger, room, ask, { isStrict: true });
    if (!row) throw unknownClaim(claim);
    refuseOthers(row, room.actor);
    const left = narrowRow(ledger, row, targets, room.actor.id);
    await queue.serve();
    return left.map((one) => toClaim(one, ledger.now));
  });
  return { claims };
};

/** The first part keeps the id, all parts keep the fence: it is the same right, only smaller. */
export const narrowRow = (
  ledger: Ledger,
  row: ClaimRow,
  targets: ReturnType<typeof resolveTargets>,
  actor: string,
): ClaimRow[] => {
  const whole = targetOf(row);
  for (const target of targets) {
    if (covers(whole, target)) continue;
    throw new HeadgateError(
      "CLAIM_NOT_INSIDE",
      `${showText(target.text)} is not inside ${showText(row.target)} (${row.id})`,
    );
  }
  const parts = targets.map((target, index): ClaimRow => ({
    ...row,
    id: index === 0 ? row.id : ledger.newId("claim"),
    target: target.text,
    extent: target.extent,
    folds: target.folds ? 1 : 0,
    place: target.place,
    tail: target.tail,
  }));
  ledger.replace(row, parts);
  ledger.freed.push(whole);
  ledger.tx.emit({
    kind: "claim.narrowed",
    actor,
    subject: row.id,
    data: {
      from: row.target,
      to: targets.map(({ text }) => text),
      claims: parts.map(({ id }) => id),
      fence: row.fence,
    },
  });
  return parts;
};

export const transfer = async (
  room: Room,
  selection: Selection,
  { to, force = false, reason }: Transfer,
): Promise<ClaimResult> => {
  const receiver = parseActor(to);
  checkReason(reason);
  if (receiver.id === room.actor.id && !force) throw usage("a claim is handed to somebody else");
  const ask = readSelection(room, selection);
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const queue = new Queue(ledger);
    const rows = await select(ledger, room, ask, { isStrict: true, isForced: force });
    if (!force) for (const row of rows) refuseOthers(row, room.actor);
    if (ledger.hasMore) throw tooMany();
    const inTheWay: Blocking[] = [];
    for (const row of rows) {
      // What stays behind may overlap as long as it has the same holder, and no longer.
      for (const claim of await ledger.overlapping(targetOf(row))) {
        const isMoved = rows.some(({ id }) => id === claim.id);
        const isReceivers = claim.actor === receiver.id;
        const excludes = modesConflict(claim.mode, row.mode) && !isHeldBy(claim, receiver);
        if (isMoved || !(isReceivers || excludes)) continue;
        inTheWay.push({ claim, blocks: row.target });
      }
    }
    if (inTheWay.length > 0) {
      const blockers = await describeBlockers(ledger.tx, ledger, inTheWay);
      return { ok: false, code: "CLAIM_CONFLICT", blockers };
    }
    const moved = moveAll(ledger, rows, {
      ...{ from: room.actor.id, force, reason },
      // The receiver has said nothing yet: its name is enough.
      to: () => ({ actor: receiver.id, session: receiver.session, for_session: 0, holder: null }),
    });
    await moveRequests(ledger, moved);
    tellMoved(ledger, { before: rows, after: moved }, { by: room.actor.id, reason });
    await queue.breakCircles();
    await queue.serve();
    return { ok: true, claims: moved.map((row) => toClaim(row, ledger.now)) };
  });
  return result as ClaimResult;
};

export const moveAll = (
  ledger: Ledger,
  rows: readonly ClaimRow[],
  how: {
    readonly from: string;
    to(row: ClaimRow): Pick<ClaimRow, "actor" | "session"> & Partial<ClaimRow>;
    readonly force: boolean;
    readonly reason: string | undefined;
  },
): ClaimRow[] => {
  if (rows.length === 0) return [];
  const ttlMs = Math.max(...rows.map((row) => row.ttl_ms));
  let fence = ledger.takeFences(rows.length, ttlMs);
  return rows.map((row) => {
    const moved = { ...row, ...how.to(row), fence } as ClaimRow;
    fence += 1;
    ledger.replace(row, [moved]);
    ledger.tx.emit({
      kind: "claim.transferred",
      actor: how.from,
      subject: row.id,
      data: {
        target: row.target,
        from: row.actor,
        to: moved.actor,
        fence: moved.fence,
        forced: how.force,
        reason: how.reason ?? "",
      },
    });
    return moved;
  });
};

interface AskedFor {
  readonly ids: readonly string[];
  readonly targets: readonly Target[];
  readonly all: boolean;
  /** Of all of them: those with later ids. */
  readonly after?: string;
}

/** Ids are told by their form; anything else is a target as it was claimed. */
const readSelection = (room: Room, selection: Selection): AskedFor => {
  if ("all" in selection) return { ids: [], targets: [], all: true };
  const ids = selection.claims.filter((one) => isId("claim", one));
  const texts = selection.claims.filter((one) => !isId("claim", one));
  if (ids.length + texts.length === 0) throw usage("name at least one claim or target");
  return { ids, targets: texts.length > 0 ? resolveTargets(room, texts) : [], all: false };
};

const select = async (
  ledger: Ledger,
  room: Room,
  ask: AskedFor,
  { isStrict = false, isForced = false }: { isStrict?: boolean; isForced?: boolean } = {},
): Promise<ClaimRow[]> => {
  if (ask.all) {
    const named = await ledger.ofActor(room.actor.id, ask.after);
    return named.filter((row) => isHeldBy(row, room.actor));
  }
  const byId = ask.ids.length > 0 ? await ledger.byIds(ask.ids) : [];
  const rows = new Map(byId.map((row) => [row.id, row]));
  const missingTargets: string[] = [];
  for (const target of ask.targets) {
    const overlapping = await ledger.overlapping(target);
    const own = overlapping.filter(
      (row) => row.target === target.text && isHeldBy(row, room.actor),
    );
    for (const row of own) rows.set(row.id, row);
    if (own.length > 0) continue;
    const others = overlapping.filter((row) => row.target === target.text);
    for (const row of others) if (isForced) rows.set(row.id, row);
    const [other] = others;
    if (other && !isForced) refuseOthers(other, room.actor);
    if (!other) missingTargets.push(target.text);
  }
  if (isStrict) {
    const missing = ask.ids.find((id) => !rows.has(id)) ?? missingTargets[0];
    if (missing !== undefined) throw unknownClaim(missing);
  }
  return [...rows.values()];
};

const unknownClaim = (name: string): HeadgateError =>
  new HeadgateError("CLAIM_UNKNOWN", `no live claim ${showText(name)} of yours`, {
    data: { claim: name },
  });

/** All or none go over, in one transaction (C-10). */
const tooMany = (): HeadgateError =>
  new HeadgateError(
    "INPUT_TOO_LARGE",
    `fewer than ${limits.endingsMax} claims are handed on at once; name them in parts`,
  );

/** G5: nothing of another actor's claim is changed by asking. */
export const refuseOthers = (row: ClaimRow, actor: Actor): void => {
  if (isHeldBy(row, actor)) return;
  const who =
    row.actor === actor.id
      ? "and this command has neither its session nor its secret"
      : `not by ${showText(actor.id)}`;
  throw new HeadgateError(
    "CLAIM_NOT_HELD",
    `${row.id} on ${showText(row.target)} is held by ${showText(row.actor)}, ${who}`,
    { data: { claim: row.id, target: row.target, holder: row.actor } },
  );
};
