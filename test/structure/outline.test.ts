import { describe, expect, it } from "vitest";
import { cpuMs } from "../helpers/cpu-time.ts";
import { outlined } from "./languages/outlined.ts";

describe("E-01 what belongs to a definition", () => {
  it.each([
    ["\n", "LF"],
    ["\r\n", "CRLF"],
    ["\r", "CR"],
  ])("E-01 comments directly above, with line ending %j", async (end) => {
    const lines = ["// About nothing.", "", "// One.", "// Two.", "function f() {}", "", ""];
    const { span, symbol } = await outlined("javascript", lines.join(end));
    expect(span("f")).toBe(["// One.", "// Two.", "function f() {}"].join(end));
    expect(symbol("f").doc).toBe("One.");
  });

  it("E-01 not a comment that speaks of the line it ends", async () => {
    const { span } = await outlined("javascript", "const a = 1; // of a\nfunction f() {}\n");
    expect(span("a")).toBe("const a = 1; // of a");
    expect(span("f")).toBe("function f() {}");
  });

  it("E-01 a comment between decorator and declaration", async () => {
    const text = "class A {\n  // a\n  @b()\n  // c\n  m() {}\n}\n";
    const { span } = await outlined("typescript", text);
    expect(span("A.m")).toBe("// a\n  @b()\n  // c\n  m() {}");
  });

  it("E-01 a block comment that ends on the line before, whatever its lines begin with", async () => {
    const text = "x();\n/* a\n b */\nfunction f() {}\n";
    const { span } = await outlined("javascript", text);
    expect(span("f")).toBe("/* a\n b */\nfunction f() {}");
  });

  it.each([
    ["typescript", "@a()\n// b\nclass A {\n  @c m = 1;\n}\n", "class A {\n  @c m = 1;\n}", "m = 1"],
    [
      "java",
      "@A(1) @B\npublic class A {\n  @C int m;\n}\n",
      "public class A {\n  @C int m;\n}",
      "int m;",
    ],
    [
      "php",
      "<?php\n#[A]\nclass A {\n  #[B] public $m;\n}\n",
      "class A {\n  #[B] public $m;\n}",
      "public $m;",
    ],
  ])(
    "E-01 the declaration itself begins behind decorators and attributes: %s",
    async (language, text, outer, inner) => {
      const { core, symbol } = await outlined(language, text);
      expect(core("A")).toBe(outer);
      expect(core(language === "php" ? "A.$m" : "A.m")).toBe(inner);
      expect(symbol("A").signature).toMatch(/^(public )?class A$/);
    },
  );

  it("E-01 neither a decorator nor a directive is a doc comment", async () => {
    const { symbol } = await outlined("typescript", 'class A { @b() m() { "use strict"; } }\n');
    expect(symbol("A.m").doc).toBeUndefined();
  });

  it("E-01 a path names one symbol of the file", async () => {
    const text = "class A { m() {} }\nA.prototype.m = function () {};\n";
    const { shape } = await outlined("javascript", text);
    expect(shape).toEqual(["class A", "method A.m", "method A.m~2"]);
  });

  it("E-01 characters of several units do not shift the spans", async () => {
    const text = "const a = '😀 ä';\n// ö 😀\nfunction grüße() { return '😀'; }\n";
    const { span, body } = await outlined("javascript", text);
    expect(span("grüße")).toBe("// ö 😀\nfunction grüße() { return '😀'; }");
    expect(body("grüße")).toBe("{ return '😀'; }");
  });

  it("E-01 a group of thousands of definitions costs no more than its size", async () => {
    const lines = Array.from({ length: 8000 }, (_, index) => `\tC${index}`);
    const text = `package a\n\nconst (\n\tC = iota\n${lines.join("\n")}\n)\n`;
    let count = 0;
    const work = async () => {
      count = (await outlined("go", text)).outline.symbols.length;
    };
    // Quadratic it took half a minute.
    expect(await cpuMs(work)).toBeLessThan(5000);
    expect(count).toBe(8001);
  });
});
