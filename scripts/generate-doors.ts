// Writes the packages in doors/ from the hook tables of `headgate init`; a test fails while they differ.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { doorFiles } from "./door-files.ts";

for (const [path, content] of Object.entries(doorFiles())) {
  const file = resolve(import.meta.dirname, "../doors", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
