import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { setYamlValue } from "../../src/state/index.ts";
import { loadYaml, setInYamlText } from "../../src/state/yaml-text.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const document = `# head
a: 1 # one
b:
  c: "x"
  d: |
    text
    more

  e: [1, 2]
list:
  - x: 1
  - two
empty:
`;

describe("setYamlValue", () => {
  const set = async (content: string, key: string, value: string | number, canCreate = false) => {
    const path = put(join(temporaryFolder(), "a.yaml"), content);
    await setYamlValue(path, { key, value, canCreate });
    return readFileSync(path, "utf8");
  };

  it.each([
    ["a", 2, "a: 1", "a: 2"],
    ["b.c", "y", '"x"', '"y"'],
    ["b.d", "one line", "|\n    text\n    more", "one line"],
    ["b.e.1", 7, "[1, 2]", "[1, 7]"],
    ["list.0.x", "yes", "x: 1", 'x: "yes"'],
    ["list.1", "a: b # c", "two", '"a: b # c"'],
    ["empty", "full", "empty:", "empty: full"],
  ])("S-03 sets %s and keeps the rest", async (key, value, from, to) => {
    expect(await set(document, key, value)).toBe(document.replace(from, () => to));
  });

  it("S-03 creates keys where asked, keeps CRLF and the missing final line end", async () => {
    expect(await set(document, "b.z", "new", true)).toBe(
      document.replace("e: [1, 2]", "e: [1, 2]\n  z: new"),
    );
    expect(await set("a: 1\r\nb: 2", "c", "x", true)).toBe("a: 1\r\nb: 2\r\nc: x");
    await expect(set(document, "zz", "x")).rejects.toMatchObject({ code: "STATE_NOT_FOUND" });
  });

  it("S-06 refuses files that are not YAML, and changes that touch more than the key", async () => {
    for (const content of ["a: [", "a: 1\na: 2", "__proto__: 1", "a: *no"]) {
      await expect(set(content, "a", "x")).rejects.toMatchObject({ code: "STATE_CORRUPT" });
    }
    await expect(set("a: &x 1\nb: *x\n", "a", "2")).rejects.toMatchObject({
      code: "STATE_INVALID",
    });
  });

  it("S-03 for any text as value, only that value changes", async () => {
    const yaml = await loadYaml();
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        fc.constantFrom("a", "b.c", "b.d", "list.1", "empty"),
        (value, key) => {
          const keys = key.split(".");
          const edit = { keys, value, canCreate: false, eol: "\n" };
          const result = setInYamlText(yaml, document, edit);
          expect(result).toMatchObject({ ok: true, value: expect.any(String) });
          const text = result.ok ? result.value! : "";
          const found = keys.reduce<unknown>(
            (inner, one) => (inner as Record<string, unknown>)[one],
            parse(text),
          );
          expect(found).toBe(value);
          expect(text.split("\n").length).toBeLessThanOrEqual(document.split("\n").length);
        },
      ),
    );
  });
});
