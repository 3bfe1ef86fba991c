import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readGuide, readManPage } from "../src/surfaces/cli/guide-pages.ts";
import { requireFreshBuild } from "./helpers/fresh-build.ts";
import { atSharedEnd, put, temporaryFolder } from "./helpers/temporary-folder.ts";

requireFreshBuild();
const atEnd = atSharedEnd();

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => JSON.parse(readFileSync(resolve(root, path), "utf8"));

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  devOptional?: boolean;
}

/** Packing goes over forty megabytes: once for all tests, and without the work of compressing them. */
const listPacked = (): string[] => {
  const uncompressed = `const zlib = require("node:zlib");
    const { Gzip } = zlib;
    zlib.Gzip = function (options) { return new Gzip({ ...options, level: 0 }); };`;
  const preloaded = put(join(temporaryFolder(atEnd), "uncompressed.cjs"), uncompressed);
  const [{ files }] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, NODE_OPTIONS: `--require ${JSON.stringify(preloaded)}` },
    }),
  ) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
};

describe("the package", () => {
  let packed: readonly string[] = [];
  beforeAll(() => {
    packed = listPacked();
  });

  it("ships exactly these kinds of files", () => {
    const unexpected = packed.filter(
      (path) =>
        ![
          /^dist\/[a-z0-9/-]+(\.d\.ts|\.c?js)$/,
          /^dist\/dashboard\/(index\.html|assets\/[a-z-]+\.(js|css))$/,
          /^grammars\/(\w+\.wasm|grammars\.json|LICENSES\.txt)$/,
          /^dist\/store\/migrations\/[a-z]+\/\d{4}-[a-z-]+\.sql$/,
          /^docs\/[A-Za-z-]+\.md$/,
          /^dist\/reviewers\/(contract|(roster|domains)\/[a-z-]+)\.md$/,
        ].some((expected) => expected.test(path)),
    );
    expect(unexpected.toSorted()).toEqual([
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "bin/headgate.js",
      "bin/package.json",
      "dist/sbom.cdx.json",
      "doors/.claude-plugin/marketplace.json",
      "doors/claude-plugin/.claude-plugin/plugin.json",
      "doors/claude-plugin/.mcp.json",
      "doors/claude-plugin/hooks/hooks.json",
      "doors/claude-plugin/skills/headgate/SKILL.md",
      "doors/gemini-extension/gemini-extension.json",
      "doors/gemini-extension/hooks/hooks.json",
      "doors/hook.sh",
      "doors/opencode/index.js",
      "doors/opencode/package.json",
      "man/headgate.1",
      "package.json",
      "schema/config.json",
    ]);
  });

  it("every page that a message, a help text, the manual or a link of the README names is in it, and opens with help", async () => {
    const sources = globSync("src/**/*.{ts,tsx}", { cwd: root }).map((path) => [
      path,
      readFileSync(resolve(root, path), "utf8"),
    ]);
    const readme = readFileSync(resolve(root, "README.md"), "utf8");
    const texts = [...sources, ["man", readFileSync(resolve(root, "man/headgate.1"), "utf8")]];
    const named = [
      ...texts.flatMap(([, text = ""]) => text.match(/\bdocs\/[A-Za-z-]+\.md/g) ?? []),
      ...[...readme.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, path = ""]) => path,
      ),
    ];
    // Files of a user's own, in examples.
    const examples = ["docs/api.md", "docs/plan.md"];
    const wanted = [...new Set(named)].filter((path) => !examples.includes(path)).toSorted();
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((path) => !packed.includes(path))).toEqual([]);
    for (const page of wanted.filter((path) => path.startsWith("docs/"))) {
      expect(readGuide(page), page).toBe(readFileSync(resolve(root, page), "utf8").trimEnd());
    }
    // npm puts a manual page nowhere that `man` looks, so the package claims none.
    expect(read("package.json")).not.toHaveProperty("man");
    const manual = readManPage();
    expect(manual).toMatch(/^NAME\nheadgate - many coding agents/);
    expect(manual).not.toMatch(/^\.[A-Z]|\\f[A-Z]|\\-/m);
  });

  it("holds every file that the library imports, and the command line only as its bundle", () => {
    const has = new Set(packed);
    const modules = packed.filter((path) =>
      /^dist\/(?!cli\/|dashboard\/).*\.(js|d\.ts)$/.test(path),
    );
    const missing = modules.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?:from |import\()"(\.[^"]+\.[jt]s)"/g)]
        .map(([, to = ""]) => posix.join(posix.dirname(path), to))
        .map((to) => (path.endsWith(".d.ts") ? to.replace(/(\.d)?\.[jt]s$/, ".d.ts") : to))
        .filter((to) => !has.has(to))
        .map((to) => `${path}: ${to}`),
    );
    expect(modules.length).toBeGreaterThan(800);
    expect(missing).toEqual([]);
    expect(packed.filter((path) => path.startsWith("dist/surfaces/"))).toEqual([]);
    expect(has).toContain("dist/cli/program.cjs");
  });

  it("holds the built dashboard and none of its sources", () => {
    const paths = packed.filter((path) => path.includes("dashboard/"));
    expect(paths.toSorted()).toEqual([
      "dist/dashboard/assets/chart-library.js",
      "dist/dashboard/assets/index.css",
      "dist/dashboard/assets/main.js",
      "dist/dashboard/index.html",
    ]);
    const page = readFileSync(resolve(root, "dist/dashboard/index.html"), "utf8");
    expect(page).not.toMatch(/https?:|<script(?![^>]*src=)|\son\w+=|style=/);
  });

  it("holds the parsing process and the guard thread once, in the bundle", () => {
    const started = packed.filter((path) =>
      /worker\/(main|answer|grammars)|loop-guard-/.test(path),
    );
    expect(started.toSorted()).toEqual([
      "dist/cli/worker/grammars.cjs",
      "dist/cli/worker/main.cjs",
    ]);
  });

  it("has exact runtime versions and no install scripts in the runtime tree", () => {
    const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(18);
    const { packages } = read("package-lock.json") as { packages: Record<string, LockEntry> };
    const runtime = Object.entries(packages).filter(
      ([name, one]) => name && !one.dev && !one.devOptional,
    );
    expect(runtime.filter(([, one]) => one.hasInstallScript)).toEqual([]);
    expect(
      runtime.map(([name]) => name).filter((name) => /minimatch|brace-expansion|zod/.test(name)),
    ).toEqual([]);
  });

  it.each([
    "package-lock.json",
    "tools/node/package-lock.json",
    "bench/package-lock.json",
    "tools/mcp/package-lock.json",
    "tools/hook-managers/package-lock.json",
    "tools/clients/package-lock.json",
  ])("%s pins every package by hash and names no host", (path) => {
    const { packages } = read(path) as { packages: Record<string, LockEntry> };
    for (const [name, one] of Object.entries(packages)) {
      expect(one.resolved, name).toBeUndefined();
      if (name) expect(one.integrity, name).toMatch(/^sha512-/);
    }
  });

  it("documents every dependency with a reason", () => {
    const { dependencies, devDependencies, optionalDependencies } = read("package.json") as Record<
      string,
      Record<string, string>
    >;
    const text = readFileSync(resolve(root, "docs/dependencies.md"), "utf8");
    for (const name of Object.keys(dependencies ?? {})) expect(text).toContain(`| \`${name}\` |`);
    const others = Object.keys({ ...devDependencies, ...optionalDependencies });
    expect(others.length).toBeGreaterThan(10);
    expect(others.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
