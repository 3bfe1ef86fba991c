/** What the place of a file says about whether and how much it counts. */
import type { Role } from "./signals/weights.ts";

const words = (text: string): string[] => text.split(" ");

/** Code of others, kept here for convenience. */
const vendored = new Set(
  words(
    "node_modules vendor vendors vendored third_party third-party thirdparty 3rdparty 3rd-party bower_components jspm_packages Pods Carthage Godeps extern external externals site-packages .venv venv .yarn .git .hg .svn .headgate __pycache__ .gradle .dart_tool .terraform .next .nuxt DerivedData subprojects",
  ),
);
/** The same at the top of a tree only; further down these are ordinary words. */
const vendoredAtTop = new Set(words("deps dist out target"));
/** Built from something else. */
const builtFolders = new Set(words("dist __generated__ generated __snapshots__"));

const roleOfFolder = new Map<string, Role>([
  ...words(
    "example examples sample samples demo demos playground playgrounds tutorial tutorials cookbook quickstart quickstarts template templates skeleton scaffold starters showcase snippets",
  ).map((name) => [name, "example"] as const),
  ...words(
    "test tests __tests__ spec specs e2e testdata test-data fixture fixtures __fixtures__ testing integration integration-tests bench benches benchmark benchmarks mocks __mocks__ fuzz fuzzing perf androidTest unittests test_data tests-integration tests-build stress-test",
  ).map((name) => [name, "test"] as const),
  ...words("doc docs documentation website site Documentation man manual docsite userguide").map(
    (name) => [name, "docs"] as const,
  ),
  ...words(
    "tools tooling scripts script hack ci xtask misc contrib build packaging buildtools build-tools buildSrc build-logic eng release",
  ).map((name) => [name, "tooling"] as const),
  ...words(
    "deploy deployment deployments infra infrastructure terraform charts helm k8s kubernetes ansible docker",
  ).map((name) => [name, "deployment"] as const),
]);

export const isVendoredFolder = (name: string, isAtTop: boolean): boolean =>
  vendored.has(name) || builtFolders.has(name) || (isAtTop && vendoredAtTop.has(name));

/** The first folder with a telling name decides; `docs/examples` is documentation. */
export const roleOf = (folder: string): Role => {
  if (folder === "" || folder === ".") return "main";
  for (const name of folder.split("/")) {
    const role = roleOfFolder.get(name) ?? suffixRole(name);
    if (role !== undefined) return role;
  }
  return "main";
};

const suffixRole = (name: string): Role | undefined => {
  // Settings of tools that are used here: an agent's skills, an editor's tasks, a server's workflows.
  if (name.startsWith(".") && !/^\.(?:claude-plugin|vitepress|vuepress)$/.test(name))
    return "settings";
  if (
    /[._-][Tt]ests?$|^test[-_]|[a-z]Tests?$|\.[A-Z]?Benchmarks?$|[-_]bench(?:mark)?s?$/.test(name)
  )
    return "test";
  if (/[-_.](?:examples?|demos?|samples?)$/i.test(name)) return "example";
  return undefined;
};

/** Written by a program: bundles, protocol code, lock files, snapshots. */
export const isGeneratedName = (name: string): boolean =>
  (name.indexOf(".") !== name.lastIndexOf(".") || generatedHint.test(name)) &&
  generatedName.test(name);

/** Most names have one dot and none of these. */
const generatedHint = /lock|_pb2|enerated|\.(?:map|snap|sum|tsbuildinfo)$/;

const generatedName =
  /\.min\.(?:js|css|mjs)$|\.pb\.(?:go|cc|h|rs)$|_pb2(?:_grpc)?\.pyi?$|\.pb\w*\.dart$|\.g\.(?:dart|cs)$|\.freezed\.dart$|[._]generated\.|\.Designer\.cs$|^zz_generated|[-.]lock(?:\.json|\.yaml|b)?$|\.snap$|\.map$|\.bundle\.js$|^go\.sum$|\.tsbuildinfo$/;
