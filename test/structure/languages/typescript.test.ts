import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const service = `import { Injectable } from "@nestjs/common";

/** Lets people in. */
@Injectable()
export class AuthService extends Base<User> implements Guard, Door {
  private readonly users = new Map<string, User>(); // by name
  static #count = 0;

  constructor(private readonly db: Db) { super(); }

  /** First line.
   * Second line. */
  @Log("login")
  async login(name: string): Promise<User> {
    return this.find(name);
  }

  get size(): number { return 1; }
  set size(value: number) {}
  static of(): AuthService { return new AuthService(db); }
  handler = (event: Event) => { stop(event); };
  abstract open(): void;
}
`;

describe("E-01 the structure of TypeScript", () => {
  it("E-01 shows classes with their members, each with its kind", async () => {
    const { shape } = await outlined("typescript", service);
    expect(shape).toEqual([
      "class AuthService",
      "property AuthService.users",
      "property AuthService.#count",
      "constructor AuthService.constructor",
      "method AuthService.login",
      "getter AuthService.size",
      "setter AuthService.size~2",
      "method AuthService.of",
      "method AuthService.handler",
      "method AuthService.open",
    ]);
  });

  it("E-01 a span holds doc comment, decorators, export and the comment behind", async () => {
    const { span, body, symbol } = await outlined("typescript", service);
    expect(span("AuthService")).toBe(service.slice(service.indexOf("/** Lets"), -1));
    expect(span("AuthService.login")).toBe(
      service.slice(service.indexOf("/** First"), service.indexOf("\n\n  get size")),
    );
    expect(span("AuthService.users")).toBe(
      "private readonly users = new Map<string, User>(); // by name",
    );
    expect(body("AuthService.login")).toBe("{\n    return this.find(name);\n  }");
    expect(body("AuthService.handler")).toBe("{ stop(event); }");
    expect(symbol("AuthService.login")).toMatchObject({
      signature: "async login(name: string): Promise<User>",
      decorators: ['Log("login")'],
      doc: "First line.",
    });
    expect(symbol("AuthService")).toMatchObject({
      decorators: ["Injectable()"],
      bases: ["Base<User>", "Guard", "Door"],
      isExported: true,
    });
    expect(symbol("AuthService.users").isPrivate).toBe(true);
    expect(symbol("AuthService.#count").isPrivate).toBe(true);
  });

  it("E-01 the declaration itself is told from what stands above it", async () => {
    const { core } = await outlined("typescript", service);
    expect(core("AuthService")).toMatch(/^class AuthService/);
    expect(core("AuthService.login")).toMatch(/^async login[^]*}$/);
  });

  it("E-01 variables that hold functions or classes are functions and classes", async () => {
    const text = `export const f = async () => { return 1; };
const A = class B extends C { m() {} };
let one = 1, two = () => 2;
const View = memo(() => { return null; });
export const { left, at: [right = 3, ...rest] } = both;
export default { start() {}, stop: () => {}, size: 1 };
function outer() { const inner = () => { go(); }; const plain = 1; }
`;
    const { shape, span, core, body } = await outlined("typescript", text);
    expect(shape).toEqual([
      "function f",
      "class A",
      "method A.m",
      "variable one",
      "function two",
      "function View",
      "constant left",
      "constant right",
      "constant rest",
      "constant default",
      "method default.start",
      "method default.stop",
      "function outer",
      "function outer.inner",
    ]);
    expect(span("f")).toBe("export const f = async () => { return 1; };");
    expect(core("f")).toBe("const f = async () => { return 1; };");
    expect(body("f")).toBe("{ return 1; }");
    expect(span("two")).toMatch(/^two = \(\) => 2;?$/);
    expect(body("two")).toBeUndefined();
  });

  it("E-01 types, interfaces, enums, namespaces and declared modules", async () => {
    const text = `interface I extends J, K<T> { a: string; b(): void }
type X = { a: string };
enum E { A, B = 2, "C" }
namespace N.M { export const a = 1; }
declare module "pack" { export function g(): void; }
declare global { interface Window { a: 1 } }
declare function d(a: string): void;
`;
    const { shape, span, symbol } = await outlined("typescript", text);
    expect(shape).toEqual([
      "interface I",
      "property I.a",
      "method I.b",
      "type X",
      "property X.a",
      "enum E",
      "constant E.A",
      "constant E.B",
      "constant E.C",
      "namespace N.M",
      "constant N.M.a",
      "namespace pack",
      "function pack.g",
      "namespace global",
      "interface global.Window",
      "property global.Window.a",
      "function d",
    ]);
    expect(symbol("I").bases).toEqual(["J", "K<T>"]);
    expect(span("N.M")).toBe("namespace N.M { export const a = 1; }");
    expect(span("d")).toBe("declare function d(a: string): void;");
  });

  it.each([
    'const a = require("x");',
    'const a = require ("x");',
    'const a = __toESM(require("x"));',
    'const a = await import("x");',
    'const a = await import ("x");',
    'const a = await import/* so */("x");',
    'function later() { return import(\n"x"); }',
    'import a = require("x");',
  ])("E-01 finds a module that is loaded in a file without any other: %j", async (text) => {
    const { outline } = await outlined("typescript", `${text}\nexport const b = call(1);\n`);
    expect(outline.imports.map(({ from }) => from)).toEqual(["x"]);
  });

  it("E-01 every form of import", async () => {
    const text = `import def, { a as b, type C, "d-e" as f } from "x";
import * as ns from 'y';
import type { T } from "t";
import "bare";
import fs = require("fs");
const { p, q: r } = require("cjs");
const s = require("s").inner, u = await import("u");
require("effect");
export const kept = require("kept");
function later() { return import("late"); }
const routes = [() => import("route")];
`;
    const { imports, outline, shape } = await outlined("typescript", text);
    expect(imports.toSorted()).toEqual(
      [
        "x: default>def a>b C>C d-e>f",
        "y: *>ns",
        "t: T>T",
        "bare:",
        "fs: *>fs",
        "cjs: p>p q>r",
        "s: inner>s",
        "u: *>u",
        "effect:",
        "late:",
        "route:",
      ].toSorted(),
    );
    expect(outline.imports.find((one) => one.from === "t")?.isTypeOnly).toBe(true);
    expect(outline.imports.find((one) => one.from === "x")?.isTypeOnly).toBeUndefined();
    // What is in the middle of an expression is not among the file's own imports.
    expect(outline.imports.filter((one) => one.scope !== "").map((one) => one.from)).toEqual([
      "late",
      "route",
    ]);
    expect(shape).toEqual(["constant kept", "function later", "constant routes"]);
  });

  it("E-01 every form of export", async () => {
    const text = `export function a(x: string): void;
export function a(x: any) {}
export { b, c as d, e as default };
export { f as g } from "x";
export * from "y";
export * as h from "z";
export type { I } from "t";
function b() {} const c = 1, e = 2;
`;
    const { exports } = await outlined("typescript", text);
    expect(exports.toSorted()).toEqual(
      ["a", "a", "b", "d", "default", "g<x", "*<y", "h<z", "I<t"].toSorted(),
    );
    const named = await outlined(
      "typescript",
      "export default function run() {}\nexport { run };\n",
    );
    expect(named.exports).toEqual(["default", "run"]);
  });

  it("E-01 calls with what stands before the dot and who makes them", async () => {
    const text = `class A { m() { this.x(); super.y(); A.z(); a.b.c(); go<number>(); new B(); } }
tag\`x\`; list.map(() => f());
`;
    const { references } = await outlined("typescript", text);
    expect(references.toSorted()).toEqual(
      [
        "member-call this.x @A.m",
        "member-call super.y @A.m",
        "member-call A.z @A.m",
        "member-call a.b.c @A.m",
        "call go @A.m",
        "call B @A.m",
        "call tag @",
        "member-call list.map @",
        "call f @",
      ].toSorted(),
    );
  });

  it("E-01 a chain of calls does not repeat itself in each receiver", async () => {
    const text = `start()${".then((value) => value + value)".repeat(40)};\n`;
    const { outline } = await outlined("typescript", text);
    expect(outline.references).toHaveLength(41);
    expect(outline.references.every((one) => (one.receiver ?? "").length <= 80)).toBe(true);
  });

  it("E-01 stays sensible where the grammar does not know the syntax", async () => {
    const text = `interface V<in out T> { a: T }
export type * from "x";
type R = import('x').T<R>;
interface Call {
  (a: string): void
  (b: number): void
}
export class After<const T> { m() {} }
export function last() {}
`;
    const { shape, duplicates, exports } = await outlined("typescript", text);
    expect(shape).toEqual([
      "interface V",
      "property V.a",
      "type R",
      "interface Call",
      "class After",
      "method After.m",
      "function last",
    ]);
    expect(exports).toContain("*<x");
    expect(duplicates).toEqual([]);
  });

  it("E-01 knows files that make names at run time", async () => {
    expect((await outlined("typescript", "eval('x')")).outline.isDynamic).toBe(true);
    expect((await outlined("typescript", "new Proxy(a, b)")).outline.isDynamic).toBe(true);
    expect((await outlined("typescript", "evaluate('x')")).outline.isDynamic).toBe(false);
  });

  it("E-01 TSX: components are names, elements are not", async () => {
    const text = `export const Page = () => <Panel size={count()}><div/><Row.Cell/><Leaf/></Panel>;\n`;
    const { references, shape } = await outlined("tsx", text);
    expect(shape).toEqual(["function Page"]);
    expect(references.toSorted()).toEqual([
      "call count @Page",
      "name Leaf @Page",
      "name Panel @Page",
    ]);
  });
});

describe("E-02 what stands twice in TypeScript", () => {
  it.each([
    ["overloads of a function", "function f(a: string): void;\nfunction f(a: any) {}\n"],
    ["overloads of a method", "class A { m(a: string): void; m(a: any) {} }"],
    ["overloads of a constructor", "class A { constructor(a: string); constructor(a: any) {} }"],
    ["declared overloads", "declare function f(a: 1): void;\ndeclare function f(a: 2): void;\n"],
    ["a getter and a setter", "class A { get a() { return 1 } set a(v) {} }"],
    ["static and instance", "class A { static a() {} a() {} static b = 1; b = 2 }"],
    ["merged interfaces", "interface A { a: 1 }\ninterface A { b: 1 }\n"],
    ["an interface beside a class", "interface A { a: 1 }\nclass A {}\n"],
    ["a namespace beside a class", "class A {}\nnamespace A { export const b = 1 }\n"],
    ["a namespace beside a function", "function a() {}\nnamespace a { export const b = 1 }\n"],
    ["a namespace in two parts", "namespace A { class B {} }\nnamespace A { class B2 {} }\n"],
    ["an enum in two parts", "enum A { B }\nenum A { C = 1 }\n"],
    ["a type and a value of one name", "type A = 1;\nconst A = () => 1;\n"],
    [
      "abstract and concrete in two classes",
      "abstract class A { abstract m(): void }\nclass B { m() {} }\n",
    ],
    ["branches", "if (a) { function f() {} } else { function f() {} }"],
    ["switch cases", "switch (a) { case 1: function f() {} break; default: function f() {} }"],
    ["names known at run time only", "class A { [a()]() {} [a()]() {} }"],
    ["getter and setter of a literal", "const a = { get b() { return 1 }, set b(v) {} };"],
    ["equal keys in different literals", "const a = { b: 1, c: { b: 2 } }, d = { b: 3 };"],
    ["a prototype and a property of that name", "const a = { __proto__: b, ['__proto__']: c };"],
    [
      "imports of one module",
      'import { a } from "x";\nimport { b } from "x";\nimport x from "x";\n',
    ],
    ["tests of one name", 'it("a", () => {});\nit("a", () => {});\n'],
  ])("E-02 allows %s", async (_, text) => {
    expect(await duplicatesIn("typescript", text)).toEqual([]);
    expect(await duplicatesIn("tsx", text)).toEqual([]);
  });

  it.each([
    ["class A {\n m() {}\n m() {}\n}", "symbol m 2,3"],
    ["class A {\n static m() {}\n static m() {}\n}", "symbol m 2,3"],
    ["class A {\n get m() { return 1 }\n get m() { return 2 }\n}", "symbol m 2,3"],
    ["class A {\n a = 1;\n a() {}\n}", "symbol a 2,3"],
    ["class A {\n constructor() {}\n constructor(a) {}\n}", "symbol constructor 2,3"],
    [
      "class A {\n [Symbol.iterator]() {}\n [Symbol.iterator]() {}\n}",
      "symbol [Symbol.iterator] 2,3",
    ],
    ['class A {\n "a"() {}\n a() {}\n}', "symbol a 2,3"],
    ["class A {}\nexport class A {}", "symbol A 1,2"],
    ["function f() {}\nfunction f() {}", "symbol f 1,2"],
    ["function f() {}\nexport const f = () => {};", "symbol f 1,2"],
    ["function o() {\n function f() {}\n function f() {}\n}", "symbol f 2,3"],
    ["type A = 1;\ntype A = 2;", "symbol A 1,2"],
    ["interface A {\n a: 1;\n a: 2;\n}", "symbol a 2,3"],
    ["enum A {\n B,\n B,\n}", "symbol B 2,3"],
    ["namespace N {\n export class A {}\n export class A {}\n}", "symbol A 2,3"],
    ["const a = {\n b: 1,\n 'b': 2,\n};", "key b 2,3"],
    ["f({\n b: 1,\n b() {},\n});", "symbol b 2,3"],
    ["const a = {\n get b() { return 1 },\n b: 1,\n};", "key b 2,3"],
    ["const a = {\n __proto__: b,\n '__proto__': c,\n};", "key __proto__ 2,3"],
    ["const a = {\n 1: b,\n 0x1: c,\n};", "key 0x1 2,3"],
    ['import { a } from "x";\nimport { a } from "x";', "import a 1,2"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await duplicatesIn("typescript", text)).toEqual([found]);
    expect(await duplicatesIn("tsx", text)).toEqual([found]);
  });
});
