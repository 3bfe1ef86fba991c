#!/usr/bin/env node
// Written in JavaScript that every old Node.js can parse, so that it gives a sentence and not a syntax
// error. CommonJS (see package.json beside it), because the module loader is what `--version` would
// mostly pay for; `npm run bench start-up` watches it.
"use strict";

const found = process.versions.node;

// Node-API 10 came with 22.14 and 23.6. Below it the database binding does not fail, it crashes.
if (!(Number(process.versions.napi) >= 10)) {
  process.stderr.write(
    "headgate: needs Node.js 22.14 or newer, found " +
      found +
      "; install a newer one (24 is the reference) and run the command again [NODE_TOO_OLD]\n",
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2])) {
  const manifest = require("fs").readFileSync(__dirname + "/../package.json", "utf8");
  process.stdout.write(JSON.parse(manifest).version + "\n");
} else {
  import("../dist/surfaces/cli/main.js").then((cli) => cli.main());
}
