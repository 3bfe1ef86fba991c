/** The place of a file says whether it counts, and how much. */
import type { Role } from "./signals/weights.ts";

const words = (text: string): string[] => text.split(" ");

const roleOfFolder = new Map<string, Role>([
  ...words(
    "example examples sample samples demo demos playground playgrounds tutorial tutorials cookbook quickstart quickstarts template templates skeleton scaffold starters showcase snippets myapp dummy sandbox",
  ).map((name) => [name, "example"] as const),
  ...words(
    "test tests __tests__ spec specs e2e testdata test-data fixture fixtures __fixtures__ testing integration integration-tests bench benches benchmark benchmarks mocks __mocks__ fuzz fuzzing perf androidTest unittests test_data tests-integration tests-build stress-test",
  ).map((name) => [name, "test"] as const),
  ...words(
    "doc docs documentation website site Documentation man manual docsite userguide book",
  ).map((name) => [name, "docs"] as const),
  ...words(
    "tools tooling scripts script hack ci xtask misc contrib build packaging buildtools build-tools buildSrc build-logic eng release",
  ).map((name) => [name, "tooling"] as const),
  ...words(
    "deploy deployment deployments infra infrastructure terraform charts helm k8s kubernetes ansible docker",
  ).map((name) => [name, "deployment"] as const),
]);

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
