import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const source = `use std::{fmt, io::{self, Read as R}};
use crate::x::*;

/// A point.
#[derive(Debug)]
pub struct Point<T> { pub x: T, y: u8 }

impl<T> Point<T> {
    /// Makes one.
    #[must_use]
    pub fn new(x: T) -> Self { make(x) }
    const N: u8 = 1;
}

impl<T> fmt::Display for Point<T> {
    fn fmt(&self) { self.x.show() }
}

pub trait Shape: Clone + Copy { type Out; fn area(&self) -> u8; fn twice(&self) {} }
enum Kind { A, B(u8) }
mod inner { pub fn f() { fn g() {} } }
macro_rules! m { () => {} }
`;

describe("the structure of Rust", () => {
  it("E-01 shows types, impl blocks by trait and type, and members", async () => {
    const { shape, imports } = await outlined("rust", source);
    expect(shape).toEqual([
      "struct Point",
      "property Point.x",
      "property Point.y",
      "impl impl.Point",
      "method impl.Point.new",
      "constant impl.Point.N",
      "impl impl.Display.Point",
      "method impl.Display.Point.fmt",
      "trait Shape",
      "type Shape.Out",
      "method Shape.area",
      "method Shape.twice",
      "enum Kind",
      "constant Kind.A",
      "constant Kind.B",
      "module inner",
      "function inner.f",
      "function inner.f.g",
      "macro m",
    ]);
    expect(imports).toEqual(["std: fmt>fmt", "std::io: self>io Read>R", "crate::x: *>*"]);
  });

  it("E-01 spans hold doc comment and attributes, bodies hold the braces", async () => {
    const { span, body, symbol, references } = await outlined("rust", source);
    expect(span("Point")).toBe(
      "/// A point.\n#[derive(Debug)]\npub struct Point<T> { pub x: T, y: u8 }",
    );
    expect(span("impl.Point.new")).toBe(
      "/// Makes one.\n    #[must_use]\n    pub fn new(x: T) -> Self { make(x) }",
    );
    expect(body("impl.Point.new")).toBe("{ make(x) }");
    expect(symbol("impl.Point.new").signature).toBe("pub fn new(x: T) -> Self");
    expect(symbol("Point").decorators).toEqual(["derive(Debug)"]);
    expect(symbol("Shape").bases).toEqual(["Clone", "Copy"]);
    expect(symbol("Point.y").isPrivate).toBe(true);
    expect(references).toContain("call make @impl.Point.new");
    expect(references).toContain("member-call self.x.show @impl.Display.Point.fmt");
  });

  it("E-02 finds a function, a method, a type and a trait's implementation written twice", async () => {
    expect(await duplicatesIn("rust", "fn f() {}\nfn f(x: u8) {}\n")).toEqual(["symbol f 1,2"]);
    expect(await duplicatesIn("rust", "impl A {\n fn f() {}\n fn f() {}\n}\n")).toEqual([
      "symbol f 2,3",
    ]);
    expect(await duplicatesIn("rust", "struct A;\nenum A {}\n")).toEqual(["symbol A 1,2"]);
    expect(await duplicatesIn("rust", "impl T for A {}\nimpl T for A {}\n")).toEqual([
      "symbol A 1,2",
    ]);
    expect(
      await duplicatesIn("rust", "mod m {\n const C: u8 = 1;\n const C: u8 = 2;\n}\n"),
    ).toEqual(["symbol C 2,3"]);
  });

  it.each([
    ["cfg", "#[cfg(unix)]\nfn f() {}\n#[cfg(windows)]\n/// other\nfn f() {}\n"],
    ["cfg on a block", "#[cfg(unix)]\nimpl T for A {}\n#[cfg(windows)]\nimpl T for A {}\n"],
    ["two traits", "impl A for X { fn f() {} }\nimpl B for X { fn f() {} }\n"],
    ["trait arguments", "impl From<u8> for X {}\nimpl From<u16> for X {}\n"],
    ["type arguments", "impl X<u8> { fn f() {} }\nimpl X<u16> { fn f() {} }\n"],
    ["a type and a function", "struct a;\nfn a() {}\n"],
    ["names nobody uses", "const _: () = ();\nconst _: () = ();\n"],
    ["macros", "macro_rules! m { () => {} }\nmacro_rules! m { (x) => {} }\n"],
    ["blocks", "fn a() { fn x() {} }\nfn b() { { fn x() {} } fn x() {} }\n"],
  ])("E-02 lets legal twins pass: %s", async (_, text) => {
    expect(await duplicatesIn("rust", text)).toEqual([]);
  });
});
