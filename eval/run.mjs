// `npm run eval [-- --attempts N --seed S --language L --sources FOLDER --json]`: installs the parser that
// serves as an oracle, then makes the attempts. `npm run eval -- profile [--write]` judges profiles instead,
// `npm run eval -- review [FILE]` brings labelled findings together,
// `npm run eval -- repositories DIR` those of public repositories, `npm run eval -- rules DIR` the static rules on their
// fixes and commits; `npm run eval -- tree --repo FOLDER` plays landed commits, `npm run eval -- mutants --repo FOLDER` breaks files,
// `npm run eval -- comments --repo FOLDER` reads comments.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installLocked } from "../scripts/setup/packages.mjs";
import { root } from "../scripts/setup/step.mjs";

await installLocked({ path: process.execPath, env: process.env }, resolve(root, "eval"), "oracles");
const [first, ...rest] = process.argv.slice(2);
const named = {
  profile: "profile.ts",
  repositories: "repositories.ts",
  rules: "rules.ts",
  tree: "tree.ts",
  mutants: "mutants.ts",
  comments: "comments.ts",
  review: "review/measure.ts",
};
const parts = Object.hasOwn(named, first)
  ? [`eval/${named[first]}`, ...rest]
  : ["eval/main.ts", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, parts, {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
