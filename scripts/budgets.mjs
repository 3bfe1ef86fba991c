// `npm run budgets`: lowers the numbers of test/architecture/budgets.json to what the tree has now. A number that
// rose is refused and listed; `--accept` writes it all the same, for the commit that merges several branches.
import { relative } from "node:path";
import { budgetsPath, compareBudgets, writeBudgets } from "../test/architecture/budgets.ts";
import { root } from "./setup/step.mjs";

const args = process.argv.slice(2);
const unknown = args.filter((word) => word !== "--accept");
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(" ")}; usage: npm run budgets [-- --accept]`);
  process.exitCode = 2;
} else {
  const { now, higher, lower } = compareBudgets();
  const isAccepted = args.includes("--accept");
  if (!isAccepted) for (const one of higher) console.error(one.message);
  const changed = isAccepted ? [...higher, ...lower] : lower;
  writeBudgets(now, changed);
  for (const one of changed) console.log(`${one.name}: ${one.budget} → ${one.count}`);
  if (changed.length > 0) console.log(`written: ${relative(root, budgetsPath)}`);
  else if (higher.length === 0) console.log("budgets: nothing to lower");
  process.exitCode = higher.length > 0 && !isAccepted ? 1 : 0;
}
