// Builds the dashboard's page into dist/dashboard: a page, its style and its script, without anything
// from elsewhere. Names are fixed, because the server sends nothing that a browser may keep.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

await build({
  configFile: false,
  logLevel: "warn",
  root: resolve(root, "src/surfaces/dashboard"),
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "dist/dashboard"),
    emptyOutDir: true,
    target: "es2024",
    // It would put a script of its own into the page; there is one late part only.
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        banner: licences(["preact", "uplot"]),
        entryFileNames: "assets/main.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
});

/** The licences of what is inside, as they ask for. */
function licences(names) {
  const texts = names.map((name) => {
    const text = readFileSync(resolve(root, "node_modules", name, "LICENSE"), "utf8").trim();
    return `/*! ${name}\n\n${text.replaceAll("*/", "* /")}\n*/`;
  });
  return texts.join("\n");
}
