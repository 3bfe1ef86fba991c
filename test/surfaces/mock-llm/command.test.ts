import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, start } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("headgate mock-llm", () => {
  it("answers from its script, records what it was asked, ends with SIGTERM", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "play.jsonc"), '["hello from the script"] // all');
    const args = ["mock-llm", "--script", "play.jsonc", "--record", "seen.jsonl"];
    const program = start(args, { cwd });
    const [address] = await program.until(/http:\/\/127\.0\.0\.1:\d+/);
    for (const content of ["one", "two"]) {
      const answer = await fetch(`${address}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer secret" },
        body: JSON.stringify({
          tools: [{ function: { name: "t" } }],
          messages: [{ role: "user", content }],
        }),
      });
      expect(await answer.text()).toContain("hello from the script");
    }
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(join(cwd, "seen.jsonl"), "utf8");
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { wire: "chat", step: 0, lastUserText: "one" },
      { wire: "chat", step: 0, lastUserText: "two" },
    ]);
    expect(text).not.toContain("secret");
    expect(statSync(join(cwd, "seen.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("says what is wrong with a script in one line, with its place", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "play.jsonc"), '[\n  { "txt": "a" }\n]');
    const { code, stderr } = await run(["mock-llm", "--script", "play.jsonc"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/play\.jsonc:2:5: unknown word "txt"; known here: when, text/);
    const absent = await run(["mock-llm", "--script", "none.json"], { cwd });
    expect(absent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none.json: no such file"),
    });
  });
});
