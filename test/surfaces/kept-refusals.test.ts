import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { keepRefusal, readRefusal } from "../../src/surfaces/kept-refusals.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const lines = (count: number, word = "line") =>
  Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join("");

describe("what was refused", () => {
  it("is kept as the lines around the change, readable by the user alone", () => {
    const dir = temporaryFolder();
    const before = lines(100);
    const after = before.replace("line 50\n", "other\nlines\n");
    const id = keepRefusal(dir, { path: "a.txt", before, after })!;
    expect(readRefusal(dir, id)).toEqual({
      path: "a.txt",
      firstLine: 48,
      before: ["line 47", "line 48", "line 49", "line 50", "line 51", "line 52", "line 53"],
      after: ["line 47", "line 48", "line 49", "other", "lines", "line 51", "line 52", "line 53"],
      isCut: false,
    });
    expect(statSync(join(dir, "refusals", `${id}.json`)).mode & 0o077).toBe(0);
  });

  it("is bounded in size and in number", () => {
    const dir = temporaryFolder();
    const id = keepRefusal(dir, { path: "a", before: null, after: lines(50_000, "\u0001 long") })!;
    expect(readRefusal(dir, id)?.isCut).toBe(true);
    expect(statSync(join(dir, "refusals", `${id}.json`)).size).toBeLessThanOrEqual(
      limits.refusalDiffBytesMax,
    );
    const ids = Array.from({ length: limits.refusalsKeptMax + 5 }, (_, n) =>
      keepRefusal(dir, { path: "a", before: "", after: `${n}\n` })!,
    );
    expect(readdirSync(join(dir, "refusals"))).toHaveLength(limits.refusalsKeptMax);
    expect(readRefusal(dir, id)).toBeUndefined();
    expect(readRefusal(dir, ids.at(-1)!)?.after).toEqual([`${limits.refusalsKeptMax + 4}`]);
  });

  it("E05 is asked for by its id and by nothing else", () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "refusals"));
    writeFileSync(join(dir, "token.json"), '{"before":["secret"],"after":[]}');
    for (const id of [
      "../token",
      "token",
      "",
      "rf_../../token",
      "rf_000000000000000000/../../token",
    ]) {
      expect(readRefusal(dir, id)).toBeUndefined();
    }
  });

  it("nothing is kept of what is no text or no change", () => {
    const dir = temporaryFolder();
    expect(keepRefusal(dir, { path: "a", before: "x", after: "x" })).toBeUndefined();
    expect(keepRefusal(dir, { path: "a", before: null, after: "a\0b" })).toBeUndefined();
  });

  it("a hook's refusal says why, what to do, and where its change is kept", async () => {
    const place = await hookPlace();
    const file = place.file("a.json", '{ "a": 1 }\n');
    await place.before({ kind: "write", name: "Write", file, content: '{ "a": \n' });
    const [event] = await place.events("gate.refused");
    const { kept, ...data } = event!.data as Record<string, string>;
    expect(data).toMatchObject({ code: "SYNTAX_ERROR", path: "a.json", tool: "Write" });
    expect(data["message"]).not.toBe("");
    expect(data["remedy"]).not.toBe("");
    expect(readRefusal(place.headgate.repository.localDir, kept!)).toMatchObject({
      path: "a.json",
      before: ['{ "a": 1 }'],
      after: ['{ "a": '],
    });
  });

  it("a folder that cannot be written to keeps no refusal from being told", async () => {
    const place = await hookPlace();
    const file = place.file("a.json", "{}\n");
    await place.headgate.claims.claim({ targets: ["z"] });
    writeFileSync(join(place.headgate.repository.localDir, "refusals"), "in the way");
    const decision = await place.before({ kind: "write", name: "Write", file, content: "{" });
    expect(decision.kind).toBe("refuse");
    const [event] = await place.events("gate.refused");
    expect(event!.data).not.toHaveProperty("kept");
  });
});
