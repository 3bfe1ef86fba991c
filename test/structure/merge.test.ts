import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merge3 } from "../../src/structure/index.ts";

const base = "a\nb\nc\nd\ne\n";

describe("three-way merge", () => {
  it("E-07 brings changes of different lines together", () => {
    expect(merge3(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")).toEqual({
      ok: true,
      text: "A\nb\nc\nd\nE\n",
    });
  });

  it("E-07 keeps both additions at one place, the one that was there first before the other", () => {
    expect(merge3(base, "a\nb\nmine\nc\nd\ne\n", "a\nb\ntheirs\nc\nd\ne\n")).toEqual({
      ok: true,
      text: "a\nb\ntheirs\nmine\nc\nd\ne\n",
    });
  });

  it("E-07 shows both versions of a line that both changed", () => {
    expect(merge3(base, "a\nb\nmine\nd\ne\n", "a\nb\ntheirs\nd\ne\n")).toEqual({
      ok: false,
      line: 3,
      ours: "mine\n",
      theirs: "theirs\n",
    });
  });

  it("E-07 a deletion and a change of the same line are a conflict", () => {
    expect(merge3(base, "a\nb\nd\ne\n", "a\nb\nC\nd\ne\n").ok).toBe(false);
  });

  it("E-07 the same change by both is made once", () => {
    const changed = "a\nb\nX\nd\ne\n";
    expect(merge3(base, changed, changed)).toEqual({ ok: true, text: changed });
  });

  it("E-14 line endings and a missing last one are kept", () => {
    expect(merge3("a\r\nb\r\nc", "x\r\na\r\nb\r\nc", "a\r\nb\r\nC")).toEqual({
      ok: true,
      text: "x\r\na\r\nb\r\nC",
    });
  });

  it("E-07 whoever changed nothing gets the other's version, whatever it is", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [old, now] = [one.join(""), two.join("")];
        expect(merge3(old, old, now)).toEqual({ ok: true, text: now });
        expect(merge3(old, now, old)).toEqual({ ok: true, text: now });
        expect(merge3(old, now, now)).toEqual({ ok: true, text: now });
      }),
      { numRuns: 2000 },
    );
  });
});
