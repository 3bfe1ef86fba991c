import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { newId } from "../../src/base/ids.ts";
import { type Claims, parseActor } from "../../src/claims/index.ts";
import {
  countFitting,
  type Inbox,
  type NewNotice,
  openInbox,
  presentNotices,
  sendIn,
} from "../../src/notices/index.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

const everything = (waiting: readonly unknown[]): number => waiting.length;

describe.each(backends)("notices on $name", ({ migratedPlace: newPlace }) => {
  const open = async () => {
    const at = await newPlace();
    const place = await openClaimsAt(at);
    const { store, scope } = place;
    const inbox = (actor: string): Inbox =>
      openInbox({
        actor: parseActor(actor),
        open: async () => ({ store, scope }),
        look: async () => ({ store, scope }),
      });
    const send = (...notices: NewNotice[]) =>
      store.write({ scope }, async (tx) => {
        await sendIn(tx, { scope, now: await tx.now(), ids: newId }, notices);
        tx.emit({ kind: "test.sent" });
        return null;
      });
    /** Takes and confirms. */
    const read = async (actor: string): Promise<string[]> => {
      const taken = await inbox(actor).take(everything);
      await taken?.delivered();
      return (taken?.notices ?? []).map(({ text }) => text);
    };
    return { at, place, inbox, send, read };
  };
  const message = (to: string, text: string, more: Partial<NewNotice> = {}): NewNotice => ({
    ...{ to, text, kind: "message", from: "ada" },
    ...more,
  });

  it("N-04 gives notices in order, once, and keeps delivered ones for a second look", async () => {
    const { inbox, send, read } = await open();
    expect(await inbox("ben").take(everything)).toBeUndefined();
    await send(message("ben", "one"), message("ben", "two"), message("eve", "hers"));
    await send(message("ben", "three"));
    expect(await read("ben")).toEqual(["one", "two", "three"]);
    expect(await read("ben")).toEqual([]);
    expect(await read("eve")).toEqual(["hers"]);
    expect((await inbox("ben").list()).notices).toEqual([]);
    const all = await inbox("ben").list({ isAll: true });
    expect(all.notices.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(all.notices[0]).toEqual({
      ...{ id: expect.stringMatching(/^nt_/), kind: "message", from: "ada", text: "one" },
      at: expect.stringMatching(/^2\d{3}-/),
    });
  });

  it("N-04 gives a notice again, under its id and marked, when its delivery was not recorded", async () => {
    const { at, inbox, send } = await open();
    await send(message("ben", "hear me"));
    const first = await inbox("ben").take(everything);
    expect(first?.notices[0]).not.toHaveProperty("repeated");
    // A living process may be about to write its answer: no second one carries it.
    expect(await inbox("ben").take(everything)).toBeUndefined();
    await at.sql("UPDATE notices SET taken_by = replace(taken_by, '\"pid\":', '\"pid\":9')");
    const again = await inbox("ben").take(everything);
    expect(again?.notices[0]).toMatchObject({ id: first!.notices[0]!.id, repeated: true });
    await again!.delivered();
    // The first one comes late, and changes nothing.
    await first!.delivered();
    expect(await inbox("ben").take(everything)).toBeUndefined();
  });

  it("gives a notice again when its living taker has not recorded it for a while", async () => {
    const { at, inbox, send } = await open();
    await send(message("ben", "hear me"));
    await inbox("ben").take(everything);
    await at.sql(`UPDATE notices SET taken_at = taken_at - ${limits.noticeTakenMs}`);
    expect((await inbox("ben").take(everything))?.notices[0]?.repeated).toBe(true);
  });

  it("lets a newer notice about the same thing replace one that is not delivered yet", async () => {
    const { send, read } = await open();
    await send(message("ben", "old", { about: "x" }), message("ben", "other", { about: "y" }));
    await send(message("ben", "new", { about: "x" }), message("eve", "hers", { about: "x" }));
    expect(await read("ben")).toEqual(["other", "new"]);
    await send(message("ben", "newer", { about: "x" }));
    expect(await read("ben")).toEqual(["newer"]);
    expect(await read("eve")).toEqual(["hers"]);
  });

  it("N-04 gives a sub-agent's notice to its session once the sub-agent has ended or is silent", async () => {
    const { at, inbox, send, read } = await open();
    await send(message("claude:1/a", "for a"), message("claude:1/b", "for b"));
    await send(message("claude:1", "for all"), message("claude:10", "another session"));
    expect(await read("claude:1/a")).toEqual(["for a"]);
    expect(await read("claude:1")).toEqual(["for all"]);
    await inbox("claude:1/b").leaveToSession();
    expect(await read("claude:1")).toEqual(["for b"]);
    await send(message("claude:1/b", "too late"));
    await at.sql(`UPDATE notices SET sent_at = sent_at - ${limits.noticeAgentMs} - 1`);
    expect(await read("claude:1/a")).toEqual([]);
    const [late] = (await inbox("claude:1").take(everything))?.notices ?? [];
    expect(late).toMatchObject({ text: "too late", for: "claude:1/b" });
  });

  it("bounds what is kept by number and by age", async () => {
    const { at, inbox, send } = await open();
    const many = Array.from({ length: 30 }, (_, n) => message("ben", `${n}`));
    for (let n = 0; n < limits.noticesKeptMax + 30; n += 30) await send(...many);
    const [{ count }] = (await at.sql("SELECT count(*) AS count FROM notices")) as [
      { count: number | string },
    ];
    expect(Number(count)).toBe(limits.noticesKeptMax);
    await at.sql("UPDATE notices SET expires_at = 1");
    await send(message("eve", "new"));
    expect(await inbox("ben").list({ isAll: true })).toEqual({ notices: [], more: 0 });
  });

  it("N-04 shows as many as fit and says how many more there are", async () => {
    const { inbox, send } = await open();
    await send(message("ben", "x".repeat(1_900)), message("ben", "b".repeat(250)));
    await send(...Array.from({ length: 4 }, (_, n) => message("ben", `${n}`.repeat(100))));
    const texts: string[] = [];
    for (;;) {
      const taken = await inbox("ben").take((all) => countFitting(all, limits.noticeCallLengthMax));
      if (!taken) break;
      texts.push(presentNotices(taken, limits.noticeCallLengthMax));
      await taken.delivered();
    }
    expect(texts.length).toBeLessThan(6);
    expect(texts.every((text) => text.length <= limits.noticeCallLengthMax)).toBe(true);
    expect(texts[0]).toContain("5 more: headgate inbox");
    expect(texts[0]).toContain("… (all of it: headgate inbox --all)");
    expect(texts.at(-1)).not.toContain("more:");
    expect(texts.join("\n")).toContain("3".repeat(100));
  });

  describe("of claims", () => {
    const held = async (target = "src/a.ts") => {
      const opened = await open();
      const [ada, ben] = [opened.place.as("ada"), opened.place.as("ben")];
      const claim = granted(await ada.claim({ targets: [target], reason: "work" }));
      return { ...opened, ada, ben, claim };
    };

    it("N-06 delivers a request to the holder and the answer to the asker", async () => {
      const { ada, ben, inbox } = await held();
      const [request] = await ben.askFor("src", { reason: "a hotfix", withinMs: 60_000 });
      const asked = await inbox("ada").take(everything);
      expect(asked?.notices).toMatchObject([
        { id: request!.id, kind: "ask", from: "ben", target: "src/a.ts", text: "a hotfix" },
      ]);
      await asked!.delivered();
      await ada.answer(request!.id, { kind: "defer", forMs: 60_000, note: "tests run" });
      await ada.answer(request!.id, { kind: "refuse", note: "not today" });
      // The newer answer replaces the older one.
      const answered = await inbox("ben").take(everything);
      expect(answered?.notices).toMatchObject([
        { kind: "answer", from: "ada", replyTo: request!.id, text: "no: not today" },
      ]);
      await expect(ada.answer(request!.id, { kind: "release" })).rejects.toMatchObject({
        code: "REQUEST_UNKNOWN",
      });
    });

    it("N-06 a request follows a transfer to the new holder, unread or read", async () => {
      const { ada, ben, claim, inbox, read, place } = await held();
      const request = await ben.ask(claim.id, { reason: "a hotfix", withinMs: 60_000 });
      await ada.transfer({ claims: [claim.id] }, { to: "dave", reason: "end of day" });
      expect(await read("ada")).toEqual([]);
      const dave = await inbox("dave").take(everything);
      expect(dave?.notices.map(({ kind, id }) => [kind, id === request.id])).toEqual([
        ["ask", true],
        ["claim", false],
      ]);
      expect(dave?.notices[1]?.text).toBe('handed to you by ada: "end of day"');
      await dave!.delivered();
      const requests = await place.as("dave").requests();
      expect(requests).toMatchObject([{ id: request.id, holder: "dave", answer: "none" }]);
      await ada.transfer({ claims: [claim.id] }, { to: "eve", force: true });
      expect(await read("eve")).toEqual(["a hotfix", "handed to you by ada"]);
      expect(await read("dave")).toEqual(["your claim was handed to eve by ada"]);
      await place.as("eve").transfer({ claims: [claim.id] }, { to: "ben" });
      expect(await ben.requests()).toEqual([]);
    });

    it("N-06 a request ends with its claim, and its asker hears so", async () => {
      const { ada, ben, claim, read } = await held();
      await ben.ask(claim.id, { reason: "a hotfix", withinMs: 60_000 });
      await ada.release({ all: true });
      expect(await read("ada")).toEqual([]);
      expect(await read("ben")).toEqual(["the claim that you asked ada for has ended: released"]);
    });

    it("what was refused is held for the first that wanted it, once it is free, and the next comes after", async () => {
      const { at, place, ada, claim, read } = await held();
      const names = ["claude:1", "codex:2", "gemini:3", "eve"];
      const [one, two, three, eve] = names.map((name) => place.as(name)) as [
        ...[Claims, Claims, Claims, Claims],
      ];
      const wish = { targets: ["src/a.ts"], reason: "a hotfix" };
      for (const other of [one, two, one, eve]) {
        expect(await other.claim(wish)).toMatchObject({ ok: false, code: "CLAIM_CONFLICT" });
      }
      await three.want(["src/a.ts#f"], { mode: "edit" });
      await ada.release({ claims: [claim.id] });
      const text = "what you wanted is free, and held for you for a moment: repeat your claim now";
      expect(await read("claude:1")).toEqual([text]);
      for (const name of names.slice(1)) expect(await read(name)).toEqual([]);
      expect((await one.list()).claims).toMatchObject([
        { actor: "claude:1", target: "src/a.ts", reason: "a hotfix" },
      ]);
      const again = granted(await one.claim(wish));
      expect(Date.parse(again.expiresAt) - Date.now()).toBeGreaterThan(limits.claimTurnMs);
      // A turn that is not taken ends by itself.
      await one.release({ all: true });
      expect((await two.list()).claims).toMatchObject([{ actor: "codex:2", mode: "exclusive" }]);
      await at.sql("UPDATE claims SET expires_at = 1, expires_mono = 1");
      expect(await read("codex:2")).toEqual([text]);
      await ada.sweep();
      expect(await read("codex:2")).toEqual(["your claim is over: it was not renewed in time"]);
      expect((await two.list()).claims).toMatchObject([{ actor: "gemini:3", mode: "edit" }]);
      expect(await read("gemini:3")).toEqual([text.replace("claim now", "edit now")]);
      // Nothing is left to be told of, and who gives all back wants nothing more.
      await three.release({ all: true });
      granted(await ada.claim(wish));
      await one.claim(wish);
      await one.release({ all: true });
      await ada.release({ all: true });
      expect((await one.list()).claims).toEqual([]);
      expect(await read("claude:1")).toEqual([]);
    });

    it("who repeats its claim by itself is not told afterwards that it is free", async () => {
      const { place, ada, claim, read } = await held();
      const one = place.as("claude:1");
      await one.claim({ targets: ["src/a.ts"] });
      await ada.release({ claims: [claim.id] });
      granted(await one.claim({ targets: ["src/a.ts"] }));
      expect(await read("claude:1")).toEqual([]);
    });

    it("a claim that ran out is told to its holder; what an edit held is not", async () => {
      const { at, ada, ben, read } = await held();
      await ada.claim({ targets: ["src/b.ts"], mode: "edit" });
      await at.sql("UPDATE claims SET expires_at = 1, expires_mono = 1");
      await ben.claim({ targets: ["src"] });
      expect(await read("ada")).toEqual(["your claim is over: it was not renewed in time"]);
    });
  });

  describe("between actors", () => {
    const met = async () => {
      const opened = await open();
      for (const name of ["ada", "ben", "claude:1", "claude:1/x"]) {
        await opened.place.as(name).register({ kind: "test.met" });
      }
      return { ...opened, ada: opened.place.as("ada") };
    };
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => "none",
        (error: { code: string }) => error.code,
      );

    it("sends to an actor, to the holder of a target and to all other sessions", async () => {
      const { place, ada, read, inbox } = await met();
      await place.as("ben").claim({ targets: ["src/a.ts#f"] });
      const { id } = await ada.tell("ben", "hello");
      expect(await ada.tell("holder:src/a.ts", "yours?")).toMatchObject({ to: ["ben"] });
      expect((await ada.tell("all", "lunch")).to.toSorted()).toEqual(["ben", "claude:1"]);
      expect(await read("ben")).toEqual(["hello", "yours?", "lunch"]);
      await place.as("ben").tell("ada", "hi", { replyTo: id });
      expect((await inbox("ada").list()).notices).toMatchObject([{ replyTo: id, text: "hi" }]);
    });

    it("refuses what cannot be sent, and sends nothing of it", async () => {
      const { ada, place, at } = await met();
      expect(await codeOf(ada.tell("nemo", "hello"))).toBe("ACTOR_UNKNOWN");
      expect(await codeOf(ada.tell("ben", " \u001b[2J\n "))).toBe("USAGE");
      expect(await codeOf(ada.tell("ben", "x".repeat(1024 * 1024)))).toBe("INPUT_TOO_LARGE");
      expect(await codeOf(ada.tell("holder:src/free.ts", "hello"))).toBe("CLAIM_UNKNOWN");
      expect(await codeOf(ada.tell("ben", "hello", { replyTo: "nt_nope" }))).toBe("NOTICE_UNKNOWN");
      expect(await codeOf(ada.tell("", "hello"))).toBe("ACTOR_INVALID");
      expect(await codeOf(ada.askFor("src/free.ts", { reason: "", withinMs: 1000 }))).toBe(
        "CLAIM_UNKNOWN",
      );
      expect(await codeOf(ada.tell("ada", "hello"))).toBe("USAGE");
      expect(await at.sql("SELECT id FROM notices")).toEqual([]);
      expect(await place.events("notice.*")).toEqual([]);
    });

    it("refuses a session that floods others, whichever of its sub-agents writes", async () => {
      const { place, ada, read } = await met();
      const write = (n: number) => place.as(n % 2 ? "claude:1" : "claude:1/x").tell("ben", `${n}`);
      for (let n = 0; n < limits.noticeRateMax; n += 1) await write(n);
      expect(await codeOf(write(1))).toBe("NOTICE_RATE");
      await ada.tell("ben", "others go on");
      expect(await read("ben")).toHaveLength(limits.noticeRateMax + 1);
    });

    it("refuses more for a receiver that does not read", async () => {
      const { ada, send } = await met();
      const many = Array.from({ length: limits.noticesWaitingMax }, (_, n) =>
        message("ben", `${n}`, { from: "eve" }),
      );
      await send(...many);
      expect(await codeOf(ada.tell("ben", "hello"))).toBe("NOTICE_INBOX_FULL");
    });
  });
});
