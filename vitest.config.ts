import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { becomeLauncher } from "./scripts/launcher.mjs";
import { isBuildFresh } from "./scripts/setup/build-stamp.mjs";
import {
  isSuite,
  listSuiteFiles,
  listTestFiles,
  rankTestFile,
  sharesProcess,
} from "./scripts/suites.mjs";

becomeLauncher();

// The state of folders without git is among the user's own files: not among those of who runs the tests.
process.env["XDG_STATE_HOME"] = join(tmpdir(), "state");

/** Named by scripts/run-tests.mjs; vitest on its own takes every file. */
const suite = process.env["HEADGATE_SUITE"];
const orderSeed = process.env["HEADGATE_ORDER_SEED"];

const files =
  suite !== undefined && isSuite(suite) ? listSuiteFiles(suite) : listTestFiles();

class EarlyRedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- vitest's own method of this name.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankTestFile(a.moduleId) - rankTestFile(b.moduleId));
  }
}

/**
 * Tests start parsing processes thousands of times. The bundled one starts in a quarter of the time of its
 * TypeScript modules; it is used while the build is fresh.
 */
const builtParser = {
  name: "built-parser",
  enforce: "pre" as const,
  transform: (code: string, id: string): string | undefined =>
    id.endsWith("/src/structure/parser-host.ts") && isBuildFresh()
      ? code.replace('"worker/main.ts"', '"../../dist/cli/worker/main.cjs"')
      : undefined,
};

export default defineConfig({
  plugins: [builtParser],
  test: {
    projects: [
      {
        extends: true,
        test: { name: "shared", include: files.filter(sharesProcess), isolate: false },
      },
      {
        extends: true,
        test: { name: "apart", include: files.filter((path) => !sharesProcess(path)) },
      },
    ],
    globalSetup: ["test/helpers/global-setup.ts"],
    // They end a hang and mean nothing else: a busy machine takes twenty times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // One more than cores: tests wait for programs and clocks a fifth of their time.
    maxWorkers: availableParallelism() + 1,
    pool: "forks",
    reporters: ["default"],
    setupFiles: ["test/helpers/file-end.ts", "test/helpers/seed.ts"],
    sequence:
      orderSeed === undefined
        ? { sequencer: EarlyRedFirst }
        : { shuffle: { files: true, tests: true }, seed: Number(orderSeed) },
  },
});
