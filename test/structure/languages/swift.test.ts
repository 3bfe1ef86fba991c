import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 Swift: types, extensions, members, imports", async () => {
  const { outline, shape, span, body, symbol, imports } = await outlined(
    "swift",
    `import Foundation

/// Lets people in.
@objc public class Door: Base, Thing {
  var size: Int = 1
  init(a: Int) {}
  private func open(_ a: Int) -> Int { return 1 }
  subscript(i: Int) -> Int { return 1 }
  var twice: Int { get { 1 } }
}
struct Point { let x = 1 }
enum Colour { case red, green(Int) }
extension Door: Other { func shut() {} }
protocol Shape {
  func area()
  var t: Int { get }
}
let top = 1
func go() {}
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "class Door",
    "property Door.size",
    "constructor Door.init",
    "method Door.open",
    "method Door.subscript",
    "property Door.twice",
    "struct Point",
    "property Point.x",
    "enum Colour",
    "constant Colour.red",
    "constant Colour.green",
    "impl extension.Door",
    "method extension.Door.shut",
    "interface Shape",
    "method Shape.area",
    "property Shape.t",
    "constant top",
    "function go",
  ]);
  expect(span("Door.open")).toBe("private func open(_ a: Int) -> Int { return 1 }");
  expect(body("Door.open")).toBe("{ return 1 }");
  expect(span("Door")).toMatch(/^\/\/\/ Lets people in\.\n@objc public class/);
  expect(symbol("Door")).toMatchObject({ isExported: true, bases: ["Base", "Thing"] });
  expect(imports).toEqual(["Foundation: *>*"]);
});
