import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSbom } from "../scripts/sbom.mjs";

const root = resolve(import.meta.dirname, "..");
const read = (name: string): Buffer => readFileSync(resolve(root, name));

interface Grammar {
  readonly grammar: string;
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
  readonly bytes: number;
}
const grammars = JSON.parse(read("grammars/grammars.json").toString("utf8")) as Grammar[];

describe("what the package is made of", () => {
  it("every grammar is the one that was recorded, and none is there besides", () => {
    const there = readdirSync(resolve(root, "grammars")).filter((name) => name.endsWith(".wasm"));
    expect(there.toSorted()).toEqual(grammars.map((one) => `${one.grammar}.wasm`).toSorted());
    for (const { grammar, sha256, bytes } of grammars) {
      const content = read(`grammars/${grammar}.wasm`);
      expect([grammar, content.length], grammar).toEqual([grammar, bytes]);
      expect(createHash("sha256").update(content).digest("hex"), grammar).toBe(sha256);
    }
  });

  it("the licence of every grammar's package is there", () => {
    const texts = read("grammars/LICENSES.txt").toString("utf8");
    for (const one of grammars) expect(texts).toContain(`${one.package} ${one.version} (`);
    expect(texts).not.toContain("holds no licence text");
  });

  it("the list of parts names every package that is installed or inside a bundle, and every grammar", () => {
    const { components } = makeSbom(root);
    const names = new Set(components.map((one) => one.name));
    const { dependencies } = JSON.parse(read("package.json").toString("utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) expect(names).toContain(name);
    for (const file of ["scripts/bundle.mjs", "scripts/bundle-dashboard.mjs"]) {
      const text = read(file).toString("utf8");
      const list = /const bundled = \[([^\]]*)\]|licences\(\[([^\]]*)\]\)/.exec(text);
      const inside = [...(list?.[1] ?? list?.[2] ?? "").matchAll(/"([^"]+)"/g)].map(
        ([, one]) => one,
      );
      expect(inside.length).toBeGreaterThan(1);
      for (const name of inside) expect(names, file).toContain(name);
    }
    expect(components.filter((one) => one["bom-ref"].startsWith("grammar:"))).toHaveLength(
      grammars.length,
    );
    for (const one of components) expect(one.licenses, one.name).toHaveLength(1);
    expect(JSON.stringify(components)).not.toMatch(/https?:/);
  });
});
