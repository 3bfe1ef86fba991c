import { describe, expect, it } from "vitest";
import { judgeSyntax } from "../../../src/structure/syntax/index.ts";
import { languageOf } from "../../../src/structure/index.ts";

const judge = (path: string, text: string) =>
  judgeSyntax({ language: languageOf(path), path, text }, async () => []);

describe("the syntax of JavaScript and TypeScript", () => {
  it.each([
    ["a.js", ""],
    ["a.js", "#!/usr/bin/env node\nimport a from 'b';\nawait a();\n"],
    ["a.js", "with (a) { b }"],
    ["a.js", "return 1;"],
    ["a.js", "var await = 1;"],
    ["a.js", "<!-- old\nvar x = 010; delete x;"],
    ["a.js", "const x = <div a={1}>{b}</div>;"],
    ["a.js", "if (a) { x = b / c / d; y = /[/]\\/(?<n>x)\\k<n>/u; }"],
    ["a.cjs", "return require('x');"],
    ["a.mjs", "export default await x;"],
    ["a.jsx", "export const A = () => <><B.C {...d} /></>;"],
    ["a.ts", "const x = <T>y; let z = a as const satisfies B;"],
    [
      "a.ts",
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {}",
    ],
    ["a.ts", "interface A {} interface A {} namespace B {} class B {} enum C { a = 1, 'b-c' }"],
    [
      "a.ts",
      "abstract class A<in out T> { declare x: T; constructor(private y = 1) { super(); } }".replace(
        "super();",
        "",
      ),
    ],
    ["a.ts", "type A = `a${string}`; type B<T> = T extends (infer U extends A)[] ? U : never;"],
    ["a.ts", "import type { A } from './a'; export type * as B from 'b'; using c = d();"],
    ["a.ts", "@dec() class A { @dec accessor x = 1; static { this.x; } #y?: 1; }"],
    [
      "a.d.ts",
      "declare module 'x' { export = y; }\ndeclare const z: number;\nexport function f(): void;",
    ],
    ["a.d.mts", "export declare const z: unique symbol;"],
    ["a.cts", "import a = require('a');\nexport = a;"],
    ["a.tsx", "const f = <T,>(x: T) => <A<T> b={x as T} />;"],
    ["App.vue", "const x: number = 1;"],
  ])("E-09 accepts %s: %j", async (path, text) => {
    const language = path === "App.vue" ? "typescript" : languageOf(path);
    const verdict = await judgeSyntax({ language, path, text }, async () => []);
    expect(verdict).toMatchObject({ state: "valid", errors: [] });
  });

  it.each([
    ["a.js", "function f( {\n", 2, 1],
    ["a.js", "'😀'; )", 1, 7],
    ["a.js", "let a;\r\nlet a;", 1, 5],
    ["a.js", "const a;", 1, 7],
    ["a.js", "x = 1\n}\n", 2, 1],
    ["a.js", "break;", 1, 1],
    ["a.js", "export { y };", 1, 10],
    ["a.js", "var x: number;", 1, 6],
    ["a.js", "function f() { await x; }", 1, 16],
    ["a.js", "x =\n  /(a/;", 2, 3],
    ["a.js", "x.replace(/a)/g, '')", 1, 11],
    ["a.mjs", "with (a) {}", 1, 1],
    ["a.mjs", "return 1;", 1, 1],
    ["a.cjs", "import a from 'b';", 1, 1],
    ["a.ts", "return 1;", 1, 1],
    ["a.ts", "let x: = 1;", 1, 8],
    ["a.ts", "enum A { a = }", 1, 14],
    ["a.ts", "const x = <div/>;", 1, 15],
    ["a.ts", "class A { constructor() {} constructor() {} }", 1, 11],
    ["a.tsx", "const a = <b></c>;", 1, 16],
    ["a.d.ts", "export function f(: void;", 1, 19],
  ])("E-09 refuses %s: %j at line %i, column %i", async (path, text, line, column) => {
    const verdict = await judge(path, text);
    expect(verdict.state).toBe("invalid");
    expect(verdict.errors[0]).toMatchObject({ line, column });
    expect(verdict.errors[0]?.message).toMatch(/^\S.*\S$/);
  });

  it("E-09 regular expressions that only newer engines read are left alone", async () => {
    expect(await judge("a.js", "x = /(?i:a)|(?<n>b)|(?<n>c)|[a&&b]/v;")).toMatchObject({
      state: "valid",
    });
  });

  it("E-09 a file in Flow is not checked, one that only mentions it is", async () => {
    expect(await judge("a.js", "/** @flow strict */\nvar x: number;")).toMatchObject({
      state: "not-checked",
    });
    expect(await judge("a.js", "var x: number; // @flow")).toMatchObject({ state: "invalid" });
    expect(await judge("a.js", "// @flow\nvar x;")).toMatchObject({ state: "valid" });
  });

  it("E-09 of the ways to read a file the one with fewest errors is told", async () => {
    const { errors } = await judge(
      "a.js",
      "with (a) {}\nwith (b) {}\nvar x = 010;\nlet y; let y;\n",
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ line: 4 });
  });
});
