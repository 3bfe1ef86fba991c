import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../../src/surfaces/cli/command-table.ts";
import { readSources } from "../../architecture/source-tree.ts";

const sources = new Map(readSources().map((source) => [source.path, source]));

/** Everything that loading `path` loads at once, before any dynamic import. */
const loadedWith = (path: string): { files: Set<string>; modules: Set<string> } => {
  const files = new Set([path]);
  const modules = new Set<string>();
  for (const file of files) {
    for (const one of sources.get(file)?.imports ?? []) {
      if (one.isDynamic || one.isTypeOnly) continue;
      if (one.target === undefined) modules.add(one.specifier);
      else files.add(one.target);
    }
  }
  return { files, modules };
};

describe("start-up", () => {
  it("loads no package and no costly built-in module for help", () => {
    const { files, modules } = loadedWith("surfaces/cli/main.ts");
    expect(files.size).toBeGreaterThan(5);
    for (const name of modules) expect(builtinModules).toContain(name.replace(/^node:/, ""));
    for (const costly of ["node:crypto", "node:http", "node:child_process", "node:net"]) {
      expect([...modules]).not.toContain(costly);
    }
  });

  it("loads no command for help, and no store, server or configuration with a command's module", () => {
    expect(
      [...loadedWith("surfaces/cli/main.ts").files].filter((file) => file.includes("/commands/")),
    ).toEqual([]);
    for (const name of Object.keys(commandTable)) {
      const { files } = loadedWith(`surfaces/cli/commands/${name}.ts`);
      const heavy = [...files].filter((file) =>
        /^(store|config|claims|state|compose)|surfaces\/http\/(server|app|find)/.test(file),
      );
      expect(heavy.filter((file) => file !== "surfaces/http/server-files.ts")).toEqual([]);
    }
  });
});
