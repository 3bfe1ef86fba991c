import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make timings noisy.
    maxWorkers: 2,
    pool: "forks",
    reporters: ["default"],
  },
});
