import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSource, readSources, sourceRoot } from "../../architecture/source-tree.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const bundle = resolve(sourceRoot, "../dist/cli");
const migrations = resolve(bundle, "../store/migrations");

/** Parsed once: there are more than a thousand. */
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

/** What the built program has loaded when it ends: Node's own modules, and files. */
const loadedBy = async (
  args: readonly string[],
  cwd: string,
): Promise<{ readonly modules: readonly string[]; readonly files: readonly string[] }> => {
  const folder = temporaryFolder();
  const list = join(folder, "list.json");
  const preload = put(
    join(folder, "preload.cjs"),
    `const before = new Set(process.moduleLoadList);
    process.on("exit", () => {
      const loaded = process.moduleLoadList.filter((name) => !before.has(name));
      const modules = loaded.map((name) => name.replace(/^NativeModule /, ""));
      const files = Object.keys(require.cache).filter((name) => name !== __filename);
      require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify({ modules, files }));
    });`,
  );
  const ended = await run(args, { cwd, nodeArgs: ["-r", preload] });
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(readFileSync(list, "utf8"));
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
    for (const name of ["up", "status", "config", "events", "completion"]) {
      const { files } = loadedWith(`surfaces/cli/commands/${name}.ts`);
      const heavy = [...files].filter((file) =>
        /^(store|config|state|compose)|surfaces\/http\/(server|app|find)/.test(file),
      );
      expect(heavy.filter((file) => file !== "surfaces/http/server-files.ts")).toEqual([]);
    }
  });

  it("a claim loads two files and the database, starts no program, and none of what is costly", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    // The first one makes the store and sets a block of fences aside.
    expect(await run(["claim", "a.txt"], { cwd })).toMatchObject({ code: 0 });
    const { modules, files } = await loadedBy(["claim", "a.txt", "--json"], cwd);
    expect(files.map((path) => join(basename(dirname(path)), basename(path)))).toEqual([
      "bin/headgate.js",
      "cli/program.cjs",
      "cli/store.cjs",
      expect.stringMatching(/^prebuilds\/[a-z0-9-]+\.node$/),
    ]);
    expect(modules).toContain("os");
    for (const costly of ["child_process", "crypto", "net", "stream", "tty", "url", "zlib"]) {
      expect(modules).not.toContain(costly);
    }
  });

  it("help loads one file, and no stream", async () => {
    const { modules, files } = await loadedBy(["help", "--quiet"], temporaryFolder());
    expect(files.map((path) => basename(path))).toEqual(["headgate.js", "program.cjs"]);
    for (const costly of ["crypto", "child_process", "net"]) expect(modules).not.toContain(costly);
  });

  it("the bundle imports nothing but by require, which code that is kept compiled needs", () => {
    expect(readdirSync(bundle).length).toBeGreaterThan(5);
    const files = readdirSync(bundle, { withFileTypes: true }).filter((one) => one.isFile());
    for (const { name } of files) {
      const { imports } = parseSource(name, readFileSync(join(bundle, name), "utf8"));
      expect(imports, name).toEqual([]);
    }
  });

  it("the bundle knows the checksum of every migration", () => {
    const text = readFileSync(join(bundle, "store.cjs"), "utf8");
    const files = readdirSync(migrations, { recursive: true, encoding: "utf8" });
    const known = files.filter((name) => name.endsWith(".sql"));
    expect(known.length).toBeGreaterThan(1);
    for (const name of known) {
      const sql = readFileSync(join(migrations, name), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      expect(text.includes(`"${basename(name)}": "${checksum}"`), name).toBe(true);
    }
  });
});
