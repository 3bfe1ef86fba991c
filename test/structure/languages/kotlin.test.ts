import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 Kotlin: classes with members, functions, imports", async () => {
  const { outline, shape, span, symbol, imports, duplicates } = await outlined(
    "kotlin",
    `package a.b

import x.y.Z as Q
import x.*

/** Lets people in. */
@Service
class Door(val x: Int) : Base(), Thing {
    constructor(a: String) : this(1)
    private val size: Int = 1
    fun open(a: Int): Int { return 1 }
    companion object {
        const val MAX = 1
    }
}

interface Shape {
    fun area()
}
enum class Colour {
    RED,
    GREEN;
    fun z() {}
}
typealias T = Int
fun String.ext(a: Int) = 1
fun String.ext() = 1
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "class Door",
    "constructor Door.constructor",
    "property Door.size",
    "method Door.open",
    "class Door.object",
    "constant Door.object.MAX",
    "interface Shape",
    "method Shape.area",
    "enum Colour",
    "constant Colour.RED",
    "constant Colour.GREEN",
    "method Colour.z",
    "type T",
    "function ext",
    "function ext~2",
  ]);
  expect(span("Door.open")).toBe("fun open(a: Int): Int { return 1 }");
  expect(span("Door")).toMatch(/^\/\*\* Lets people in\. \*\/\n@Service\nclass [^]*\n\}$/);
  expect(symbol("Door")).toMatchObject({ decorators: ["Service"], bases: ["Base()", "Thing"] });
  expect(symbol("Door.size").isPrivate).toBe(true);
  expect(imports).toEqual(["x.y: Z>Q", "x: *>*"]);
  expect(duplicates).toEqual([]);
});
