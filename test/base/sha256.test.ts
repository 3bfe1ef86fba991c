import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownSha256, sha256 } from "../../src/base/sha256.ts";

const reference = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

describe("SHA-256", () => {
  it("C-06 gives what the standard's examples say", () => {
    expect(ownSha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(ownSha256("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(ownSha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
  });

  it("C-06 gives what Node gives, at every length around a block's end", () => {
    for (let length = 0; length < 300; length += 1) {
      const text = "ä".repeat(length >> 3) + "x".repeat(length);
      expect(ownSha256(text), String(length)).toBe(reference(text));
    }
    const long = "headgate ".repeat(10_000);
    expect(ownSha256(long)).toBe(reference(long));
  });

  it("C-06 gives what Node gives for any text, halves of surrogate pairs included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(ownSha256(text)).toBe(reference(text));
      }),
      { numRuns: 300 },
    );
    expect(ownSha256("\ud800")).toBe(reference("\ud800"));
  });

  it("C-06 goes on the same when Node takes over", () => {
    for (let index = 0; index < 100; index += 1) {
      const text = `event ${index}`.repeat(index * 10);
      expect(sha256(text)).toBe(reference(text));
    }
  });
});
