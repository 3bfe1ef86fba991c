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
  const keepCompiled = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : loadCompiled();
  const program = loadProgram();
  if (program !== undefined) program.main().then(keepCompiled);
}

/** Clients take every code but 2 of a hook for "go on": a broken installation must not open the gate. */
function loadProgram() {
  try {
    return require("../dist/cli/program.cjs");
  } catch (error) {
    const why = String((error && error.message) || error).split("\n")[0];
    if (process.argv[2] === "hook") return refuseTool("The installation is broken: " + why);
    process.stderr.write(
      "headgate: the installation is broken: " + why + "\n  → Install headgate again. [INTERNAL]\n",
    );
    process.exitCode = 70;
    return undefined;
  }
}

/**
 * As doors/hook.sh does it: only a tool can be refused. A client that is told no when it wants to end its
 * turn goes on without end.
 */
function refuseTool(why) {
  const payload = require("fs").readFileSync(0, "utf8");
  const isTool = /"(tool_name|tool_input|tool|toolName|file_path|filePath|command)"/.test(payload);
  if (!isTool && /"(hook_event_name|event)"/.test(payload)) {
    process.stderr.write(why + " Run `headgate doctor`.\n");
    return undefined;
  }
  process.stderr.write(
    "Headgate refused this tool: HOOK_FAILED\n" +
      why +
      "\nRun `headgate doctor`, or install headgate again.\n" +
      'headgate: {"code":"HOOK_FAILED"}\n',
  );
  process.exitCode = 2;
  return undefined;
}

/**
 * Compiling is the larger part of starting. So the compiled form of what a command used is kept for its
 * next run, by command, content and Node.js. It lies in the program's own folder: who could change it
 * there could change the program itself (docs/decisions/bundled-command-line.md).
 */
function loadCompiled() {
  const fs = require("fs");
  const path = require("path");
  const vm = require("vm");
  const folder = path.join(__dirname, "../dist/cache");
  const command = process.argv.slice(2).find((word) => /^[a-z]+(-[a-z]+)*$/.test(word));
  const scripts = [];

  require.extensions[".cjs"] = function (module, filename) {
    const source = fs.readFileSync(filename, "utf8");
    // Written by scripts/bundle.mjs: a mark of the content. V8 itself would only compare the length.
    const mark = /^\/\*([0-9a-f]{16})\*\//.exec(source);
    if (mark === null) return module._compile(source, filename);
    const file = path.join(folder, [command, mark[1], process.version, process.arch].join("-"));
    const cachedData = readIfThere(file);
    const script = new vm.Script(
      "(function (exports, require, module, __filename, __dirname) {" + source + "\n})",
      { filename: filename, cachedData: cachedData },
    );
    scripts.push({
      script: script,
      file: file,
      size: cachedData ? cachedData.length : 0,
      isNew: script.cachedDataRejected !== false,
    });
    const load = script.runInThisContext();
    const requireHere = (id) => module.require(id);
    load.call(
      module.exports,
      module.exports,
      requireHere,
      module,
      filename,
      path.dirname(filename),
    );
  };

  function readIfThere(file) {
    try {
      return fs.readFileSync(file);
    } catch (error) {
      if (error.code === undefined) throw error;
      return undefined;
    }
  }

  return function keepCompiled() {
    // Help and mistakes load one file and are quick anyway; what V8 makes with other flags, it would
    // refuse without them.
    const isOrdinary = process.execArgv.length === 0 && !process.env.NODE_OPTIONS;
    if (command === undefined || scripts.length < 2 || !isOrdinary) return;
    // The first run of `hook` may be a session's start, which uses little of what an edit needs. To look costs
    // as much as it may bring, so one run in sixteen does: what it compiled by itself is kept for the next.
    const outgrown = Math.random() < 1 / 16 ? scripts.filter(hasGrown) : [];
    const missing = scripts.filter((one) => one.isNew || outgrown.includes(one));
    if (missing.length === 0) return;
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
      // About forty commands with up to fifty files each; more are those of other versions of Node.js.
      if (fs.readdirSync(folder).length < 2500) missing.forEach(keep);
    } catch (error) {
      // A folder of somebody else, or no space: the next run compiles again.
      if (error.code === undefined) throw error;
    }
  };

  function hasGrown(one) {
    if (one.isNew) return false;
    const data = one.script.createCachedData();
    if (data.length < one.size * 1.2) return false;
    one.data = data;
    return true;
  }

  function keep(one) {
    const temporary = one.file + "." + process.pid;
    const fd = fs.openSync(temporary, "wx", 0o644);
    try {
      fs.writeFileSync(fd, one.data || one.script.createCachedData());
      // A file that is only half on the disk after a power cut could crash every later run.
      fs.fsyncSync(fd);
      fs.renameSync(temporary, one.file);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    } finally {
      fs.closeSync(fd);
    }
  }
}
