#!/usr/bin/env node
// Written in JavaScript that old Node.js versions can parse, so that they get a sentence and not a
// syntax error. `--version` alone is answered here: it must cost little more than starting Node.
import { readFileSync } from "fs";

const found = process.versions.node;
const [major, minor] = found.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    "headgate: needs Node.js 22.13 or newer, found " +
      found +
      "; install a newer one (24 is the reference) and run the command again [NODE_TOO_OLD]\n",
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2])) {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  process.stdout.write(JSON.parse(manifest).version + "\n");
} else {
  import("../dist/surfaces/cli/main.js").then((cli) => cli.main());
}
