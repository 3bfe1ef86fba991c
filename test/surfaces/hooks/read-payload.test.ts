import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/base/limits.ts";
import { readPayload } from "../../../src/surfaces/hooks/read-payload.ts";

const read = (text: string) => readPayload(Buffer.from(text));
const invalid = expect.objectContaining({ code: "HOOK_INPUT_INVALID" });

describe("a hook's payload", () => {
  it.each([
    ["nothing", ""],
    ["blanks", " \n"],
    ["half an object", '{"a":"b'],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["a key twice", '{"a":1,"a":2}'],
    ["a key twice, deeper", '{"tool_input":{"file_path":"x","file_path":"y"}}'],
    ["a key twice, one of them escaped", String.raw`{"file_path":1,"fil\u0065_path":2}`],
    ["a key twice with blanks before the colon", '{"a" :1,"a"\t: 2}'],
    ["__proto__", '{"tool_input":{"__proto__":{"x":1}}}'],
    ["__proto__, escaped", String.raw`{"\u005f_proto__":{"x":1}}`],
    ["an unfinished escape in a key", String.raw`{"\u00":1}`],
    ["deep nesting", `{"a":${"[".repeat(100_000)}`],
    ["deep nesting that is closed", `{"a":${"[".repeat(500)}${"]".repeat(500)}}`],
  ])("%s is refused", (_, text) => {
    expect(() => read(text)).toThrow(invalid);
  });

  it("what is no UTF-8, and what is too large, is refused", () => {
    expect(() => readPayload(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(invalid);
    expect(() => readPayload(Buffer.alloc(limits.hookPayloadBytesMax + 1, " "))).toThrow(invalid);
  });

  it("values that look like keys, brackets and quotes are no structure", () => {
    const payload = {
      a: '{"a":1,"a":2}[[[[',
      b: String.raw`\" \\`,
      c: [{ a: 1 }, { a: 2 }],
      d: "a",
    };
    expect(read(JSON.stringify(payload, null, 2))).toEqual(payload);
  });

  it("every JSON object within the limits is read as JSON.parse reads it", () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(value, (payload) => {
        const text = JSON.stringify(payload);
        fc.pre(!text.includes("__proto__"));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
