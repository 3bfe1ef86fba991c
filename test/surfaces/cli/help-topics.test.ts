import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { helpDocument, manPage } from "../../../scripts/help-pages.ts";
import { commandTable, globalOptions } from "../../../src/surfaces/cli/command-table.ts";
import { helpTopics } from "../../../src/surfaces/cli/help-topics.ts";
import { run as runIn } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../../..");
const run = (args: string[]) => runIn(args, { cwd: temporaryFolder() });
const topics = Object.entries(helpTopics);

/** Every `  headgate …` of the texts, without what stands two blanks behind it. */
const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/^ {2}headgate (.+)$/gm)].map(([, line = ""]) =>
    (line.split(/ {2,}/)[0] ?? "").split(" "),
  );

describe("help topics", () => {
  it("are printed by `headgate help TOPIC`, and the first screen names them all", async () => {
    const first = (await run(["--help"])).stdout;
    for (const [name, { text }] of topics) {
      expect(first).toContain(name);
      const { stdout, code } = await run(["help", name]);
      expect(code).toBe(0);
      expect(stdout).toContain(text);
    }
  });

  it("tell the command of the same name as well", async () => {
    const { stdout } = await run(["help", "ci"]);
    expect(stdout).toContain("Usage");
    expect(stdout).toContain("About ci");
  });

  it("offer the nearest name for an unknown one", async () => {
    const { stderr, code } = await run(["help", "postgress"]);
    expect(code).toBe(2);
    expect(stderr).toContain('unknown command or topic "postgress"; did you mean "postgres"?');
  });

  it.each(topics)("%s fits on a page", (_, { text }) => {
    const lines = text.split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(88);
  });

  it.each(topics)("%s names only commands and options that exist", async (_, { text }) => {
    for (const [name = "", ...words] of commandsIn(text)) {
      const entry = commandTable[name];
      expect(entry, name).toBeDefined();
      const { command } = await entry!.load();
      const sub = command.subcommands?.[words[0] ?? ""];
      if (command.run === undefined) expect(sub, `${name} ${words[0]}`).toBeDefined();
      // What follows --exec is another program's.
      const own = words.includes("--exec") ? words.slice(0, words.indexOf("--exec") + 1) : words;
      for (const word of own.filter((one) => one.startsWith("--"))) {
        const options = { ...command.options, ...sub?.options, ...globalOptions };
        expect(Object.keys(options), `${name} ${word}`).toContain(word.slice(2));
      }
    }
  });

  it.each(topics)("%s names only documents that exist", (_, { text }) => {
    for (const [path] of text.matchAll(/docs\/[\w-]+\.md/g)) {
      expect(existsSync(resolve(root, path)), path).toBe(true);
    }
  });
});

describe("generated help pages", () => {
  it("are current: run `npm run generate` after changing a command or a topic", async () => {
    expect(readFileSync(resolve(root, "docs/help.md"), "utf8")).toBe(helpDocument());
    expect(readFileSync(resolve(root, "man/headgate.1"), "utf8")).toBe(await manPage());
  });

  it("hold every command, and no line that roff would take for one of its own", async () => {
    const page = await manPage();
    for (const name of Object.keys(commandTable)) {
      expect(page).toContain(`.SS headgate ${name.replaceAll("-", "\\-")}\n`);
    }
    const requests = new Set(page.match(/^\.\S+/gm));
    const known = new Set([
      ".TH",
      ".SH",
      ".SS",
      ".B",
      ".I",
      ".TP",
      ".PP",
      ".br",
      ".nf",
      ".fi",
      '.\\"',
    ]);
    expect([...requests].filter((one) => !known.has(one))).toEqual([]);
  });

  it("are understood by man where it is installed", ({ skip }) => {
    const told = spawnSync("man", ["--warnings", "-l", "man/headgate.1"], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8", MANWIDTH: "100", MANPAGER: "cat" },
    });
    if (told.error) skip("man is not installed");
    expect(told.stderr).toBe("");
    expect(told.stdout).toContain("headgate claim");
  });
});
