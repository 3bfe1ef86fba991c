import { describe, expect, it } from "vitest";
import { parseOptions, splitCommand } from "../../../src/surfaces/cli/arguments.ts";
import { createFlags } from "../../../src/surfaces/cli/flags.ts";
import type { Option } from "../../../src/surfaces/cli/command.ts";
import { HeadgateError } from "../../../src/errors.ts";

const options: Record<string, Option> = {
  json: { type: "boolean", description: "" },
  follow: { type: "boolean", short: "f", description: "" },
  since: { type: "string", value: "CURSOR", description: "" },
  tag: { type: "string", multiple: true, description: "" },
  level: { type: "string", choices: ["low", "high"], description: "" },
};

const flags = (text: string) => createFlags({ since: text }, options, "headgate x");

const usage = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code === "USAGE") return error.message;
    throw error;
  }
  throw new Error("expected a usage error");
};

describe("command line", () => {
  it("finds the command after global options and leaves the rest to it", () => {
    expect(splitCommand(["--repo", "status", "--json", "events", "--since", "4"])).toEqual({
      values: { repo: "status", json: true },
      name: "events",
      rest: ["--since", "4"],
    });
    expect(splitCommand(["-q"])).toEqual({ values: { quiet: true }, rest: [] });
  });

  it("refuses -- before the command and options that are not global there", () => {
    expect(usage(() => splitCommand(["--", "status"]))).toContain("before --");
    expect(usage(() => splitCommand(["--follow", "events"]))).toBe('unknown option "--follow"');
    expect(usage(() => splitCommand(["--jsn", "events"]))).toBe(
      'unknown option "--jsn"; did you mean "--json"?',
    );
  });

  it("takes options in any order, grouped, inline and repeated", () => {
    expect(
      parseOptions(["a", "-f", "--since=7", "--tag", "x", "b", "--tag", "y"], options),
    ).toEqual({
      values: { follow: true, since: "7", tag: ["x", "y"] },
      positionals: ["a", "b"],
      plainCount: 2,
    });
  });

  it("counts which positionals stood before --", () => {
    expect(parseOptions(["a", "--", "-f", "--json"], options)).toEqual({
      values: {},
      positionals: ["a", "-f", "--json"],
      plainCount: 1,
    });
  });

  it.each([
    [["--sicne", "4"], 'unknown option "--sicne"; did you mean "--since"?'],
    [["--since"], "option --since needs a value: --since CURSOR"],
    [
      ["--since", "--json"],
      'option --since needs a value, but "--json" follows; if it is the value, write --since=--json',
    ],
    [["--json=yes"], 'option --json takes no value, got "yes"'],
    [["--level", "mid"], 'option --level is one of low, high; got "mid"'],
    [["-x"], 'unknown option "-x"; a value that begins with - comes after --'],
    [["--__proto__", "x"], 'unknown option "--__proto__"'],
    [["--constructor"], 'unknown option "--constructor"'],
  ])("refuses %j with one line", (args, message) => {
    expect(usage(() => parseOptions(args, options))).toBe(message);
  });

  it("reads whole numbers within bounds only", () => {
    const bounds = { min: 1, max: 10 };
    expect(flags("7").integer("since", bounds)).toBe(7);
    for (const text of ["0", "11", "1.5", "1e1", "0x1", " 1", "", "NaN", "9".repeat(40)]) {
      expect(usage(() => flags(text).integer("since", bounds))).toContain(
        "--since is a whole number",
      );
    }
  });

  it("treats asking for an undeclared flag as a defect", () => {
    expect(() => createFlags({}, options, "headgate x").has("other")).toThrow(/not declared/);
  });
});
