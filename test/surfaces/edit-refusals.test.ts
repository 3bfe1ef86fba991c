import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { keepRefusal, readRefusal } from "../../src/surfaces/kept-refusals.ts";
import { call, connectStdio, mcpRepository } from "../helpers/mcp.ts";
import { run } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

interface Refusal {
  readonly actor: string;
  readonly data: Readonly<Record<string, string>>;
}

const refusals = async (cwd: string): Promise<Refusal[]> => {
  const { stdout } = await run(["events", "--kind", "gate.refused", "--json"], { cwd });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Refusal);
};

const twice = "login(name: string): boolean {\n  return true;\n}";
const patch = (text: string) =>
  `*** Begin Patch\n*** Update File: src/auth.ts\n@@\n-  logout(): void {}\n+${text}\n*** End Patch\n`;

describe("a refused edit is an event with its reason, its change and its remedy", () => {
  it("of headgate edit and headgate apply", async () => {
    const cwd = mcpRepository();
    const env = { HEADGATE_ACTOR: "codex:a" };
    const tool = (args: readonly string[], input = "") => run(args, { cwd, env, input });
    const add = ["edit", "add", "src/auth.ts", "--into", "Auth", "--code", twice];
    expect((await tool([...add, "--yes"])).code).toBe(1);
    expect((await tool(["apply", "--yes"], patch("  logout(): void {"))).code).toBe(1);
    const [edit, apply, ...more] = await refusals(cwd);
    expect(more).toEqual([]);
    expect(edit).toMatchObject({
      actor: "codex:a",
      data: {
        ...{ code: "DUPLICATE_SYMBOL", path: "src/auth.ts", symbol: "Auth.login" },
        tool: "headgate edit add",
        message: expect.stringContaining("login"),
        remedy: expect.stringMatching(/./),
      },
    });
    const kept = readRefusal(stateFolder(cwd), edit?.data["kept"] ?? "");
    expect(kept).toMatchObject({ path: "src/auth.ts", isCut: false });
    expect(kept?.hunks?.[0]).toMatch(/^@@ -\d/);
    expect(kept?.hunks?.filter((line) => line.startsWith("+")).join("\n")).toContain("return true");
    expect(apply).toMatchObject({ data: { code: "SYNTAX_ERROR", tool: "headgate apply" } });
    expect(readRefusal(stateFolder(cwd), apply?.data["kept"] ?? "")?.hunks).toContain(
      "-  logout(): void {}",
    );
  });

  it("of a claim of somebody else and of a path that is nobody's to write", async () => {
    const cwd = mcpRepository();
    await run(["claim", "src/auth.ts"], { cwd, env: { HEADGATE_ACTOR: "claude:b" } });
    const replace = ["edit", "replace", "src/auth.ts", "--old", "!==", "--new", "!=", "--yes"];
    expect((await run(replace, { cwd })).code).toBe(1);
    expect(
      (await run(["edit", "write", ".git/config", "--code", "x", "--yes"], { cwd })).code,
    ).toBe(1);
    const [claimed, path] = await refusals(cwd);
    expect(claimed?.data).toMatchObject({
      ...{ code: "CLAIM_CONFLICT", path: "src/auth.ts", tool: "headgate edit replace" },
      remedy: expect.stringContaining("headgate wait"),
      kept: expect.stringMatching(/^rf_/),
    });
    expect(path?.data).toMatchObject({ code: "PATH_GIT", path: ".git/config" });
  });

  it("not of a look, of a person's own no, of a failed check or of a text that is not there", async () => {
    const cwd = mcpRepository();
    const add = ["edit", "add", "src/auth.ts", "--into", "Auth", "--code", twice];
    const replace = ["edit", "replace", "src/auth.ts", "--new", "!=", "--old"];
    expect((await run([...add, "--dry-run"], { cwd })).code).toBe(1);
    expect((await run([...replace, "!=="], { cwd })).code).toBe(2);
    expect((await run([...replace, "!==", "--yes", "--verify", "false"], { cwd })).code).toBe(1);
    expect((await run([...replace, "nowhere", "--yes"], { cwd })).code).toBeGreaterThan(0);
    expect(await refusals(cwd)).toEqual([]);
  });

  it("of the MCP tools edit, apply and undo", async () => {
    const cwd = mcpRepository();
    const client = await connectStdio({ cwd, env: { HEADGATE_ACTOR: "alice" } });
    await client.listTools();
    const add = { do: "add", file: "src/auth.ts", into: "Auth", code: twice };
    await call(client, "edit", { operations: [add], dryRun: true });
    expect((await call(client, "edit", { operations: [add] })).isError).toBe(true);
    await call(client, "apply", { patch: patch("  logout(): void {") });
    const replace = { do: "replace", file: "src/auth.ts", old: "!==", new: "!=" };
    expect((await call(client, "edit", { operations: [replace] })).isError).toBe(false);
    await run(["claim", "src/auth.ts"], { cwd, env: { HEADGATE_ACTOR: "bob" } });
    expect((await call(client, "undo", {})).isError).toBe(true);
    expect(
      (await refusals(cwd)).map(({ actor, data: { code, tool, kept } }) => [
        ...[actor, code, tool, kept !== undefined],
      ]),
    ).toEqual([
      ["alice", "DUPLICATE_SYMBOL", "mcp edit", true],
      ["alice", "SYNTAX_ERROR", "mcp apply", true],
      ["alice", "CLAIM_CONFLICT", "mcp undo", true],
    ]);
  });
});

describe("a refused diff", () => {
  const one = (path: string, text: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${text}\n`;

  it("is kept of the file that was refused, or of the first", () => {
    const dir = temporaryFolder();
    const diff = one("a.txt", "diff --git a/c b/c") + one("b.txt", "new");
    const keptOf = (path: string) => readRefusal(dir, keepRefusal(dir, { path, diff })!);
    expect(keptOf("b.txt")).toMatchObject({
      path: "b.txt",
      hunks: ["@@ -1 +1 @@", "-old", "+new"],
    });
    expect(keptOf("")).toMatchObject({ path: "a.txt", hunks: expect.arrayContaining(["-old"]) });
    expect(keepRefusal(dir, { path: "a", diff: "diff --git a/a b/a\nBinary files differ\n" })).toBe(
      undefined,
    );
  });

  it("is bounded", () => {
    const dir = temporaryFolder();
    const long = Array.from({ length: 5_000 }, (_, n) => `+${"x".repeat(40)}${n}`).join("\n");
    const id = keepRefusal(dir, { path: "a", diff: `${one("a", "b")}${long}\n` })!;
    const kept = readRefusal(dir, id);
    expect(kept?.isCut).toBe(true);
    expect(JSON.stringify(kept).length).toBeLessThan(limits.refusalDiffBytesMax);
  });
});
