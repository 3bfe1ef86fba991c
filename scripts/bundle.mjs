// Bundles the command line into dist/cli: two files instead of more than a hundred for a command that
// opens the store. Why, and what each choice brings: docs/decisions/bundled-command-line.md.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const source = resolve(root, "src");
const target = resolve(root, "dist/cli");
const packages = resolve(root, "node_modules");

/** Their JavaScript goes into the bundle; native parts and all other packages stay where they are. */
const bundled = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "@valibot/to-json-schema",
  "better-sqlite3",
  "jsonc-parser",
  "valibot",
  "zod",
];
const isBundled = (id) => bundled.some((name) => id === name || id.startsWith(`${name}/`));

/** Needed only where something is configured. */
const configRules = /[\\/]config[\\/](config-problems|[a-z-]*schema)\.ts$|[\\/]valibot[\\/]/;
const store = /[\\/](compose|open-sqlite|open-for)\.ts$|[\\/]better-sqlite3[\\/]/;
/** What agents call for every file they touch comes with the store, not as one more file. */
const frequent = /[\\/]commands[\\/](claim|check|release|renew)\.ts$/;

const bundle = await rolldown({
  input: { program: resolve(source, "surfaces/cli/main.ts") },
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  // jsonc-parser's main file hides its imports from bundlers.
  resolve: { mainFields: ["module", "main"] },
  external: (id) => /^[a-z@]/i.test(id) && !isBundled(id),
  plugins: [{ name: "shipped-checksums", load: (id) => checksumsFor(id) }],
});
const { output } = await bundle.write({
  dir: target,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name].cjs",
  // Compiled code that is kept cannot import; `require` takes modules of both kinds.
  dynamicImportInCjs: false,
  banner: ({ moduleIds }) => licencesOf(moduleIds),
  codeSplitting: {
    groups: [
      {
        name: "config-rules",
        test: configRules,
        priority: 4,
        includeDependenciesRecursively: false,
      },
      { name: "jsonc-parser", test: /[\\/]jsonc-parser[\\/]/, priority: 3 },
      { name: "program", test: /[\\/]surfaces[\\/]cli[\\/]main\.ts$/, priority: 2 },
      { name: "store", test: (id) => store.test(id) || frequent.test(id), priority: 1 },
    ],
  },
});
await bundle.close();
finish(output.map(({ fileName }) => fileName));

/** The parsing process: a hook without a server waits for its start. */
const worker = await rolldown({
  input: {
    main: resolve(source, "structure/worker/main.ts"),
    "loop-guard": resolve(source, "base/loop-guard-thread.ts"),
  },
  platform: "node",
  external: (id) => /^[a-z@]/i.test(id),
});
await worker.write({
  dir: resolve(target, "worker"),
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name].cjs",
  dynamicImportInCjs: false,
});
await worker.close();

/** What the bundler leaves to do, for the sake of loading. */
function finish(names) {
  const runtime = names.find((name) => name.startsWith("rolldown-runtime"));
  const helpers = readFileSync(resolve(target, runtime), "utf8");
  for (const name of names.filter((one) => one !== runtime)) {
    const path = resolve(target, name);
    const code = readFileSync(path, "utf8")
      // The bundler's own few helpers take longer to load as a file than to run.
      .replace(
        `require("./${runtime}")`,
        () => `((exports) => {\n${helpers}\nreturn exports;\n})({})`,
      )
      // With a single other character, V8 needs twice the memory for the whole text.
      .replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    // bin/headgate.js knows the compiled form by this mark.
    writeFileSync(path, `/*${sha256(code).slice(0, 16)}*/${code}`);
  }
  rmSync(resolve(target, runtime));
}

function checksumsFor(id) {
  if (id !== resolve(source, "store/shipped-checksums.ts")) return undefined;
  const folder = resolve(source, "store/migrations");
  const checksumOf = (path) => sha256(readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
  const entries = readdirSync(folder).map((backend) => {
    const files = readdirSync(resolve(folder, backend)).toSorted();
    const each = files.map((file) => [file, checksumOf(resolve(folder, backend, file))]);
    return [backend, Object.fromEntries(each)];
  });
  return `export const shippedChecksums = ${JSON.stringify(Object.fromEntries(entries))};`;
}

/** The licences of the packages inside a file, as they ask for. */
function licencesOf(moduleIds) {
  const inside = bundled.filter((name) =>
    moduleIds.some((id) => id.replaceAll("\\", "/").includes(`/node_modules/${name}/`)),
  );
  const texts = inside.map((name) => {
    const file = readdirSync(resolve(packages, name)).find((one) => /^licen[cs]e/i.test(one));
    const text = readFileSync(resolve(packages, name, file), "utf8").trim();
    return `/*!\n${name}\n\n${text.replaceAll("*/", "* /")}\n*/`;
  });
  return texts.join("\n");
}

function sha256(text) {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
