import { describe, expect, it } from "vitest";
import { type SyntaxQuestion, judgeSyntax } from "../../../src/structure/syntax/index.ts";

const judge = (text: string, more: Partial<SyntaxQuestion> = {}) =>
  judgeSyntax({ language: "python", path: "a.py", text, ...more }, async () => []);

describe("Python's syntax", () => {
  it.each([
    "",
    "\f\ndef f():\n\f    pass\n",
    "if a:\n\tb\nelse:\n\tc\n",
    "x = 1 if y else 2\r\nz = [\r\n    1,\r\n]\r\n",
    "match x:\n    case {'a': 1, **rest}: pass\n    case _: pass\n",
    "async def f():\n    async with a as b, c:\n        yield [x async for x in b]\n",
    'f"{x!r:>{w}} {"nested"}"\n',
    "type A[T: int = str] = list[T]\ndef f[**P, *Ts](): ...\n",
    "try:\n    pass\nexcept* ValueError, TypeError:\n    pass\n",
    "def f(a, /, b, *, c): return (y := 1)\n",
    "from .__future__ import spam\n",
    "x = '\\N{BULLET}' 'é😀'\n",
    "def f(noqa): return noqa # noqa\n",
    "class A:\n    x: int\n    def f(self, y: 'A' = ...) -> None: ...\n",
  ])("E-09 accepts %j", async (text) => {
    expect(await judge(text)).toMatchObject({ state: "valid", errors: [] });
  });

  it.each([
    ["def f(:\n    pass\n", 1, 7],
    ["x = '😀' )\n", 1, 10],
    ["def f():\n    x = 1\n\ndef g():\nreturn 2\n", 5, 1],
    ["def f():\n", 1, 9],
    ["x = 1\n    y = 2\n", 2, 1],
    ["if a:\n        b\n    c\n", 3, 1],
    ["if a:\n        b\n\tc\n", 3, 1],
    ["x = 1\r\nbreak\r\n", 2, 1],
    ["for a in b: pass\ncontinue\n", 2, 1],
    ["return 1\n", 1, 1],
    ["yield 1\n", 1, 1],
    ["def f():\n    await g()\n", 2, 5],
    ["async def f():\n    yield from g()\n", 2, 5],
    ["def f(a, a): pass\n", 1, 10],
    ["def f():\n    x = 1\n    global x\n", 2, 5],
    ["def f():\n    nonlocal y\n", 2, 14],
    ["a, *b, *c = d\n", 1, 1],
    ["try: pass\nexcept: pass\nexcept A: pass\n", 2, 1],
    ["x = 1\nfrom __future__ import annotations\n", 2, 1],
    ["from __future__ import nothing\n", 1, 24],
    ["def f():\n    from os import *\n", 2, 5],
    ["f(a=1, a=2)\n", 1, 8],
    ["print 'x'\n", 1, 7],
    ["break # noqa\n", 1, 1],
    ["# ruff: noqa\nbreak\n", 2, 1],
    ["# flake8: NOQA\nbreak\n", 2, 1],
    ["# ruff: disable[F701]\nbreak\n", 2, 1],
    ["# ruff: file-ignore[F701]\nbreak\n", 2, 1],
  ])("E-09 refuses %j at line %i, column %i", async (text, line, column) => {
    const verdict = await judge(text);
    expect(verdict.state).toBe("invalid");
    expect(verdict.errors[0]).toMatchObject({ line, column });
    expect(verdict.errors[0]?.message).toMatch(/^\S.*\S$/);
  });

  it("E-09 mixed tabs are refused only where their width matters", async () => {
    const error = { line: 3, column: 1, code: "tab-error" };
    expect(await judge("if a:\n\tif b:\n        c\n")).toMatchObject({ errors: [error] });
    expect(await judge("if a:\n\tif b:\n\t    c\n\td\n")).toMatchObject({ state: "valid" });
    expect(await judge('if a:\n\tx = """\n        y"""\n\tz = (1,\n   2)\n')).toMatchObject({
      state: "valid",
    });
    expect(await judge("é = 1\nif a:\n\tb\n        # only a comment\n\tc\n")).toMatchObject({
      state: "valid",
    });
  });

  it("E-14 the coding line is read as Python reads it", async () => {
    const refused = (line: number, column: number) => ({
      state: "invalid",
      errors: [{ line, column, code: "coding" }],
    });
    expect(await judge("# -*- coding: nonsense -*-\n")).toMatchObject(refused(1, 15));
    expect(await judge("#!/bin/sh\n# vim: fileencoding=nonsense\n")).toMatchObject(refused(2, 21));
    expect(await judge("x = 1\n# coding: nonsense\n")).toMatchObject({ state: "valid" });
    for (const name of [
      "utf-8",
      "UTF8",
      "utf-8-sig",
      "latin-1",
      "iso-8859-15",
      "cp1252",
      "euc_jp",
      "koi8-r",
      "mac-roman",
      "ascii",
    ]) {
      expect(await judge(`# coding: ${name}\nx = 1\n`)).toMatchObject({ state: "valid" });
    }
  });

  it("E-14 bytes and coding line must agree", async () => {
    const latin1 = { encoding: "latin1" } as const;
    const german = (head: string) => `${head}\nx = 'Gr\xfc\xdfe'\n`;
    expect(await judge(german("# coding: latin-1"), latin1)).toMatchObject({ state: "valid" });
    expect(await judge(german("#"), latin1)).toMatchObject({ errors: [{ line: 2, column: 8 }] });
    expect(await judge(german("# coding: utf-8"), latin1)).toMatchObject({ state: "invalid" });
    expect(await judge(german("# coding: ascii"), { encoding: "utf-8" })).toMatchObject({
      state: "invalid",
    });
    expect(await judge("# coding: latin-1\n", { encoding: "utf-8", hasBom: true })).toMatchObject({
      state: "invalid",
    });
    expect(await judge("x = 1\n", { encoding: "utf-16le" })).toMatchObject({ state: "invalid" });
    // In this encoding the second byte of a character may look like a backslash before the quote.
    const japanese = Buffer.from([
      ...Buffer.from("# coding: shift_jis\nx = '"),
      0x95,
      0x5c,
      0x27,
      0x0a,
    ]);
    expect(await judge(japanese.toString("latin1"), latin1)).toMatchObject({ state: "valid" });
    expect(await judge(german("# coding: hz"), latin1)).toMatchObject({ state: "not-checked" });
  });

  it("E-09 at most 50 errors are told, in the order of the file", async () => {
    const { errors } = await judge("x = )\n".repeat(300));
    expect(errors).toHaveLength(50);
    expect(errors.map(({ line }) => line)).toEqual(
      errors.map(({ line }) => line).toSorted((a, b) => a - b),
    );
  });
});
