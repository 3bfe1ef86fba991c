// Makes attempts on real sources, has them judged by the gate and, independently, by the languages' own
// parsers, and says how often the gate was wrong. Run by eval/run.mjs (`npm run eval`).
import { parseArgs } from "node:util";
import { evaluate } from "./evaluate.ts";
import { printResult, saveResult } from "./report.ts";
import { languages } from "./sources.ts";

const { values } = parseArgs({
  options: {
    attempts: { type: "string", default: "10000" },
    seed: { type: "string", default: "headgate" },
    language: { type: "string", multiple: true },
    sources: { type: "string", multiple: true, default: [] },
    kind: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
    keep: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const wanted = values.language ?? languages;
const unknown = wanted.filter((name) => !languages.includes(name));
const attempts = Number(values.attempts);
if (unknown.length > 0 || !Number.isInteger(attempts) || attempts < 1) {
  console.error(`use: --attempts N, --language ${languages.join("|")}`);
  process.exitCode = 2;
} else {
  const result = await evaluate({
    attempts,
    seed: values.seed,
    languages: wanted,
    isEveryLanguage: values.language === undefined,
    sources: values.sources,
    ...(values.kind && { groups: values.kind }),
    say: values.json ? () => undefined : (line) => console.error(line),
  });
  if (values.json) console.log(JSON.stringify(result, undefined, 2));
  else printResult(result);
  if (values.keep) saveResult(result);
  process.exitCode = result.targets.every(({ isMet }) => isMet) ? 0 : 1;
}
