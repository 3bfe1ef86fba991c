import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../src/index.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const cart = `package cart

func Price(item int) int {
	return item
}

func Total(items []int) int {
	sum := 0
	for _, one := range items {
		sum += Price(one)
	}
	return sum
}
`;
const main = `package main

import (
	"fmt"

	"example.com/shop/cart"
)

func main() {
	fmt.Println(cart.Total([]int{1}))
}
`;

const scene = async () => {
  const repo = makeRepository(temporaryFolder());
  put(join(repo, "go.mod"), "module example.com/shop\n\ngo 1.22\n");
  put(join(repo, "cart/cart.go"), cart);
  put(join(repo, "main.go"), main);
  const headgate = await openHeadgate({ repo, actor: "claude:one" });
  onTestFinished(() => headgate.close());
  const admit = async (path: string, after: string) => {
    const { verdict } = await headgate.gate.admit({ writes: [{ path, after }] });
    if (verdict.verdict === "allow") put(join(repo, path), after);
    const codes = [...verdict.reasons, ...verdict.notes].map(
      ({ code, missing }) => `${code} ${missing}`,
    );
    return { verdict: verdict.verdict, codes };
  };
  const open = async () => (await headgate.openEnds()).map(({ missing }) => missing);
  return { repo, admit, open };
};

it("E-23 Go: a call before its function is an open end, in its own package and in another", async () => {
  const { admit, open } = await scene();
  const called = main.replace("cart.Total([]int{1})", "applyDiscount(cart.Rebate(1))");
  expect(await admit("main.go", called)).toEqual({
    verdict: "allow",
    codes: ["CALL_UNKNOWN applyDiscount", "CALL_UNKNOWN cart.Rebate"],
  });
  expect(await open()).toEqual(["applyDiscount", "cart.Rebate"]);
  const test = `package cart

import "testing"

func TestVat(t *testing.T) {
	if VatAmount(100) != 19 {
		t.Fail()
	}
}
`;
  expect(await admit("cart/cart_test.go", test)).toMatchObject({
    codes: ["CALL_UNKNOWN VatAmount"],
  });
  const rest = "func Rebate(a int) int { return a }\n\nfunc VatAmount(a int) int { return a }\n";
  await admit("cart/more.go", `package cart\n\n${rest}`);
  expect(await open()).toEqual(["applyDiscount"]);
  await admit("main.go", `${called}\nfunc applyDiscount(a int) int {\n\treturn a\n}\n`);
  expect(await open()).toEqual([]);
  // Taken away while it is still called.
  expect(await admit("cart/cart.go", cart.replace("func Price", "func Cost"))).toMatchObject({
    verdict: "allow",
    codes: ["CALL_UNKNOWN Price", "SYMBOL_REMOVED undefined"],
  });
});

it("E-23 Go: a slip of a function is asked about once", async () => {
  const { admit } = await scene();
  const slip = `${cart}\nfunc F(x int) int {\n\treturn Prise(x)\n}\n`;
  expect(await admit("cart/cart.go", slip)).toMatchObject({ verdict: "deny" });
  expect(await admit("cart/cart.go", slip)).toMatchObject({ verdict: "allow" });
});

it.each([
  ["a variable", "\tf := func() {}\n\tf()\n"],
  ["a parameter", "\tfunc(g func()) { g() }(nil)\n"],
  ["a conversion", "\ttype T int\n\t_ = T(1)\n"],
  ["what Go has", "\tprintln(min(1, len([]int{})), string(rune(1)))\n"],
  ["a variable named as a package", "\tvar cart struct{ Fly func() }\n\tcart.Fly()\n"],
  ["a method of a value", "\tvar e error\n\te.Error()\n"],
])("E-17 Go: %s is no missing function", async (_, lines) => {
  const { admit } = await scene();
  const after = main.replace("\tfmt", `${lines}\tfmt`);
  expect(await admit("main.go", after)).toEqual({ verdict: "allow", codes: [] });
});

it.each([
  ["a generator", "cart/gen.go", "package cart\n\n//go:generate stringer -type=T\n"],
  ["C", "cart/c.go", 'package cart\n\nimport "C"\n'],
  ["a grammar", "cart/cart.proto", 'syntax = "proto3";\n'],
  ["what git ignores", ".gitignore", "*.pb.go\n"],
])("E-17 Go: %s may bring the function", async (_, path, text) => {
  const { admit, repo } = await scene();
  put(join(repo, path), text);
  const after = main.replace("cart.Total([]int{1})", "cart.Rebate(1)");
  expect(await admit("main.go", after)).toEqual({ verdict: "allow", codes: [] });
});
