import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import * as valibot from "valibot";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/base/json.ts";
import {
  parseJsonText,
  readJson,
  setJsonValue,
  updateJson,
  writeJson,
} from "../../src/state/index.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const file = (content?: string): string => {
  const path = join(temporaryFolder(), "state.json");
  return content === undefined ? path : put(path, content);
};

describe("updateJson", () => {
  it("S-02 transforms what is there, or starts from nothing", async () => {
    const path = file();
    const add = (value: { n: number } | undefined) => ({ n: (value?.n ?? 0) + 1 });
    await updateJson(path, add);
    const result = await updateJson(path, async (value: { n: number } | undefined) => add(value));
    expect(result.value).toEqual({ n: 2 });
    expect(read(path)).toBe('{\n  "n": 2\n}\n');
  });

  it("S-02 a transform that fails or yields nothing never touches the file", async () => {
    const path = file('{"kept": true}');
    const bad: (() => unknown)[] = [
      () => undefined,
      async () => undefined,
      () => ({ n: Number.NaN }),
      () => ({ n: 1n }),
      () => () => {},
    ];
    for (const transform of bad) {
      await expect(updateJson(path, transform)).rejects.toMatchObject({ code: "STATE_INVALID" });
    }
    const boom = () => {
      throw new RangeError("boom");
    };
    await expect(updateJson(path, boom)).rejects.toThrow("boom");
    expect(read(path)).toBe('{"kept": true}');
    expect(readdirSync(join(path, ".."))).toEqual(["state.json"]);
  });

  it("S-06 the result must fit the schema, of any library or as a function", async () => {
    const path = file('{"n": 1}');
    const schema = valibot.object({ n: valibot.number() });
    const asText = () => ({ n: "text" as unknown as number });
    await expect(updateJson(path, asText, { schema })).rejects.toMatchObject({
      code: "STATE_INVALID",
      message: expect.stringContaining("n: "),
    });
    const refuse = () => "not today";
    await expect(updateJson(path, (value) => value, { schema: refuse })).rejects.toMatchObject({
      code: "STATE_CORRUPT",
    });
    expect(readJson(path, { schema })).toEqual({ n: 1 });
    expect(read(path)).toBe('{"n": 1}');
  });

  it("S-10 a corrupt file is an error, never an empty start", async () => {
    const contents = [
      "",
      " \n",
      '{"a":',
      '{"a":1}}',
      '{"a":1,"a":2}',
      '{"x":{"__proto__":{}}}',
      "[".repeat(100_000),
      '{"a":1,}',
      "// no\n{}",
      "\0\0\0",
      '{"big":9007199254740993}',
    ];
    for (const content of contents) {
      const path = file(content);
      await expect(updateJson(path, () => ({}))).rejects.toMatchObject({ code: "STATE_CORRUPT" });
      expect(read(path)).toBe(content);
    }
    const path = file();
    writeFileSync(path, Buffer.from([0x22, 0xff, 0x22]));
    expect(() => readJson(path)).toThrow(expect.objectContaining({ code: "STATE_CORRUPT" }));
    expect(() => readJson(`${path}x`)).toThrow(
      expect.objectContaining({ code: "STATE_NOT_FOUND" }),
    );
  });

  it("S-10 a checksum notices damage that is still JSON", async () => {
    const path = file();
    const options = { hasChecksum: true };
    await writeJson(path, { count: 12, list: [1] }, options);
    expect(readJson(path, options)).toEqual({ count: 12, list: [1] });
    await setJsonValue(path, { key: "list.0", value: { deep: "x" } }, options);
    expect(readJson(path, options)).toEqual({ count: 12, list: [{ deep: "x" }] });
    writeFileSync(path, read(path).replace("12", "13"));
    expect(() => readJson(path)).toThrow(expect.objectContaining({ code: "STATE_CORRUPT" }));
    writeFileSync(path, "{}");
    expect(() => readJson(path, options)).toThrow(/checksum is missing/);
  });
});

describe("setJsonValue", () => {
  it("S-02 changes one value and keeps comments, spacing and order", async () => {
    const content = '\uFEFF{ "a" : 1 ,\r\n\t"b":[true,{"c":"x"}], // why\r\n}';
    const path = put(join(temporaryFolder(), "state.jsonc"), content);
    const options = { hasComments: true };
    await setJsonValue(path, { key: "b.1.c", value: 'a/b & $1 "q"\n' }, options);
    expect(read(path)).toBe(content.replace('"x"', () => '"a/b & $1 \\"q\\"\\n"'));
    await expect(setJsonValue(path, { key: "b.7.c", value: 1 }, options)).rejects.toMatchObject({
      code: "STATE_NOT_FOUND",
    });
  });

  it.each([
    ['{"plan": "01", "done": 3}', '{"plan": "01", "done": 3, "new": {"x":1}}'],
    ['{ "a" :  1 }\n', '{ "a" :  1, "new": {\n  "x": 1\n} }\n'],
    ["{}", '{"new": {"x":1}}'],
    ["{\n}\n", '{\n  "new": {\n    "x": 1\n  }\n}\n'],
    [
      '{\r\n\t"a" : [1,2]\r\n}\r\n',
      '{\r\n\t"a" : [1,2],\r\n\t"new": {\r\n\t\t"x": 1\r\n\t}\r\n}\r\n',
    ],
  ])("S-02 a key created in %j leaves every byte that was there", async (before, after) => {
    const path = put(join(temporaryFolder(), "state.json"), before);
    await setJsonValue(path, { key: "new.x", value: 1, canCreate: true });
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  it("S-02 creating keeps comments and trailing commas, and appends to lists", async () => {
    const before = '{\n  "a": [1, 2], // why\n}\n';
    const path = put(join(temporaryFolder(), "state.jsonc"), before);
    const options = { hasComments: true };
    await setJsonValue(path, { key: "a.2", value: 3, canCreate: true }, options);
    await setJsonValue(path, { key: "b", value: true, canCreate: true }, options);
    expect(readFileSync(path, "utf8")).toBe('{\n  "a": [1, 2, 3],\n  "b": true, // why\n}\n');
    const gap = { key: "a.9", value: 3, canCreate: true };
    await expect(setJsonValue(path, gap, options)).rejects.toMatchObject({
      code: "STATE_NOT_FOUND",
    });
  });

  it("S-02 creates keys only when asked", async () => {
    const path = file('{\n    "a": 1\n}\n');
    const change = { key: "x.y", value: [1] };
    await expect(setJsonValue(path, change)).rejects.toMatchObject({ code: "STATE_NOT_FOUND" });
    await setJsonValue(path, { ...change, canCreate: true });
    expect(readJson(path)).toEqual({ a: 1, x: { y: [1] } });
    await expect(
      setJsonValue(path, { key: "a.b", value: 1, canCreate: true }),
    ).rejects.toMatchObject({ code: "STATE_NOT_FOUND" });
    await expect(setJsonValue(path, { key: "__proto__.x", value: 1 })).rejects.toMatchObject({
      code: "USAGE",
    });
  });

  it("S-02 for any document and any value, everything else stays byte for byte", async () => {
    const path = file();
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom(0, 1, 2, 4),
        async (object, value, indent) => {
          const key = Object.keys(object)[0]!;
          fc.pre(key !== "__proto__" && !JSON.stringify(object).includes("__proto__"));
          fc.pre(!JSON.stringify(value).includes("__proto__"));
          const before = JSON.stringify(object, undefined, indent);
          writeFileSync(path, before);
          const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
          await setJsonValue(path, { key: pointer, value: value as Json }, { durability: "cache" });
          const after = read(path);
          // -0 is written as 0, by JSON's own rules.
          const plain = JSON.parse(JSON.stringify(value)) as unknown;
          expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), [key]: plain });
          const rest = Object.keys(object).slice(1);
          for (const other of rest) expect(after).toContain(JSON.stringify(other));
          const start = before.indexOf(JSON.stringify(key)) + JSON.stringify(key).length;
          expect(after.slice(0, start)).toBe(before.slice(0, start));
          const tail = /[\s}\]]*$/.exec(before)![0].slice(-1);
          expect(after.endsWith(tail)).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("parseJsonText", () => {
  it("S-06 agrees with JSON.parse on everything but traps", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes("__proto__"));
        expect(parseJsonText(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("S-06 names the place of the problem", () => {
    expect(parseJsonText('{\n  "a": 1,\n  "a": 2\n}')).toEqual({
      ok: false,
      problem: { message: 'the key "a" occurs twice', line: 3, column: 3 },
    });
  });
});
