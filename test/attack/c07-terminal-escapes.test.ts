import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { run, type Ended } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

// Title change, clipboard write, colour, 8-bit CSI, bidi override, carriage return, backspace, bell.
const hostile =
  "a\u001b]0;owned\u0007b\u001b]52;c;AAAA\u001b\\c\u001b[2Jd\u009b31me\u202ef\rg\bh\u2028i\u200bj";
const dangerous =
  // oxlint-disable-next-line no-control-regex -- these are what must not appear.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

const isHarmless = ({ stdout, stderr }: Ended): boolean => !dangerous.test(stdout + stderr);

describe("C07 text from outside on a terminal", () => {
  it("C07 events with escapes in every field print harmlessly, one line each, and come back whole as JSON", async () => {
    const cwd = temporaryFolder();
    await using headgate = await openHeadgate({ repo: cwd });
    const data = { [hostile]: hostile, lines: "one\ntwo\nheadgate: forged line" };
    const subject = `${hostile}\nforged`;
    await headgate.events.append({ kind: "thing.made", actor: hostile, subject, data });
    const shown = await run(["events", "--last", "1"], { cwd });
    expect(isHarmless(shown)).toBe(true);
    expect(shown.stdout.split("\n"), shown.stderr).toHaveLength(2);
    const json = await run(["events", "--last", "1", "--json"], { cwd });
    expect(isHarmless(json)).toBe(true);
    expect(JSON.parse(json.stdout)).toMatchObject({
      actor: hostile,
      subject: `${hostile}\nforged`,
      data,
    });
  });

  it("C07 hostile arguments, folder names and variables print harmlessly in results and messages", async () => {
    const folder = temporaryFolder();
    const cwd = join(folder, hostile.replaceAll("/", ""));
    mkdirSync(cwd);
    for (const args of [
      ["status"],
      ["status", "--json"],
      ["config"],
      ["up", "--stop"],
      ["events", "verify"],
      [hostile],
      [`--${hostile}`],
      ["events", hostile],
      ["events", "--last", hostile],
      ["status", "--repo", hostile],
      ["--json", hostile],
      ["--debug", "status", "--repo", hostile],
    ]) {
      expect(isHarmless(await run(args, { cwd }))).toBe(true);
    }
    expect(
      isHarmless(
        await run(["status"], { cwd, env: { HEADGATE_PORT: hostile, HEADGATE_STORE: hostile } }),
      ),
    ).toBe(true);
  });
});
