import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const file = `// Package main says hello.
package main

import "fmt"

import (
	"os"
	y "gopkg.in/yaml.v3"
	. "math"
	_ "net/http/pprof"
	"example.org/mod/v2"
)

// T is a thing.
// It has two lines.
type T[K any] struct {
	A, B int \`json:"a"\`
	// C counts.
	C int // how many
	*Base
	pkg.Other
	_ int
}

type (
	// I can.
	I interface {
		M(a int) error
		fmt.Stringer
	}
	Alias = int
)

const (
	One = iota
	two
)

var left, right = 1, 2

// Run runs.
func Run[X any](a X) (int, error) {
	fmt.Println(a)
	t.inner.Go()
	help(a)
	return 1, nil
}

func (t *T[K]) M() { type local int }
func (T) n()       {}
`;

describe("E-01 the structure of Go", () => {
  it("E-01 shows types with fields and methods, functions, constants and variables", async () => {
    const { shape } = await outlined("go", file);
    expect(shape).toEqual([
      "struct T",
      "property T.A",
      "property T.B",
      "property T.C",
      "property T.Base",
      "property T.Other",
      "property T._",
      "interface I",
      "method I.M",
      "type Alias",
      "constant One",
      "constant two",
      "variable left",
      "variable right",
      "function Run",
      "method T.M",
      "type T.M.local",
      "method T.n",
    ]);
  });

  it("E-01 spans hold the doc comment and the comment behind", async () => {
    const { span, core, body, symbol } = await outlined("go", file);
    expect(span("T")).toBe(file.slice(file.indexOf("// T is"), file.indexOf("\n\ntype (")));
    expect(span("T.C")).toBe("// C counts.\n\tC int // how many");
    expect(core("T.C")).toBe("C int");
    expect(span("I")).toMatch(/^\/\/ I can\.\n\tI interface \{[^]*\t\}$/);
    expect(span("Run")).toMatch(/^\/\/ Run runs\.\nfunc Run[^]*\n\}$/);
    expect(body("Run")).toMatch(/^\{\n\tfmt[^]*nil\n\}$/);
    expect(symbol("Run")).toMatchObject({
      doc: "Run runs.",
      signature: "func Run[X any](a X) (int, error)",
      isExported: true,
    });
    expect(symbol("T.n")).toMatchObject({ isExported: false, isPrivate: true });
    expect(span("T.M")).toBe("func (t *T[K]) M() { type local int }");
  });

  it("E-01 imports, exports and calls", async () => {
    const { imports, exports, references } = await outlined("go", file);
    expect(imports.toSorted()).toEqual(
      [
        "fmt: >fmt",
        "os: >os",
        "gopkg.in/yaml.v3: >y",
        "math: *>*",
        "net/http/pprof:",
        "example.org/mod/v2: >mod",
      ].toSorted(),
    );
    expect(exports).toEqual(["T", "I", "Alias", "One", "Run", "M"]);
    expect(references).toEqual([
      "member-call fmt.Println @Run",
      "member-call t.inner.Go @Run",
      "call help @Run",
    ]);
  });
});

const go = (text: string): Promise<string[]> => duplicatesIn("go", `package a\n${text}`);

describe("E-02 what stands twice in Go", () => {
  it.each([
    ["init", "func init() {}\nfunc init() {}\n"],
    [
      "the blank name",
      "func _() {}\nfunc _() {}\nvar _ = 1\nvar _ = 2\ntype s struct { _ int; _ int }\n",
    ],
    ["methods of different types", "func (a A) M() {}\nfunc (b *B) M() {}\nfunc M() {}\n"],
    ["types of different blocks", "func f() { { type T int }; { type T int } }\n"],
    ["fields of different structs", "type A struct { X int }\ntype B struct { X int }\n"],
    ["one package under two names", 'import "x/y"\nimport z "x/y"\nimport _ "x/y"\n'],
  ])("E-02 allows %s", async (_, text) => {
    expect(await go(text)).toEqual([]);
  });

  it.each([
    ["func f() {}\nfunc f(a int) {}\n", "symbol f 2,3"],
    ["func (a A) M() {}\nfunc (b *A) M() {}\n", "symbol M 2,3"],
    ["func (a *A[K]) M() {}\nfunc (b *A[V]) M() {}\n", "symbol M 2,3"],
    ["type A int\nfunc A() {}\n", "symbol A 2,3"],
    ["const a = 1\nvar a = 2\n", "symbol a 2,3"],
    ["type A struct {\n X int\n X string\n}\n", "symbol X 3,4"],
    ["type A struct {\n B\n *p.B\n}\n", "symbol B 3,4"],
    ["type A interface {\n M()\n M()\n}\n", "symbol M 3,4"],
    ['import "fmt"\nimport (\n "fmt"\n)\n', "import fmt 2,4"],
    ['import _ "x/y"\nimport _ "x/y"\n', "import x/y 2,3"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await go(text)).toEqual([found]);
  });
});
