import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

describe("E-01 the structure of JavaScript", () => {
  it("E-01 shows functions, classes and what is hung on other objects", async () => {
    const text = `"use strict";
const fs = require("fs");
// Says hello.
function* hello() {}
class A extends B { static #a = 1; static async m() {} x; get y() { return 1; } }
A.prototype.later = function () { this.m(); };
A.make = () => new A();
exports.run = function () {};
exports.size = 1;
module.exports = { hello, other: hello, go() {} };
`;
    const { shape, exports, imports, span, symbol } = await outlined("javascript", text);
    expect(shape).toEqual([
      "function hello",
      "class A",
      "property A.#a",
      "method A.m",
      "property A.x",
      "getter A.y",
      "method A.later",
      "function A.make",
      "function run",
      "method go",
    ]);
    expect(exports.toSorted()).toEqual(["go", "hello", "other", "run", "size"]);
    expect(imports).toEqual(["fs: *>fs"]);
    expect(span("hello")).toBe("// Says hello.\nfunction* hello() {}");
    expect(span("A.later")).toBe("A.prototype.later = function () { this.m(); };");
    expect(symbol("A").bases).toEqual(["B"]);
  });

  it("E-01 decorators belong to the class and its members", async () => {
    const text = "@a class Y {\n  @b() m() {}\n}\n@c export class Z {}\nexport @d class W {}\n";
    const { span, symbol } = await outlined("javascript", text);
    expect(span("Y.m")).toBe("@b() m() {}");
    expect(span("Z")).toBe("@c export class Z {}");
    expect(["Y", "Y.m", "Z", "W"].map((path) => symbol(path).decorators)).toEqual([
      ["a"],
      ["b()"],
      ["c"],
      ["d"],
    ]);
  });

  it("E-01 a default export without a name is called default", async () => {
    const arrow = await outlined("javascript", "export default () => { go(); };\n");
    expect(arrow.shape).toEqual(["function default"]);
    expect(arrow.exports).toEqual(["default"]);
    const klass = await outlined("javascript", "export default class { m() {} }\n");
    expect(klass.shape).toEqual(["class default", "method default.m"]);
    const name = await outlined("javascript", "export default thing;\n");
    expect(name.shape).toEqual([]);
    expect(name.exports).toEqual(["default"]);
  });

  it("E-01 reads JSX", async () => {
    const { shape, references } = await outlined(
      "javascript",
      "export function App() { return <List each={items()}><li/></List>; }\n",
    );
    expect(shape).toEqual(["function App"]);
    expect(references.toSorted()).toEqual(["call items @App", "name List @App"]);
  });
});

describe("E-02 what stands twice in JavaScript", () => {
  it.each([
    ["a getter and a setter", "class A { get a() { return 1 } set a(v) {} }"],
    ["static and instance", "class A { static a() {} a() {} }"],
    ["the same name in two classes", "class A { m() {} }\nclass B { m() {} }\n"],
    ["branches without braces", "if (a) var f = function () {}; else var f = function () {};"],
    ["exports set twice to values", "exports.a = void 0;\nexports.a = b;\n"],
    ["a function and its export", "function a() {}\nexports.a = function () {};\n"],
    ["a static and an own function", "A.m = function () {};\nA.prototype.m = function () {};\n"],
    ["destructuring", "({ a, a: b } = c);\nfunction f({ a, a: b }) {}\n"],
  ])("E-02 allows %s", async (_, text) => {
    expect(await duplicatesIn("javascript", text)).toEqual([]);
  });

  it.each([
    ["class A {\n m() {}\n async m() {}\n}", "symbol m 2,3"],
    ["function f() {}\nvar f = function () {};", "symbol f 1,2"],
    ["A.prototype.m = function () {};\nA.prototype.m = () => {};", "symbol m 1,2"],
    ["exports.f = function () {};\nexports.f = () => {};", "symbol f 1,2"],
    ["module.exports = {\n a() {},\n a() {},\n};", "symbol a 2,3"],
    ["const a = { b: {\n c: 1,\n c: 2 } };", "key c 2,3"],
    ['const a = require("a");\nconst a = require("a");', "import a 1,2"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await duplicatesIn("javascript", text)).toEqual([found]);
  });
});
