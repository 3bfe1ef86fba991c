import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Language, type Node, Parser } from "web-tree-sitter";
import { describe, expect, it } from "vitest";
import { scan } from "../../src/structure/index.ts";

const root = join(import.meta.dirname, "../..");
const shown = (text: string, language: string) => {
  const { strings, comments, lines } = scan(text, language);
  return {
    strings: strings.map(({ from, to }) => text.slice(from, to)),
    comments: comments.map(({ from, to }) => text.slice(from, to)),
    begins: lines.map(({ begins }) => begins[0]).join(""),
  };
};

/** Whether the row begins in a comment or a template; code inside a template is code again. */
const isInside = (rootNode: Node, row: number): boolean => {
  let node: Node | null = rootNode.descendantForPosition({ row, column: 0 });
  for (; node; node = node.parent) {
    if (node.startPosition.row === row) continue;
    if (node.type === "template_substitution") return false;
    if (node.type === "template_string" || node.type === "comment") return true;
  }
  return false;
};

describe("E-03 strings and comments, by a scanner of our own", () => {
  it.each([
    ["python", "x = f\"{a['b']:'>{w}}\" # c", ["f\"{a['b']:'>{w}}\""], ["# c"]],
    ["python", "r'\\' + x'", ["r'\\' + x'"], []],
    ["python", "rb'''a\n'''", ["rb'''a\n'''"], []],
    ["typescript", "a / b / `x${`y${1}`}` // c", ["`x${`y${1}`}`"], ["// c"]],
    ["typescript", 'x = /["\'`]/g; "a"', ["/[\"'`]/", '"a"'], []],
    [
      "rust",
      "fn f<'a>(x: &'a str) { r#\"a\"b\"# '\"' /* /* */ */ }",
      ['r#"a"b"#', "'\"'"],
      ["/* /* */ */"],
    ],
    ["csharp", '@"a""b\\" + """x"y"""', ['@"a""b\\"', '"""x"y"""'], []],
    ["cpp", "R\"x(a)\" b)x\" 1'000 'c'", ['R"x(a)" b)x"', "'c'"], []],
    ["go", '`a\n"b` // c', ['`a\n"b`'], ["// c"]],
    ["ruby", "a = %w[x [y] z] + \"#{b['c']}\" # d", ["%w[x [y] z]", "\"#{b['c']}\""], ["# d"]],
    ["php", "#[A]\n$x = 'a\\'b'; # c", ["'a\\'b'"], ["# c"]],
    ["lua", "[==[ a ]] ]==] --[[ x ]] -- y", ["[==[ a ]] ]==]"], ["--[[ x ]]", "-- y"]],
  ])("E-03 %s: %j", (language, text, strings, comments) => {
    expect(shown(text, language)).toMatchObject({ strings, comments });
  });

  it("E-03 heredocs begin on the next line and end with their mark", () => {
    expect(shown("f(<<~A, <<-'B')\n  a\n  A\n b\nB\nx\n", "ruby").begins).toBe("csssscc");
    expect(shown("$x = <<<EOT\n a\n EOT . 'x';\ny();\n", "php").begins).toBe("csscc");
    expect(shown("cat <<-EOF\na\n\tEOF\nls\n", "bash").begins).toBe("csscc");
  });

  it("E-03 agrees with the grammar about every line of this project's own source", async () => {
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(readFileSync(join(root, "grammars/typescript.wasm"))));
    let count = 0;
    for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const text = readFileSync(join(root, "src", name), "utf8");
      const tree = parser.parse(text)!;
      const lines = scan(text, "typescript").lines;
      const wrong = lines.flatMap(({ begins }, row) =>
        (begins !== "code") === isInside(tree.rootNode, row) ? [] : [row + 1],
      );
      expect(wrong, name).toEqual([]);
      count += lines.length;
      tree.delete();
    }
    parser.delete();
    expect(count).toBeGreaterThan(10_000);
  });
});
