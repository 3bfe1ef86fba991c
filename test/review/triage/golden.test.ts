import { describe, expect, it } from "vitest";
import { explainTriage, triage } from "../../../src/review/index.ts";
import { inputOf } from "./scenario.ts";

/** Realistic changes, the domains of their project, who must be asked and who must not. */
const scenarios: readonly (readonly [
  name: string,
  domains: Record<string, number>,
  asked: string,
  notAsked: string,
])[] = [
  [
    "sql-migration",
    { "web-api": 0.9 },
    "data-migration safety correctness",
    "game-design accessibility",
  ],
  [
    "ui-change",
    { "frontend-spa": 0.95 },
    "accessibility user-product",
    "data-migration dependency",
  ],
  ["dependency-bump", { "web-api": 0.9 }, "dependency safety", "accessibility game-design"],
  ["go-lock", {}, "concurrency correctness safety", "accessibility dependency data-migration"],
  [
    "public-api",
    { "library-sdk": 0.9 },
    "api-compatibility correctness safety",
    "game-design concurrency",
  ],
  [
    "game-balance",
    { "game-simulation": 0.9 },
    "game-design fd-game-systems",
    "accessibility dependency",
  ],
  [
    "docs-only",
    { "docs-site": 0.6 },
    "user-product fd-docs-truth",
    "safety concurrency performance",
  ],
  ["tests-only", {}, "tests correctness safety", "accessibility game-design dependency"],
  [
    "ci-file",
    { "devops-ci": 0.7 },
    "safety dependency fd-pipeline-trust",
    "accessibility game-design",
  ],
  ["secrets-handling", { "web-api": 0.9 }, "safety correctness", "game-design data-migration"],
  ["performance-loop", {}, "performance correctness safety", "accessibility dependency"],
  ["refactoring", {}, "architecture quality correctness safety tests", "game-design accessibility"],
  [
    "cli-flag",
    { "cli-tool": 0.95 },
    "user-product correctness safety",
    "game-design data-migration",
  ],
  [
    "terraform",
    { "infra-as-code": 0.9 },
    "safety fd-change-blast-radius",
    "accessibility game-design",
  ],
  ["one-line-fix", {}, "correctness safety", "dependency game-design data-migration"],
  ["firmware", { "embedded-systems": 0.9 }, "concurrency fd-interrupt-and-memory", "accessibility"],
  [
    "plan.md",
    { "mobile-app": 0.8 },
    "architecture user-product correctness",
    "dependency game-design",
  ],
];

describe("V-01 triage of realistic changes", () => {
  it.each(scenarios)("%s", async (name, domains, asked, notAsked) => {
    const result = triage(await inputOf(name, domains));
    const chosen = result.considered
      .filter(({ decision }) => decision.state === "chosen")
      .map(({ reviewer }) => reviewer);
    const told = Object.entries(domains).map(([domain, confidence]) => `${domain} ${confidence}`);
    const lines = [`${name}, domains: ${told.join(", ") || "none"}`, ...explainTriage(result)];
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
    expect(chosen).toEqual(expect.arrayContaining(asked.split(" ")));
    for (const one of notAsked.split(" ")) expect(chosen).not.toContain(one);
  });
});
