import { describe, expect, it } from "vitest";
import { claimsProgram } from "../helpers/claims-program.ts";
import { type ClaimsPlace, granted, openClaimsAt, refused } from "../helpers/claims.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const hostile = [
  `'; DROP TABLE claims; --`,
  `" OR "1"="1`,
  `') ; DELETE FROM events; --`,
  `x' UNION SELECT * FROM scopes --`,
  `\\'; UPDATE claims SET actor='mallory`,
  `$1 $2 :scope :id ?1 @id #{x} %s %00`,
  `$$; SELECT pg_sleep(9) $$`,
  `{"fence":0} }', now(), '`,
  `a\tb\nc`,
];

/** What the tables hold, past our code. */
const counts = async (there: StorePlace): Promise<unknown> => {
  const tables = ["claims", "waiters", "actors", "release_requests", "scopes", "events"];
  const list = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(", ");
  const [row] = await there.sql(`SELECT ${list}`);
  return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]));
};

const ended = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

describe.each(backends)("F07 SQL in text on $name", ({ place: newPlace }) => {
  it("F07 C-02 is text in every field that is stored, and comes back byte for byte", async () => {
    const there = await newPlace();
    const place: ClaimsPlace = await openClaimsAt(there);
    for (const [index, text] of hostile.entries()) {
      const actor = `${text}${index}`;
      const [holder, asker] = [place.as(actor), place.as(`asker ${text}`)];
      const target = {
        path: `${index} ${text.replaceAll(/[\t\n*?{}[\]\\#]/g, "_")}`,
        extent: "file",
      } as const;
      const key = `key ${text}`;
      const held = granted(await holder.claim({ targets: [target.path], reason: text, key }));
      expect(held).toMatchObject({ actor, reason: text });
      expect(granted(await holder.claim({ targets: [target.path], key })).id).toBe(held.id);
      expect(refused(await asker.claim({ targets: [target.path] })).blockers).toMatchObject([
        { actor, reason: text, target: held.target },
      ]);
      const asked = await asker.ask(held.id, { reason: text, withinMs: 60_000 });
      const answered = await holder.answer(asked.id, { kind: "defer", forMs: 60_000, note: text });
      expect(answered).toMatchObject({ reason: text, note: text, holder: actor });
      const heir = `heir ${text}`;
      const moved = granted(
        await holder.transfer({ claims: [held.id] }, { to: heir, reason: text }),
      );
      expect(moved.actor).toBe(heir);
      expect((await holder.list({ actor: heir })).claims.map(({ id }) => id)).toEqual([held.id]);
      const stop = new AbortController();
      const waiting = asker.claim({
        targets: [held.target],
        reason: text,
        waitMs: 60_000,
        signal: stop.signal,
      });
      await expect
        .poll(async () => (await holder.list()).waiters)
        .toMatchObject([{ actor: `asker ${text}`, reason: text }]);
      stop.abort();
      await waiting;
    }
    expect(await counts(there)).toMatchObject({ claims: hostile.length, scopes: 1 });
  });

  it("F07 C-02 finds nothing and changes nothing in every field that is only looked up", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    granted(await place.as("alice").claim({ targets: ["a"] }));
    const before = await counts(there);
    const mallory = place.as("mallory");
    for (const text of hostile) {
      expect((await mallory.list({ actor: text })).claims).toEqual([]);
      const codes = await Promise.all([
        ended(mallory.renew({ claims: [text] })),
        ended(mallory.narrow(text, ["a"])),
        ended(mallory.ask(text, { reason: "", withinMs: 1_000 })),
        ended(mallory.answer(text, { kind: "release" })),
        ended((async () => mallory.list({ mode: text as never }))()),
        ended((async () => mallory.check(["a"], { mode: text as never }))()),
        ended(mallory.release({ claims: [`cl_${text}`] })),
      ]);
      for (const code of codes) {
        expect(code).toMatch(/^(done|CLAIM_UNKNOWN|REQUEST_UNKNOWN|USAGE|TARGET_[A-Z_]+)$/);
      }
    }
    expect(await counts(there)).toEqual(before);
  });

  it("F07 text that one of the back ends cannot hold is refused by both, before anything is stored", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    const alice = place.as("alice");
    const held = granted(await alice.claim({ targets: ["a"] }));
    const before = await counts(there);
    for (const text of ["nul\0", "half \ud800 pair"]) {
      const codes = [
        await ended((async () => place.as(text).claim({ targets: ["b"] }))()),
        await ended(alice.claim({ targets: ["b"], reason: text })),
        await ended(alice.claim({ targets: ["b"], key: text })),
        await ended((async () => alice.claim({ targets: [text] }))()),
        await ended((async () => alice.transfer({ all: true }, { to: text }))()),
        await ended(alice.transfer({ all: true }, { to: "bob", reason: text })),
        await ended(place.as("bob").ask(held.id, { reason: text, withinMs: 1_000 })),
      ];
      expect(codes.map((code) => code === "done" || code === "INTERNAL")).toEqual(
        codes.map(() => false),
      );
    }
    expect(await counts(there)).toEqual(before);
  });
});

it("F07 C-02 the command line passes such text on as it is", async () => {
  const { as } = claimsProgram();
  const [text] = hostile;
  const { answer } = await as(text!)("claim", "a.txt", "--reason", text!, "--key", text!);
  expect(answer.claim).toMatchObject({ actor: text, reason: text });
  const refusal = await as("bob")("claim", "a.txt");
  expect(refusal).toMatchObject({ code: 1, answer: { blockers: [{ actor: text, reason: text }] } });
});
