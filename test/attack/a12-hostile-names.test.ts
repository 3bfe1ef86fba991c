import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveInRepository } from "../../src/base/paths.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

it("A12 names that no honest file has are refused with the reason", () => {
  const root = temporaryFolder();
  const refused: [string, RegExp][] = [
    ["", /empty/],
    ["a\0b", /control/],
    ["a\nb", /control/],
    ["a\rb", /control/],
    ["\u001b[31mred", /control/],
    ["a\u007f", /control/],
    ["a\u0085b", /control/],
    ["a\u2028b", /control/],
    ["invoice\u202etxt.exe", /reorders/],
    ["a\u2066b", /reorders/],
    ["\u200fa", /reorders/],
    ["a\ud800b", /Unicode/],
    ["a/".repeat(2049), /4096 bytes/],
    ["ä".repeat(2049), /4096 bytes/],
    [`x/${"a".repeat(256)}`, /255 bytes/],
    ["é".repeat(128), /255 bytes/],
  ];
  for (const [input, reason] of refused) {
    const result = resolveInRepository([root], input, { cwd: root });
    expect(result, JSON.stringify(input)).toMatchObject({
      ok: false,
      code: "PATH_INVALID",
      message: expect.stringMatching(reason),
    });
    // Messages are one safe line, however long or hostile the name.
    const { message } = result as { message: string };
    expect(message.length).toBeLessThan(400);
    // oxlint-disable-next-line no-control-regex -- that there are none is the point.
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  }
});

it("A12 going up and out is refused in every spelling", () => {
  const root = temporaryFolder();
  for (const input of [
    "..",
    "../",
    "../x",
    "a/../../x",
    "./../x",
    "a/b/../../../x",
    "//etc/passwd",
  ]) {
    expect(resolveInRepository([root], input, { cwd: root }), input).toMatchObject({
      ok: false,
      code: "PATH_OUTSIDE",
    });
  }
});

it("A12 nothing is decoded: %2e%2e is a name", () => {
  const root = temporaryFolder();
  expect(resolveInRepository([root], "%2e%2e/%2e%2e%2fx", { cwd: root })).toMatchObject({
    ok: true,
    absolute: join(root, "%2e%2e/%2e%2e%2fx"),
  });
});

it("A12 the longest honest path is ordinary input", () => {
  const root = temporaryFolder();
  const long = Array.from({ length: 40 }, () => "d".repeat(95)).join("/");
  expect(resolveInRepository([root], long, { cwd: root })).toMatchObject({ ok: true, path: long });
  const name = "n".repeat(255);
  expect(resolveInRepository([root], name, { cwd: root })).toMatchObject({ ok: true, path: name });
});
