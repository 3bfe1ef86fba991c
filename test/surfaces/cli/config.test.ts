import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settings } from "../../../src/config/index.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

interface Shown {
  readonly settings: {
    key: string;
    value: unknown;
    from: string;
    place: string | null;
    tier: string;
    description: string;
  }[];
}

describe("headgate config", () => {
  it("shows every setting with value, origin, tier and description", async () => {
    const cwd = temporaryFolder();
    const file = put(join(cwd, ".headgate/config.jsonc"), '{\n  "state": { "files": [] }\n}');
    const { code, stdout } = await run(["config", "--json"], {
      cwd,
      env: { HEADGATE_PORT: "7400" },
    });
    const shown = (JSON.parse(stdout) as Shown).settings;
    expect(code).toBe(0);
    expect(shown.map(({ key }) => key)).toEqual(settings.map(({ key }) => key));
    const of = (key: string) => shown.find((one) => one.key === key);
    expect(of("server.port")).toMatchObject({
      value: 7400,
      from: "environment",
      place: "HEADGATE_PORT",
      tier: "user",
    });
    expect(of("events.keepDays")).toMatchObject({ value: null, from: "default", place: null });
    expect(of("state.files")).toMatchObject({ from: "repository-file", tier: "repository" });
    expect(of("state.files")?.place).toContain(`${file}:2:`);
    const { stdout: text } = await run(["config"], { cwd });
    for (const { key } of settings) expect(text).toMatch(new RegExp(`^${key} `, "m"));
  });

  it("C08 never shows a password of the store address", async () => {
    const cwd = temporaryFolder();
    const env = { HEADGATE_STORE: "postgres://me:hunter2@127.0.0.1:1/db?password=hunter2" };
    for (const args of [
      ["config"],
      ["config", "--json"],
      ["status"],
      ["events", "--json"],
      ["up", "--debug"],
    ]) {
      const { stdout, stderr } = await run(args, { cwd, env });
      expect(stdout + stderr).not.toBe("");
      expect(stdout + stderr).not.toContain("hunter2");
    }
  });
});
