import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { bundledVersion, findBinding, loadSqlite } from "../../src/store/sqlite/load-library.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const name = `prebuilds/${platform()}-${arch()}.node`;

/** A tree with the package in it, and a folder somewhere below from which it is looked for. */
const tree = (manifest: string): { from: string; binding: string } => {
  const parent = temporaryFolder();
  const from = join(parent, "node_modules/headgate/dist/cli");
  mkdirSync(from, { recursive: true });
  const folder = join(parent, "node_modules/better-sqlite3");
  put(join(folder, "package.json"), manifest);
  return { from, binding: put(join(folder, name)) };
};

describe("the database library", () => {
  it("is pinned to the version whose JavaScript is bundled", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(bundledVersion).toBe(dependencies["better-sqlite3"]);
  });

  it("is loaded with the binary of its own folder", async () => {
    const { Database, options } = await loadSqlite(systemFiles);
    const { nativeBinding = "" } = options;
    expect(nativeBinding.endsWith(join("better-sqlite3", name))).toBe(true);
    const database = new Database(":memory:", options);
    expect(database.prepare("SELECT 1 AS one").get()).toEqual({ one: 1 });
    database.close();
  });

  it("is found beside us as npm lays packages out, nearest first", () => {
    const { from, binding } = tree(`{"version": "${bundledVersion}"}`);
    expect(findBinding(from, systemFiles)).toBe(binding);
    const nested = join(from, "../../node_modules/better-sqlite3");
    cpSync(dirname(dirname(binding)), nested, { recursive: true });
    expect(findBinding(from, systemFiles)).toBe(join(nested, name));
  });

  it("finds its binary by itself when anything is unusual", () => {
    for (const manifest of ['{"version": "13.0.2"}', "{}", "not json"]) {
      expect(findBinding(tree(manifest).from, systemFiles), manifest).toBeUndefined();
    }
    expect(findBinding(temporaryFolder(), systemFiles)).toBeUndefined();
    const { from } = tree(`{"version": "${bundledVersion}"}`);
    if (platform() !== "linux") return;
    const program = (text: string): Files => ({
      ...systemFiles,
      open: (path, flags) =>
        systemFiles.open(path === "/proc/self/exe" ? put(join(from, "node"), text) : path, flags),
    });
    const [glibc, musl] = ["\0/lib64/ld-linux-x86-64.so.2\0", "\0/lib/ld-musl-x86_64.so.1\0"];
    expect(findBinding(from, program(glibc))).toBeDefined();
    for (const text of [musl, musl + glibc, ""]) {
      expect(findBinding(from, program(text)), text).toBeUndefined();
    }
  });
});
