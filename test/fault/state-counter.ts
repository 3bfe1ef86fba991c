import { readSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { updateJson } from "../../src/state/json-file.ts";

/** Counts in a JSON file until it is killed, and says each number once its write has returned. */
const [, , file = "", warmUp = ""] = process.argv;
const count = (path: string) =>
  updateJson<{ count: number }>(path, (present) => ({ count: (present?.count ?? 0) + 1 }));
await count(warmUp);
flushCompileCache();
writeSync(1, "ready\n");
readSync(0, Buffer.alloc(3));
for (;;) {
  const { value } = await count(file);
  writeSync(1, `${value.count}\n`);
}
