import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Declared names: what a reader would take for a word of ours. */
const declared = /\b(?:const|let|function|class|interface|type|readonly)\s+([A-Za-z_]\w*)/g;

it("no name uses a word that docs/glossary.md keeps out", () => {
  // `release` ends in "lease" and is ours. A run keeps records of its agents, which are no actors.
  const everywhere = /(?:^|[a-z_])Lease|^lease|[sS]essionToken|[rR]eservation/;
  const ofClaims = /[aA]gentRecord/;
  const files = globSync("src/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    [...readFileSync(resolve(root, file), "utf8").matchAll(declared)]
      .map(([, name = ""]) => name)
      .filter((name) => {
        const isOfClaims = /^src[\\/](?:claims|store|gate|edit|surfaces)/.test(file);
        return everywhere.test(name) || (isOfClaims && ofClaims.test(name));
      })
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
