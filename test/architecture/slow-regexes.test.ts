import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRegexes, findSlowText } from "./slow-regexes.ts";

/** By file, with the reason why the text is short; `open`: not mended yet, and only gets fewer. */
interface AllowList {
  readonly bounded: Readonly<Record<string, { readonly why: string; readonly sources: string[] }>>;
  readonly open: Readonly<Record<string, readonly string[]>>;
}

const allowed = JSON.parse(
  readFileSync(join(import.meta.dirname, "slow-regexes.json"), "utf8"),
) as AllowList;

describe("regular expressions", () => {
  it("T-05 the search finds nested, adjacent and unanchored quantifiers, and no linear ones", () => {
    const isSlow = (pattern: RegExp) =>
      findSlowText({ place: "here", source: pattern.source, flags: pattern.flags }) !== undefined;
    const slow = [
      /\s*(\r\n|\r|\n)\s*/g,
      /^(a+)+$/,
      /^\s*(?:\/\/.*\s+)*func\b/,
      /[ \t]+$/,
      /^\s*#/m,
    ];
    const linear = [/^\s*#/, /(?<![ \t])[ \t]+$/, /\w+/g, /^[^\S\n]*#/m, /a{3}b?/, /^x(.*\S)\s*$/];
    expect(slow.filter((pattern) => !isSlow(pattern))).toEqual([]);
    expect(linear.filter(isSlow)).toEqual([]);
  });

  it("T-05 no new one in the sources takes more than linear time on its worst text", () => {
    const files = { ...allowed.open };
    for (const [file, { sources }] of Object.entries(allowed.bounded)) files[file] = sources;
    const found = findRegexes().filter(({ place, source }) => {
      const file = place.slice(0, place.lastIndexOf(":"));
      return !files[file]?.includes(source);
    });
    const slow = found.flatMap((one) => findSlowText(one) ?? []);
    expect(slow.map(({ place, source, on }) => `${place} /${source}/ on ${on}`)).toEqual([]);
    // One that is gone leaves the list as well.
    const there = new Set(
      findRegexes().map(
        ({ place, source }) => `${place.slice(0, place.lastIndexOf(":"))} ${source}`,
      ),
    );
    const listed = Object.entries(files).flatMap(([file, sources]) =>
      sources.map((source) => `${file} ${source}`),
    );
    expect(listed.filter((one) => !there.has(one))).toEqual([]);
  });
});
