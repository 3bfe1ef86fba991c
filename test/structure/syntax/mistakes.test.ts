import { describe, expect, it } from "vitest";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();
const stateOf = async (text: string, path: string): Promise<string> =>
  (await analyser.syntax(text, path)).state;

describe("what grammars take although the languages do not", () => {
  it.each([
    ["A.java", "class A { public public void f() {} }\n"],
    ["A.java", "class A { static final static int a = 1; }\n"],
    ["A.java", "class A { void f() { extends; } }\n"],
    ["A.java", "class A {}\nextends;\n"],
    ["a.rs", "fn f(&self, &self) {}\n"],
    ["a.rs", "fn f(a: u8, u8) {}\n"],
    ["a.rs", "fn f() {\n g();\n else {\n }\n}\n"],
    ["a.rs", "fn f() {\n else;\n}\n"],
    ["a.cs", "class A { public public int F() { return 1; } }\n"],
    ["a.php", "<?php\nclass A { public public function f() {} }\n"],
    ["a.php", "<?php\nfunction f() { else; }\n"],
  ])("E-09 %s: %j is wrong", async (path, text) => {
    expect(await stateOf(text, path)).toBe("invalid");
  });

  it.each([
    ["A.java", "class A { @B @B public static final int a = 1; }\n"],
    ["A.java", "class A { int f(int a) { return switch (a) { case 1 -> a; default -> 2; }; } }\n"],
    ["A.java", "class A { void f() { g(); i++; new A(); a = 1; } }\n"],
    ["a.rs", "trait A { fn f(u8); fn g(&self, u8) {} }\n"],
    ["a.rs", "fn f(#[a] mut self, _: u8, (a, b): (u8, u8)) {}\n"],
    ["a.rs", "fn f() { loop { break; } return; }\n"],
    ["a.rs", "type F = fn(u8, &str);\nm! { else fn self }\n"],
    ["a.cs", "class A { public static readonly int F = 1; }\n"],
    ["a.php", "<?php\nclass A { public static function f() { FOO; } }\n"],
  ])("E-09 %s: %j is right", async (path, text) => {
    expect(await stateOf(text, path)).toBe("valid");
  });
});
