import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allRules } from "./rules.ts";
import { parseSource, readSources, sourceRoot } from "./source-tree.ts";

const sources = readSources();

describe("architecture", () => {
  it.each(Object.entries(allRules))("the sources obey %s", (_name, rule) => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(rule)).toEqual([]);
  });

  it.each([
    ["importDirection", "base/x.ts", 'import { a } from "../state/index.ts";'],
    ["importDirection", "state/x.ts", 'import { a } from "../store/index.ts";'],
    ["importDirection", "surfaces/cli/x.ts", 'import { a } from "../../state/atomic-file.ts";'],
    ["importDirection", "state/x.ts", 'export { a } from "../config/index.ts";'],
    ["importDirection", "state/x.ts", 'const a = await import("../claims/index.ts");'],
    ["importDirection", "state/x.ts", "const a = await import(name);"],
    ["dashboardAlone", "surfaces/http/x.ts", 'import { App } from "../dashboard/app.tsx";'],
    ["dashboardAlone", "surfaces/dashboard/x.tsx", 'import { join } from "node:path";'],
    ["dashboardAlone", "surfaces/dashboard/x.tsx", 'import { a } from "../http/api/shapes.ts";'],
    ["dashboardAlone", "surfaces/dashboard/x.tsx", 'import type { A } from "../http/app.ts";'],
    ["processAndConsole", "state/x.ts", "const a = process.env;"],
    ["processAndConsole", "compose.ts", 'console.log("x");'],
    ["processAndConsole", "base/ids.ts", "export const a = globalThis.process;"],
    ["hiddenInputs", "store/x.ts", "const a = Date.now();"],
    ["hiddenInputs", "surfaces/http/x.ts", "const a = new Date();"],
    ["hiddenInputs", "store/x.ts", "const a = Math.random();"],
    ["hiddenInputs", "surfaces/http/x.ts", "setTimeout(() => {}, 1);"],
    ["outsideModules", "state/x.ts", 'import { writeFileSync } from "node:fs";'],
    ["outsideModules", "state/x.ts", 'import fs from "fs/promises";'],
    ["outsideModules", "surfaces/cli/x.ts", 'import { spawn } from "node:child_process";'],
    ["outsideModules", "base/processes.ts", 'import { exec } from "node:child_process";'],
    ["gitAlone", "runs/x.ts", 'await processes.run(["git", "status"], options);'],
    ["gitAlone", "surfaces/x.ts", 'findProgram("git", environment, files);'],
    ["shellsAndExits", "base/processes.ts", "spawn(file, args, { shell: true });"],
    ["shellsAndExits", "base/processes.ts", "spawn(file, args, { shell: wanted });"],
    ["shellsAndExits", "surfaces/cli/main.ts", "process.exit(1);"],
    ["shellsAndExits", "surfaces/cli/x.ts", "const a = process.argv;"],
    ["shellsAndExits", "state/x.ts", "new Function(text);"],
  ])("%s sees the violation in %s: %s", (rule, path, text) => {
    expect(allRules[rule]!(parseSource(path, text))).toHaveLength(1);
  });

  it.each([
    [
      "surfaces/cli/x.ts",
      'import { openStore } from "../../store/index.ts"; const a = process.env;',
    ],
    [
      "state/x.ts",
      'import { a } from "../base/ids.ts"; import { b } from "../errors.ts"; const c = { process: 1 }.process;',
    ],
    ["base/clock.ts", "export const now = () => Date.now();"],
  ])("no rule objects to ordinary code in %s", (path, text) => {
    const file = parseSource(path, text);
    expect(Object.values(allRules).flatMap((rule) => rule(file))).toEqual([]);
  });

  it("every room opens its index.ts with a header of at most ten lines", () => {
    const rooms = readdirSync(sourceRoot, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !["base", "surfaces"].includes(entry.name))
      .map((entry) => entry.name)
      // Parts of the table beside it, not a room.
      .filter((name) => name !== "error-codes");
    for (const room of rooms) {
      const text = readFileSync(join(sourceRoot, room, "index.ts"), "utf8");
      const header = /^\/\*\*\n((?: \*.*\n)+?) \*\/\n/.exec(text)?.[1];
      expect(header, `${room}/index.ts has no header comment`).toBeDefined();
      expect(header!.split("\n").length - 1, `${room}/index.ts header`).toBeLessThanOrEqual(10);
    }
  });
});
