import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { covers, overlap } from "../../src/claims/targets/overlap.ts";
import { escapePath, parseTarget, type Target } from "../../src/claims/targets/target.ts";
import { spellSymbol } from "../../src/claims/targets/target-symbol.ts";
import { HeadgateError } from "../../src/errors.ts";

const refusal = (text: string): { code: string; message: string } => {
  try {
    parseTarget(text);
  } catch (error) {
    if (HeadgateError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`${text} was not refused`);
};

/** What distinguishes targets, without the compiled part. */
const factsOf = ({ text, kind, extent, folds, place, tail, shape }: Target) => ({
  ...{ text, kind, extent, folds, place, tail },
  ...{ prefix: shape.prefix, symbol: shape.symbol, isPattern: shape.pattern !== undefined },
});

describe("kinds", () => {
  it.each([
    ["src/a.ts", "paths", "tree", "/src/a.ts/", ""],
    [".", "paths", "tree", "/", ""],
    ["src/x*/y", "paths", "tree", "/src/", "y"],
    ["**/*.md", "paths", "tree", "/", "dm."],
    ["src/{a,b}.ts", "paths", "tree", "/src/", ""],
    ["src/{a,b}*.ts", "paths", "tree", "/src/", "st."],
    ["src/*{a,b}", "paths", "tree", "/src/", ""],
    ["Src/*.MD", "paths", "tree", "/src/", "dm."],
    ["*.ts/**", "paths", "tree", "/", ""],
    ["a.ts#C.m", "symbol", "file", "/a.ts/", "st.a"],
    ["name:dev-server", "name", "file", "name:dev-server", ""],
    ["@git/index", "git", "file", "@git/index", ""],
  ])("C-14 %s is of kind %s", (text, kind, extent, place, tail) => {
    expect(parseTarget(text)).toMatchObject({ text, kind, extent, place, tail, folds: false });
  });

  it("a file has its name's end as tail, a tree has none", () => {
    const file = parseTarget("src/a.ts", { extent: "file" });
    expect(file).toMatchObject({ extent: "file", place: "/src/a.ts/", tail: "st.a" });
    const long = parseTarget(`src/${"x".repeat(30)}💡.ts`, { extent: "file" });
    expect(long.tail).toBe(`st.💡${"x".repeat(11)}`);
    expect(parseTarget(`a${"💡".repeat(9)}b`, { extent: "file" }).tail).toBe(`b${"💡".repeat(7)}`);
    expect(parseTarget("{a,b}.ts", { extent: "file" }).tail).toBe("st.");
  });

  it("the root is a folder, whatever is said", () => {
    expect(parseTarget(".", { extent: "file" }).extent).toBe("tree");
    expect(parseTarget("./", { extent: "file" }).text).toBe(".");
  });

  it("a place too long for an index ends at a folder", () => {
    const deep = `${"folder/".repeat(200)}*.ts`;
    const { place } = parseTarget(deep);
    expect(Buffer.byteLength(place)).toBeLessThanOrEqual(limits.targetPlaceBytesMax);
    expect(place).toMatch(/^\/(?:folder\/)+$/);
    expect(place.length).toBeGreaterThan(limits.targetPlaceBytesMax - "folder/".length);
  });
});

describe("one spelling per target", () => {
  it.each([
    ["./src/a.ts", "src/a.ts"],
    ["src//a.ts", "src/a.ts"],
    ["src/./a.ts", "src/a.ts"],
    ["src/a.ts/", "src/a.ts"],
    ["src/./", "src"],
    ["./", "."],
    ["./.", "."],
    ["\\.", "."],
    ["src/[^a]", "src/[!a]"],
    ["src/[\\a]".replace("\\a", "a"), "src/[a]"],
    ["a***b", "a*b"],
    ["a**", "a*"],
    ["****", "*"],
    ["**", "**"],
    ["x{**,a}", "x{*,a}"],
    ["x{a,**}", "x{a,*}"],
    ["{**,a}", "{**,a}"],
    ["{a,**}/b", "{a,**}/b"],
    ["a/**/**", "a/**"],
    ["**/**/b", "**/b"],
    ["a\\-b", "a-b"],
    ["a\\,b", "a,b"],
    ["{a\\,b,c}", "{a\\,b,c}"],
    ["cafe\u0301/*", "caf\u00e9/*"],
    ["./~a", "\\~a"],
    ["./!a", "\\!a"],
    ["./name:a", "name\\:a"],
    ["./@git/index", "\\@git/index"],
    ["./@git", "\\@git"],
    ["a.ts#A::b::c", "a.ts#A.b.c"],
    ['a.ts#A."b.c"', "a.ts#A.b\\.c"],
    ["a.ts#'x'", "a.ts#x"],
    ["a.ts#f(a.b, c)", "a.ts#f(a.b, c)"],
    ["a.ts#C.[Symbol.iterator]", "a.ts#C.[Symbol.iterator]"],
    ["a.go#(*T).M", "a.go#(*T).M"],
    ["./a.ts#C", "a.ts#C"],
  ])("C-12 %s is written %s", (text, canonical) => {
    const target = parseTarget(text);
    expect(target.text).toBe(canonical);
    expect(factsOf(parseTarget(canonical))).toEqual(factsOf(target));
  });

  it("C-12 an escaped path is a target of exactly that path", () => {
    for (const path of [
      "app/[id]/page.tsx",
      "a{b,c}.ts",
      "we*ird?.ts",
      "a#b",
      "!x",
      "~x/y",
      "name:x",
      "@git/index",
      "back\\slash",
      "+(a|b)",
      "a @(x)",
      "a b,c;d&e|f'g\"h$i`j.ts",
      "über/naïve.md",
    ]) {
      const target = parseTarget(escapePath(path), { extent: "file" });
      expect(target.shape).toMatchObject({ prefix: path, pattern: undefined });
      expect(target.text).toBe(escapePath(path));
    }
    expect(escapePath("src/index (1).ts")).toBe("src/index (1).ts");
  });

  it("C-12 the same for any path", () => {
    const name = fc
      .string({ unit: fc.constantFrom(..."ab.*?[]{}\\,#!~@:()+ é") })
      .map((text) => text.normalize("NFC"))
      .filter((text) => !["", ".", ".."].includes(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const path = names.join("/");
        const { shape } = parseTarget(escapePath(path), { extent: "file" });
        expect(shape).toMatchObject({ prefix: path, pattern: undefined });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("symbols", () => {
  it.each([
    ["C", ["C"]],
    ["C.m", ["C", "m"]],
    ["C.#secret", ["C", "#secret"]],
    ["#secret", ["#secret"]],
    ["operator==", ["operator=="]],
    ["operator()", ["operator", "()"]],
    ["operator[]", ["operator[]"]],
    ["operator*", ["operator*"]],
    ["f(int, a.B)", ["f", "(int, a.B)"]],
    ["f(int).inner", ["f", "(int)", "inner"]],
    ["N::C::m", ["N", "C", "m"]],
    ["empty?", ["empty?"]],
    ["save!", ["save!"]],
    ["foo:bar:", ["foo:bar:"]],
    ["[Symbol.iterator]", ["[Symbol.iterator]"]],
    ['"a.b"', ["a\\.b"]],
    ["'it adds, 1.5 times'", ["it adds, 1\\.5 times"]],
    ["a\\.b", ["a\\.b"]],
    ["a\\(b", ["a\\(b"]],
    ["Größe.höhe", ["Größe", "höhe"]],
    ["path/to", ["path/to"]],
    ["\\.btn", ["\\.btn"]],
    ["\\*", ["\\*"]],
    ["a\\u{a}b", ["a\\u{a}b"]],
    ["\\u{41}", ["A"]],
  ])("C-14 a.ts#%s has the levels %j", (symbol, levels) => {
    expect(parseTarget(`a.ts#${symbol}`).shape.symbol).toEqual(levels);
  });

  it.each([
    ["a.ts#", /name is missing/],
    ["a.ts#.x", /name is missing/],
    ["a.ts#x.", /name is missing/],
    ["a.ts#x..y", /name is missing/],
    ["a.ts#x::", /name is missing/],
    ["a.ts#C#m", /write "\." between/],
    ["a.ts#C.*", /no wildcards/],
    ["a.ts#**", /no wildcards/],
    ["a.ts#f(int", /not closed/],
    ["a.ts#[x", /not closed/],
    ["a.ts#x)", /write \\\)/],
    ['a.ts#"x', /quote/],
    ['a.ts#""', /empty/],
    ["a.ts# ", /blank/],
    ["a.ts#a\\b", /backslash/],
    ["*.ts#C", /needs one file/],
    ["{a,b}.ts#C", /needs one file/],
    ["#C", /file is missing/],
    [".#C", /file is missing/],
  ])("%s is refused", (text, reason) => {
    expect(refusal(text)).toMatchObject({
      code: "TARGET_INVALID",
      message: expect.stringMatching(reason),
    });
  });

  it("E-16 every name of a language has a spelling that is read back unchanged", () => {
    const odd = fc.constantFrom(
      ".btn",
      "./*",
      "*",
      " ",
      "a\nb",
      "a::b",
      "[x",
      "'",
      "\\",
      "f(int)",
      "\ud800",
    );
    const part = fc.oneof(odd, fc.string({ unit: "binary", maxLength: 12 }));
    const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const text = spellSymbol(names);
        expect(text === undefined).toBe(names[0] === "");
        const target = parseTarget(`a.ts#${text ?? "empty"}`, { extent: "file" });
        expect(parseTarget(target.text, { extent: "file" })).toEqual(target);
        const outer = spellSymbol(names.slice(0, 1)) ?? "empty";
        expect(covers(parseTarget(`a.ts#${outer}`), target)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect(spellSymbol(["exports", "./*"])).toBe("exports.\\./*");
    expect(spellSymbol(["Foo.Bar", "f(int)"])).toBe("Foo.Bar.f(int)");
  });

  it("E-16 a name that is too long or empty is left out with all in it", () => {
    expect(spellSymbol(["a", "x".repeat(2_000), "b"])).toBe("a");
    expect(spellSymbol(["a", ""])).toBe("a");
    expect(spellSymbol(["", "a"])).toBeUndefined();
    expect(spellSymbol(Array.from({ length: 100 }, () => "a"))?.split(".")).toHaveLength(64);
  });

  it.each([
    ["lines:3-9", "lines:9-12", true, false],
    ["lines:3-9", "lines:4", true, true],
    ["lines:3-9", "lines:10", false, false],
    ["lines:3-9", "f", false, false],
    ["section:A.lines:3-9", "section:A.lines:5-6", true, true],
    ["section:A.lines:3-9", "section:B.lines:5-6", false, false],
  ])("C-14 the regions %s and %s meet: %s", (a, b, isMet, isCovered) => {
    const [one, other] = [parseTarget(`n.txt#${a}`), parseTarget(`n.txt#${b}`)];
    expect([overlap(one, other), overlap(other, one)]).toEqual([isMet, isMet]);
    expect(covers(one, other)).toBe(isCovered);
    expect(overlap(one, parseTarget("n.txt"))).toBe(true);
  });

  it("C-04 a symbol is bounded in length and levels", () => {
    expect(refusal(`a.ts#${"x".repeat(limits.targetSymbolBytesMax + 1)}`).code).toBe(
      "TARGET_TOO_COMPLEX",
    );
    const levels = Array.from({ length: limits.targetSymbolLevelsMax + 1 }, () => "a");
    expect(refusal(`a.ts#${levels.join(".")}`).code).toBe("TARGET_TOO_COMPLEX");
    expect(parseTarget(`a.ts#${levels.slice(1).join(".")}`).kind).toBe("symbol");
  });
});

describe("refusals", () => {
  it.each([
    ["", /write "\." for the whole repository/],
    ["/etc/passwd", /absolute/],
    ["~/x", /not expanded/],
    ["!x", /write \\!/],
    ["file:///etc", /address/],
    ["..", /write the path without/],
    ["a/../b", /write the path without/],
    ["*/..", /write the path without/],
    ["a\0b", /control character/],
    ["a\nb", /control character/],
    ["a\u202eb", /reorders/],
    ["a\ud800b", /Unicode/],
    ["src\\app.ts", /write src\/app\.ts$/],
    ["a\\", /write "\/" between names$/],
    ["a\\/b", /backslash/],
    ["x/[a", /write x\/\\\[a for that very name$/],
    ["a]", /write a\\\] for that/],
    ["[]", /nothing in them/],
    ["[!]", /nothing in them/],
    ["[z-a]", /write a-z/],
    ["[a/b]", /never for "\/"/],
    ["[[:alpha:]]", /\[:names:\]/],
    ["[\\n]", /backslash/],
    ["{a", /brace is not closed; write \\\{a for/],
    ["a}", /write a\\\} for/],
    ["{a}", /\{a,b\}; write \\\{a\\\} for/],
    ["{}", /\{a,b\}/],
    ["{1..5}", /\{a,b\}/],
    ["{a#b,c}", /"#" is special/],
    ["{a,}/b", /write \{a\/,\}b for \{a,\}\/b/],
    ["{/a,b}", /begins with a slash/],
    ["{,a}", /one alternative is empty/],
    ["{a,.}/b", /"\." or "\.\."/],
    ["x/{.,a}", /"\." or "\.\."/],
    ["x/.{,.}/a", /"\." or "\.\."/],
    ["[.]", /no path can ever fit/],
    ["a/.[.]", /no path can ever fit/],
    ["+(a|b)", /alternatives are \{a,b\}; write \+\\\(a\|b\) for/],
    ["*(x)", /alternatives are/],
    ["a".repeat(256), /255 bytes/],
    [`x/${"é".repeat(128)}`, /255 bytes/],
    ["a/".repeat(2048) + "a", /4096 bytes/],
    ["name:", /write name:dev-server/],
    ["name:my server", /write name:my-server/],
    ["name:-x", /write name:x/],
    ["@git", /write one of @git\/index/],
    ["@git/indx", /write @git\/index/],
    ["@git/index/x", /@git\/index/],
  ])("%j says why and what to write", (text, reason) => {
    const { code, message } = refusal(text);
    expect(code).toBe("TARGET_INVALID");
    expect(message).toMatch(reason);
    expect(message.length).toBeLessThan(400);
    // oxlint-disable-next-line no-control-regex -- that there are none is the point.
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  it("C-04 a 4,096-byte path and 40 levels are ordinary", () => {
    const deep = Array.from({ length: 40 }, (_, level) => `folder-${level}`).join("/");
    expect(parseTarget(`${deep}/a.ts`).text).toBe(`${deep}/a.ts`);
    expect(overlap(parseTarget(`${deep}/**/*.ts`), parseTarget(`${deep}/x/a.ts`))).toBe(true);
    const long = `${"a".repeat(255)}/`.repeat(16).slice(0, limits.pathBytesMax);
    expect(Buffer.byteLength(long)).toBe(4096);
    expect(overlap(parseTarget(long), parseTarget("**/a*"))).toBe(true);
    const narrow = "d/".repeat(2047) + "ff";
    expect(covers(parseTarget("d"), parseTarget(narrow))).toBe(true);
    expect(overlap(parseTarget("**/ff"), parseTarget(narrow))).toBe(true);
    const escaped = escapePath("*/".repeat(2047) + "**");
    expect(parseTarget(escaped, { extent: "file" }).shape.prefix).toHaveLength(4096);
  });

  it("C-04 what is too long or too deep is too complex", () => {
    expect(refusal("a".repeat(limits.targetBytesMax + 1)).code).toBe("TARGET_TOO_COMPLEX");
    expect(refusal("é".repeat(limits.targetBytesMax / 2 + 1)).code).toBe("TARGET_TOO_COMPLEX");
    const nested = (depth: number) => `${"{a,".repeat(depth)}b${"}".repeat(depth)}`;
    expect(refusal(nested(limits.targetBracesDepthMax + 1)).code).toBe("TARGET_TOO_COMPLEX");
    expect(parseTarget(nested(limits.targetBracesDepthMax)).kind).toBe("paths");
    expect(refusal(`name:${"x".repeat(limits.targetNameLengthMax + 1)}`).code).toBe(
      "TARGET_TOO_COMPLEX",
    );
    expect(refusal(`*${"a".repeat(limits.targetSizeMax)}`).code).toBe("TARGET_TOO_COMPLEX");
  });
});

describe("docs/targets.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/targets.md"), "utf8");
  const codeIn = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!);
  const rows = [...page.matchAll(/^\| (`.*`) \| (.*`) \| (.*`) \|$/gm)];

  it("C-16 fits and does not fit as the table of patterns says", () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const [, write, fits, fitsNot] of rows) {
      const pattern = parseTarget(codeIn(write!)[0]!);
      const isIn = (path: string) =>
        overlap(pattern, parseTarget(escapePath(path), { extent: "file" }));
      for (const path of codeIn(fits!)) expect(isIn(path), `${pattern.text} ${path}`).toBe(true);
      for (const path of codeIn(fitsNot!))
        expect(isIn(path), `${pattern.text} ${path}`).toBe(false);
    }
  });

  it("C-04 names the limits that are in force", () => {
    const { pathBytesMax, targetSizeMax, coversStepsMax, targetBytesMax } = limits;
    for (const limit of [pathBytesMax, targetSizeMax, coversStepsMax, targetBytesMax]) {
      expect(page).toContain(limit.toLocaleString("en-GB"));
    }
    expect(page).toContain(`| braces in braces | ${limits.targetBracesDepthMax} |`);
    expect(page).toContain(`${limits.targetSymbolLevelsMax} levels`);
    expect(page).toContain(`${limits.targetNameLengthMax} letters`);
  });
});

describe("any text", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(..."ab/.*?[]{}\\,#!-^~@:()|é💡 "), maxLength: 40 }),
    fc
      .tuple(fc.constantFrom("name:", "@git/", "a.ts#"), fc.string({ maxLength: 20 }))
      .map(([a, b]) => a + b),
    fc
      .string({
        unit: fc.constantFrom("a", ".", "::", "(", ")", "[", "]", '"', "'", "\\", "#", " "),
        maxLength: 15,
      })
      .map((text) => `a#${text}`),
  );

  it("is a target or is refused by a code, and its canonical form stays as it is", () => {
    let accepted = 0;
    fc.assert(
      fc.property(anything, fc.boolean(), fc.boolean(), (text, isFile, folds) => {
        const options = { extent: isFile ? "file" : "tree", folds } as const;
        let target: Target;
        try {
          target = parseTarget(text, options);
        } catch (error) {
          expect(HeadgateError.isInstance(error), String(error)).toBe(true);
          expect((error as HeadgateError).code).toMatch(/^TARGET_/);
          return;
        }
        accepted += 1;
        expect(factsOf(parseTarget(target.text, options))).toEqual(factsOf(target));
        expect(overlap(target, target)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(2000);
  });
});
