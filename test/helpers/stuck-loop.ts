/** A program whose loop is stuck from the first look on; ended by its guard. */
import { letGoName, startLoopGuard } from "../../src/base/loop-guard.ts";

startLoopGuard({ letGo: () => {}, takeUp: () => {}, endAfterMs: 1500 });
const place = globalThis as { [key: symbol]: unknown };
setTimeout(() => {
  process.stdout.write(`${String(typeof place[Symbol.for(letGoName)])}\n`);
  for (;;);
}, 100);
