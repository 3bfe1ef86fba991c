/** The second half of the scene: what routing proposes and watches, and plans that agents carry out. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scene } from "./dashboard-scene.ts";

/** A proposal of an agent, one about a guarded reviewer, an override under watch, one that is blocked. */
export const playRouting = async (scene: Scene): Promise<void> => {
  const { run } = scene;
  const file = join(scene.root, "../evidence.jsonl");
  writeFileSync(file, evidence.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await run("ada", "routing", "evidence", "import", file);
  await applied(scene, "game-design", "exclude", "there is no game in a shop");
  await run("ada", "routing", "canary", "record", "game-design", "--clean", "9", "--loss", "0");
  await run("ada", "routing", "blacklist", "add", "api-compatibility", "--reason", "it was missed");
  await propose(scene, "claude:7d31", "accessibility");
  const floor = ["--action", "floor", "--floor", "P1", "--reason", "nits about test files"];
  await propose(scene, "codex:a90f", "safety", ...floor);
};

const propose = async (scene: Scene, actor: string, ...args: string[]): Promise<string> => {
  const { text } = await scene.run(actor, "routing", "propose", ...args, "--json");
  const id = /"id":\s*"(pr_\w+)"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`nothing was proposed: ${text}`);
  return id;
};

const applied = async (
  scene: Scene,
  reviewer: string,
  action: string,
  reason: string,
): Promise<void> => {
  const wish = [reviewer, "--action", action, "--reason", reason];
  const id = await propose(scene, "claude:e5c8", ...wish);
  await scene.run("ada", "routing", "approve", id);
  await scene.run("ada", "routing", "apply", id);
};

const dismissed = (reviewer: string, count: number, reason: string) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ reviewer, outcome: "dismissed", reason, severity: "P3" },
    ...{ session: `claude:s${n % 4}`, change: `change-${n % 6}`, path: `src/ui/cart${n}.tsx` },
  }));

const evidence = [
  ...dismissed("accessibility", 12, "wrong"),
  ...dismissed("game-design", 11, "not-applicable"),
  ...dismissed("performance", 4, "deprioritized"),
  ...Array.from({ length: 5 }, (_, n) => ({
    ...{ reviewer: "correctness", outcome: "accepted", severity: "P1" },
    ...{ session: `claude:s${n}`, change: `change-${n}` },
  })),
];

/** The agent of these plans: carries out the lines of its prompt that begin with RUN. */
export const scriptedAgent = ["sh", "-c", "script=$(sed -n 's/^RUN: //p'); eval \"$script\""];

/** One run that is done, one that waits for an answer, one at work; `slow` ends when the file is there. */
export const playRuns = async (scene: Scene): Promise<{ readonly finish: string }> => {
  const folder = join(scene.root, "..");
  const finish = join(folder, "finish");
  const start = (name: string) => [
    ...["run", "start", join(folder, name), "--yes", "--exec", ...scriptedAgent],
  ];
  writePlans(join(folder, "release-notes"), [
    plan("01", "Write them", [
      ["collect what changed", "docs/changes.md", "echo '- refunds' > docs/changes.md"],
      ["say it in one line", "docs/news.md", "echo 'Refunds.' > docs/news.md"],
    ]),
  ]);
  writePlans(join(folder, "currencies"), [
    plan("01", "Amounts have a currency", [
      [
        "a type for it",
        "src/currency.ts",
        "echo 'export type Currency = string;' > src/currency.ts",
      ],
      [
        "round by currency",
        "src/rounding.ts",
        "echo 'HEADGATE: fixed: a missing import in src/rounding.ts'; echo 'HEADGATE: needs-decision: Round yen to whole numbers, or refuse fractions?'",
      ],
    ]),
    plan("02", "Show it in the cart", [["the cart", "src/cart-currency.tsx", "true"]], ["01"]),
  ]);
  writePlans(join(folder, "rate-limits"), [
    plan("01", "Limit the API", [
      ["count requests", "src/limits/count.ts", `${makes("src/limits/count.ts")}`],
      [
        "refuse the rest",
        "src/limits/refuse.ts",
        `${says}; touch ../at-work; while [ ! -f ${finish} ]; do sleep 0.1; done; ${makes("src/limits/refuse.ts")}`,
      ],
    ]),
    plan("02", "Tell clients", [["a header", "src/limits/header.ts", "true"]], ["01"]),
  ]);
  await scene.run("ada", ...start("release-notes"));
  await scene.run("ada", ...start("currencies"));
  scene.go("ada", ...start("rate-limits"));
  for (let turn = 0; turn < 600 && !existsSync(join(folder, "at-work")); turn += 1) await sleep(50);
  return { finish };
};

const says = [
  "echo 'Reading src/limits/count.ts'",
  "echo 'The server counts per key; refusing belongs before the router.'",
  "echo 'Writing src/limits/refuse.ts'",
].join("; ");

const makes = (path: string): string =>
  `mkdir -p ${dirname(path)}; echo 'export const max = 100;' > ${path}`;

interface PlanText {
  readonly id: string;
  readonly text: string;
}

const plan = (
  id: string,
  title: string,
  tasks: readonly (readonly [name: string, file: string, run: string])[],
  after: readonly string[] = [],
): PlanText => ({
  id,
  text: [
    "---",
    `plan: "${id}"`,
    `depends_on: [${after.map((one) => `"${one}"`).join(", ")}]`,
    "---",
    `# ${title}`,
    "",
    ...tasks.flatMap(([name, file, run]) => [
      ...[`## Task: ${name}`, `- files: ${file}`, "- verify: `true`", "", `RUN: ${run}`, ""],
    ]),
  ].join("\n"),
});

const writePlans = (folder: string, plans: readonly PlanText[]): void => {
  mkdirSync(folder, { recursive: true });
  for (const { id, text } of plans) writeFileSync(join(folder, `${id}-PLAN.md`), text);
};
