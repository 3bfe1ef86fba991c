import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 Scala: classes, objects, traits, members, imports", async () => {
  const { outline, shape, span, symbol, imports } = await outlined(
    "scala",
    `package a.b
import x.y.{Z => Q, W}
import x._
import a.b.C

/** Lets people in. */
@service
case class Door(x: Int) extends Base with Thing {
  def open(a: Int): Int = 1
  private val size = 1
  type T = Int
}
object Door { def apply() = 1 }
trait Shape { def area: Int }
enum Colour { case Red, Green }
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "class Door",
    "method Door.open",
    "property Door.size",
    "type Door.T",
    "class Door~2",
    "method Door~2.apply",
    "trait Shape",
    "method Shape.area",
    "enum Colour",
    "constant Colour.Red",
    "constant Colour.Green",
  ]);
  expect(span("Door.open")).toBe("def open(a: Int): Int = 1");
  expect(span("Door")).toMatch(/^\/\*\* Lets people in\. \*\/\n@service\ncase class/);
  expect(symbol("Door").bases).toEqual(["Base", "Thing"]);
  expect(symbol("Door.size").isPrivate).toBe(true);
  expect(imports).toEqual(["x.y: Z>Q W>W", "x: *>*", "a.b: C>C"]);
});
