import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const keys = Array.from({ length: 10 }, (_, index) => `key${index}`);
const content = (value: number): string =>
  `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, value])), undefined, 2)}\n`;

it("E-17 a proposal of 1,000 files and 10,000 symbols gets a verdict, and a claim in it is found", async () => {
  const repo = makeRepository(temporaryFolder());
  mkdirSync(join(repo, "data"));
  const paths = Array.from({ length: 1000 }, (_, index) => `data/file${index}.json`);
  for (const path of paths) writeFileSync(join(repo, path), content(1));
  const shared = await sharedParsers();
  await using headgate = await openHeadgate({
    repo,
    actor: "user:ada",
    shared: async () => shared,
  });
  const writes = paths.map((path) => ({ path, after: content(2) }));
  expect(await headgate.gate.judge({ writes })).toMatchObject({ verdict: "allow", reasons: [] });
  const held = join(repo, "data/file777.json");
  await headgate.as("user:bob").claims.claim({ targets: [held] });
  const { verdict, reasons } = await headgate.gate.judge({ writes });
  expect(verdict).toBe("deny");
  expect(reasons.map(({ code }) => code)).toEqual(["CLAIM_CONFLICT"]);
  await headgate.as("user:bob").claims.release({ all: true });
  const admitted = await headgate.gate.admit({ writes });
  expect(admitted.verdict.verdict).toBe("allow");
  expect(admitted.claims).toHaveLength(1);
});
