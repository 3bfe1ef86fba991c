import { describe, expect, it } from "vitest";
import { judge, treeOf, type Verdict } from "../../src/gate/index.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const python = { kernelspec: { language: "python", name: "python3" } };
const cell = (source: string, id?: string) => ({
  cell_type: "code",
  ...(id !== undefined && { id }),
  metadata: {},
  execution_count: 1,
  outputs: [{ output_type: "stream", text: ["def broken(:\n"] }],
  source: source.match(/[^\n]*\n|[^\n]+$/g) ?? [],
});
const notebook = (cells: readonly object[], metadata: object = python): string =>
  JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1);

const ask = async (after: string, before?: string): Promise<Verdict> => {
  const { analyser } = await sharedParsers();
  const tree = treeOf(before === undefined ? {} : { "n.ipynb": before });
  return judge({ writes: [{ path: "n.ipynb", after }] }, { analyser, tree, policy: {} });
};
const codes = ({ reasons }: Verdict) => reasons.map(({ code }) => code);

describe("E-27 notebooks", () => {
  it("E-27 a cell is judged as code, and the message names it", async () => {
    const good = notebook([{ cell_type: "markdown", source: ["# (((\n"] }, cell("x = 1\n", "c1")]);
    expect(await ask(good)).toMatchObject({ verdict: "allow", reasons: [], notes: [] });
    const broken = notebook([cell("y = 2\n", "a"), cell("x = 1\ndef f(:\n    pass\n", "c1")]);
    const verdict = await ask(broken, good);
    expect(codes(verdict)).toContain("SYNTAX_ERROR");
    expect(verdict.reasons[0]?.message).toMatch(/^cell 2 \(c1\), line 2: .*line 2, column/);
    expect(verdict.files).toMatchObject([
      { language: "python", coverage: { syntax: { state: "live" } } },
    ]);
  });

  it("E-27 what was broken before, and outputs, are not held against the edit", async () => {
    const broken = cell("def f(:\n", "c1");
    const after = notebook([broken, cell("x = 1\n", "c2")]);
    expect(await ask(after, notebook([broken]))).toMatchObject({ verdict: "allow", reasons: [] });
  });

  it("E-27 a definition twice in one cell is refused, in two cells it is how notebooks work", async () => {
    const f = "def f():\n    return 1\n";
    expect(codes(await ask(notebook([cell(`${f}\n${f}`)])))).toEqual(["DUPLICATE_SYMBOL"]);
    expect(codes(await ask(notebook([cell(f), cell(f), cell(`${f}f()\n`)])))).toEqual([]);
    expect(codes(await ask(notebook([cell("# ... existing code ...\n")])))).toEqual([
      "LAZY_PLACEHOLDER",
    ]);
  });

  it.each([
    "%matplotlib inline\nimport os\n",
    "!pip install numpy\nx = 1\n",
    "!show --dir '{path}' \\\n      --all \\\n  --tag serve\nx = 1\n",
    "files = !ls -la\nprint(files)\n",
    "r = %timeit -o sum(range(3))\n",
    "len?\n",
    "?len\nstr.join??\n",
    "for x in y:\n    %time run(x)\n",
    "if True:\n    !ls\n",
    "pip install pandas\n",
    "%%bash\nif [ -e x ]; then\n  echo hi\nfi\n",
    "%%time\nx = 1\n",
    "await fetch()\nasync with a as b:\n    pass\n",
    "x = (a\n  % b)\n",
    's = """\n%d of %d\n"""\n',
    "display(x);\n",
  ])("E-27 what IPython takes is no error: %j", async (source) => {
    expect(await ask(notebook([cell(source)]))).toMatchObject({ verdict: "allow", reasons: [] });
  });

  it("E-27 a magic does not excuse the rest of its cell", async () => {
    expect(codes(await ask(notebook([cell("%time x\nprint((1)\n")])))).toEqual(["SYNTAX_ERROR"]);
    expect(codes(await ask(notebook([cell("%%time\nx = = 1\n")])))).toEqual(["SYNTAX_ERROR"]);
    const goesOn = "!ls \\\n  -la\n  x = 1\n";
    expect(codes(await ask(notebook([cell(goesOn)])))).toEqual(["SYNTAX_ERROR"]);
  });

  it("E-27 a notebook that is no JSON any more is refused", async () => {
    const good = notebook([cell("x = 1\n")]);
    const verdict = await ask(good.slice(0, -20), good);
    expect(codes(verdict)).toContain("SYNTAX_ERROR");
    expect(await ask("", good)).toMatchObject({ verdict: "allow" });
  });

  it("E-27 cells are in the language of the kernel, where that runs whole texts", async () => {
    const typed = { kernelspec: { language: "typescript" } };
    expect(codes(await ask(notebook([cell("let x: = 1;\n")], typed)))).toEqual(["SYNTAX_ERROR"]);
    const other = { kernelspec: { language: "R" } };
    expect(codes(await ask(notebook([cell("x <- c(1,\n")], other)))).toEqual([]);
  });
});
