import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HeadgateError } from "../../../src/errors.ts";
import { parseOptions, splitCommand } from "../../../src/surfaces/cli/arguments.ts";
import { commandTable, globalOptions } from "../../../src/surfaces/cli/command-table.ts";
import type { Command } from "../../../src/surfaces/cli/command.ts";
import { reportFailure } from "../../../src/surfaces/cli/failure.ts";
import { createOutput } from "../../../src/surfaces/cli/terminal-output.ts";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { run, start, untilRead } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const { version } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };

/** Every command and sub-command with the words that call it. */
const allCommands = async (): Promise<[words: string[], command: Command][]> => {
  const found: [string[], Command][] = [];
  for (const [name, entry] of Object.entries(commandTable)) {
    const { command } = await entry.load();
    found.push([[name], command]);
    for (const [sub, child] of Object.entries(command.subcommands ?? {}))
      found.push([[name, sub], child]);
  }
  return found;
};

describe("the program", () => {
  it("prints help, grouped, with every command and the exit codes; alone it is one small screen", async () => {
    const cwd = temporaryFolder();
    const bare = await run([], { cwd });
    const asked = await run(["--help"], { cwd });
    expect(await run(["help"], { cwd })).toEqual(asked);
    expect([bare.code, asked.code]).toEqual([0, 0]);
    for (const [name, { summary }] of Object.entries(commandTable)) {
      expect(asked.stdout).toContain(`  ${name} `);
      expect(asked.stdout.replaceAll(/\s+/g, " ")).toContain(summary);
    }
    expect(asked.stdout).toMatch(/^Exit codes$/m);
    expect(asked.stdout).not.toContain("\u001b");
    const lines = bare.stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThan(24);
    expect(asked.stdout).toContain(lines.slice(0, -2).join("\n"));
    expect(lines.at(-1)).toContain("headgate help");
  });

  it("prints the version of package.json, quickly and with other options", async () => {
    const cwd = temporaryFolder();
    expect(await run(["--version"], { cwd })).toMatchObject({ code: 0, stdout: `${version}\n` });
    expect(await run(["-V"], { cwd })).toMatchObject({ code: 0, stdout: `${version}\n` });
    const json = await run(["--json", "status", "--version"], { cwd });
    expect(JSON.parse(json.stdout)).toEqual({ name: "headgate", version });
  });

  it("shows the same help for `help X` and `X --help`, sub-commands included", async () => {
    const cwd = temporaryFolder();
    const [one, other] = [
      await run(["help", "events", "verify"], { cwd }),
      await run(["events", "verify", "-h"], { cwd }),
    ];
    expect(one).toEqual(other);
    expect(one.stdout).toMatch(/^headgate events verify: /);
  });

  it("has help with usage and examples for every command, and the table repeats its summary", async () => {
    for (const [words, command] of await allCommands()) {
      const name = words.join(" ");
      expect(`${name}: ${command.usage.length > 0 && command.examples.length > 0}`).toBe(
        `${name}: true`,
      );
      for (const form of command.usage) expect(`${form} `).toContain(`${name} `);
      if (words.length === 1) expect(commandTable[name]!.summary).toBe(command.summary);
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it("gives examples that its own parser accepts", async () => {
    const lines = (await allCommands()).flatMap(([, command]) =>
      command.examples.map(([line]) => line),
    );
    for (const line of lines) {
      const [, after = ""] = /(?:^|[ (])headgate (.*)/.exec(line) ?? [];
      const all = after.match(/'[^']*'|[|<>)].*|[^\s|<>)']+/g) ?? [];
      const words = all
        .filter((word) => !/^[|<>)]/.test(word))
        .map((word) => word.replaceAll("'", ""));
      const { name, rest } = splitCommand(words);
      const { command } = await commandTable[name!]!.load();
      const subs = Object.values(command.subcommands ?? {}).map((sub) => sub.options);
      const options = Object.assign(
        {},
        ...subs,
        command.options,
        globalOptions,
      ) as Command["options"];
      expect(() => parseOptions(rest, options)).not.toThrow();
    }
  });

  it("declares options of one name with one type, and never a global option's name", async () => {
    for (const [, command] of await allCommands()) {
      for (const name of Object.keys(command.options))
        expect(Object.keys(globalOptions)).not.toContain(name);
      for (const sub of Object.values(command.subcommands ?? {})) {
        for (const [name, option] of Object.entries(sub.options)) {
          expect(command.options[name]?.type ?? option.type).toBe(option.type);
        }
      }
    }
  });

  it.each([
    [["statsu"], 'unknown command "statsu"; did you mean "status"?'],
    [["status", "--jsno"], 'unknown option "--jsno"; did you mean "--json"?'],
    [["events", "verfy"], 'unknown sub-command "verfy"; did you mean "verify"?'],
    [
      ["events", "verify", "--follow"],
      "option --follow does not belong to `headgate events verify`",
    ],
    [["status", "surplus"], 'unknown argument "surplus"'],
    [["help", "nope"], 'unknown command or topic "nope"'],
    [["__proto__"], 'unknown command "__proto__"'],
    [["events", "constructor"], 'unknown sub-command "constructor"'],
  ])("answers %j with one line, where to look, and exit code 2", async (args, message) => {
    const { code, stdout, stderr } = await run(args, { cwd: temporaryFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^headgate: .*\n {2}→ See `headgate .*--help`\. \[USAGE\]\n$/);
    expect(stderr).toContain(message);
  });

  it("prints a failure as one object on stdout with --json, wherever that stands", async () => {
    const cwd = temporaryFolder();
    for (const args of [
      ["--json", "nope"],
      ["events", "--bogus", "--json"],
      ["events", "--json", "--last", "x"],
    ]) {
      const { code, stdout, stderr } = await run(args, { cwd });
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        code: "USAGE",
        message: expect.any(String),
        remedy: expect.any(String),
        data: {},
      });
    }
  });

  it("exits with the code of the failure's kind", async () => {
    const cwd = temporaryFolder();
    const missing = await run(["status", "--repo", "nowhere"], { cwd });
    expect(missing.code).toBe(4);
    expect(missing.stderr).toContain("[REPOSITORY_NOT_FOUND]");
    const bad = await run(["status"], { cwd, env: { HEADGATE_PORT: "high" } });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("[CONFIG_INVALID]");
  });

  it("shows an unknown exception as INTERNAL with exit code 70, and its stack with --debug only", () => {
    const written = { stdout: "", stderr: "" };
    const sink = (name: "stdout" | "stderr") => ({
      write: (text: string) => (written[name] += text),
    });
    const environment = systemEnvironment();
    const output = createOutput({
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      environment,
      json: false,
      quiet: true,
      noColour: true,
    });
    const error = new TypeError("x is not\nfine", { cause: new Error("deep") });
    expect(reportFailure(error, output, { debug: false })).toBe(70);
    expect(written.stderr).toMatch(/^headgate: TypeError: x is not\n {2}→ .* \[INTERNAL\]\n$/);
    expect(reportFailure(error, output, { debug: true })).toBe(70);
    expect(written.stderr).toMatch(/at .*program\.test\.ts/);
    expect(written.stderr).toContain("caused by:");
    expect(reportFailure(new HeadgateError("INTERRUPTED", "x"), output, { debug: false })).toBe(
      130,
    );
    expect(written.stdout).toBe("");
  });

  it("an unknown command is answered as JSON where that was asked for", async () => {
    const { code, stdout, stderr } = await run(["nosuch", "--json"], { cwd: temporaryFolder() });
    expect([code, stderr]).toEqual([2, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: "USAGE" });
  });

  it.each([
    ["reviewers", "correctness"],
    ["routing", "no overrides"],
    ["findings", "findings"],
    ["run", "no runs yet"],
    ["state", "nothing left over"],
    ["edit", "no edits yet"],
  ])("`headgate %s` alone shows how things are", async (name, said) => {
    const { code, stdout, stderr } = await run([name], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    expect(stdout + stderr).toContain(said);
    expect((await run([name, "--help"], { cwd: temporaryFolder() })).stdout).toContain("Alone: ");
    expect((await run([name, "nosuch"], { cwd: temporaryFolder() })).code).toBe(2);
  });

  it("E-10 a diff in colours has its colours and nothing of them as text", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, "a.txt"), "one\n");
    const change = ["edit", "replace", "a.txt", "--old", "one", "--new", "two", "--yes"];
    const { stdout } = await run(change, { cwd, env: { FORCE_COLOR: "1" } });
    expect(stdout).toContain("\u001b[31m-one\u001b[39m\n\u001b[32m+two\u001b[39m\n");
    expect(stdout).not.toContain("\\u001b");
  });

  it("colours only for terminals and FORCE_COLOR, and never with --no-color", async () => {
    const cwd = temporaryFolder();
    const colours = async (env: Record<string, string>, ...args: string[]) =>
      (await run(["--help", ...args], { cwd, env })).stdout.includes("\u001b[");
    expect(await colours({})).toBe(false);
    expect(await colours({ FORCE_COLOR: "1" })).toBe(true);
    expect(await colours({ FORCE_COLOR: "0" })).toBe(false);
    expect(await colours({ FORCE_COLOR: "1" }, "--no-color")).toBe(false);
    expect(await colours({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(await colours({ FORCE_COLOR: "1", NO_COLOR: "" })).toBe(true);
    const { stderr } = await run(["nope"], { cwd, env: { NO_COLOR: "1" } });
    expect(stderr).not.toContain("\u001b");
  });

  it("says one clear line under a Node.js that is too old", async () => {
    const cwd = temporaryFolder();
    const preload = join(cwd, "old.cjs");
    for (const [old, napi] of [
      ["12.22.12", "8"],
      ["20.20.2", "9"],
      ["22.13.1", "9"],
      ["23.5.0", "9"],
    ] as const) {
      const versions = `{ ...process.versions, node: "${old}", napi: "${napi}" }`;
      writeFileSync(preload, `Object.defineProperty(process, "versions", { value: ${versions} });`);
      const { code, stdout, stderr } = await run(["status"], { cwd, nodeArgs: ["-r", preload] });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^headgate: needs Node\.js 22\.14 or newer, found \S+; .*\[NODE_TOO_OLD\]\n$/,
      );
      expect(stderr).toContain(old);
    }
  });

  it("ends quietly with 0 when the reader of its output goes away", async () => {
    const cwd = temporaryFolder();
    const program = start(["completion", "fish"], { cwd });
    program.child.stdout!.destroy();
    expect(await program.ended).toMatchObject({ code: 0, stderr: "" });
    const following = start(["events", "--follow"], { cwd });
    following.child.stdout!.destroy();
    following.child.kill("SIGTERM");
    expect(await following.ended).toMatchObject({ stderr: "" });
  });

  it("ends with 130 when it is interrupted while it waits for input", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const cwd = temporaryFolder();
      const program = start(["state", "write", "x.json", "--debug"], { cwd, input: "open" });
      await untilRead(program, '{"half":');
      program.child.kill(signal);
      const { code, stdout, stderr } = await program.ended;
      expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
      expect(stderr).toContain("[INTERRUPTED]");
      expect(existsSync(join(cwd, "x.json"))).toBe(false);
    }
  });
});
