import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { checkState, recoverState, type StateReport } from "../../src/state/index.ts";
import { newText, oldText, putOrphan } from "../fault/state-operations.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const read = (folder: string, name = "state.json"): string =>
  readFileSync(join(folder, name), "utf8");
const actions = ({ temporaries }: StateReport): string[] =>
  temporaries.map(({ decision }) => decision.action);
const withTarget = (content = oldText): string => {
  const folder = temporaryFolder();
  put(join(folder, "state.json"), content);
  return folder;
};

describe("checkState", () => {
  it("S-04 lists orphans with target, owner, age, completeness and validity; changes nothing", async () => {
    const folder = withTarget();
    const complete = putOrphan(folder, { base: oldText, ageMs: 60_000 });
    const torn = putOrphan(folder, { base: oldText, written: "{" });
    const invalid = putOrphan(folder, { base: oldText, content: "{" });
    const before = readdirSync(folder).toSorted();
    const report = await checkState([folder]);
    expect(report.isClean).toBe(false);
    const byPath = new Map(report.temporaries.map((one) => [one.path, one]));
    const target = join(folder, "state.json");
    expect(byPath.get(complete)).toMatchObject({
      target,
      owner: { pid: 1, state: "dead", evidence: [expect.any(String), expect.any(String)] },
      bytes: newText.length,
      isComplete: true,
      problem: null,
      decision: { action: "promote", reason: expect.stringMatching(/on top of the present/) },
    });
    expect(byPath.get(complete)!.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(byPath.get(torn)).toMatchObject({ isComplete: false, decision: { action: "discard" } });
    expect(byPath.get(invalid)).toMatchObject({
      isComplete: true,
      problem: { message: expect.stringMatching(/not JSON/) },
      decision: { action: "discard" },
    });
    expect(readdirSync(folder).toSorted()).toEqual(before);
  });

  it("S-04 looks at one named file, or everywhere below a folder", async () => {
    const folder = temporaryFolder();
    const deep = join(folder, "a/b");
    mkdirSync(deep, { recursive: true });
    putOrphan(deep, {});
    putOrphan(folder, { target: "other.json" });
    put(join(folder, "state.json"), "{}");
    expect((await checkState([folder])).temporaries).toHaveLength(2);
    expect(await checkState([join(folder, "state.json")])).toMatchObject({ isClean: true });
    expect((await checkState([join(folder, "other.json")])).temporaries).toHaveLength(1);
    await expect(checkState([join(folder, "none.json")])).rejects.toMatchObject({
      code: "STATE_NOT_FOUND",
    });
  });

  it("S-10 judges named files, files of a named folder and .headgate, but no fixtures below", async () => {
    const folder = temporaryFolder();
    put(join(folder, "bad.json"), "{");
    put(join(folder, "fine.jsonc"), "// c\n{}");
    put(join(folder, "test/broken.json"), "{");
    put(join(folder, ".headgate/local/bad.yaml"), "a: [");
    put(join(folder, "node_modules/bad.json"), "{");
    const report = await checkState([folder]);
    expect(report.corrupt.map(({ path }) => path).toSorted()).toEqual(
      [".headgate/local/bad.yaml", "bad.json"].map((name) => join(folder, name)),
    );
    const named = await checkState([join(folder, "test/broken.json")]);
    expect(named.corrupt).toHaveLength(1);
  });
});

describe("recoverState", () => {
  it("S-05 promotes a finished temporary made on top of the present content", async () => {
    const folder = withTarget();
    chmodSync(join(folder, "state.json"), 0o640);
    putOrphan(folder, { base: oldText });
    expect(actions(await recoverState([folder]))).toEqual(["promote"]);
    expect(read(folder)).toBe(newText);
    expect(statSync(join(folder, "state.json")).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(await recoverState([folder])).toMatchObject({ isClean: true, temporaries: [] });
  });

  it("S-05 never replaces newer content by an older temporary, whatever the times say", async () => {
    const folder = withTarget('{"newer": true}');
    putOrphan(folder, { base: oldText, ageMs: -3_600_000 });
    putOrphan(folder, { ageMs: -3_600_000 });
    expect(actions(await recoverState([folder]))).toEqual(["discard", "discard"]);
    expect(read(folder)).toBe('{"newer": true}');
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("S-05 never promotes torn or invalid content, not even for a missing file", async () => {
    const folder = temporaryFolder();
    putOrphan(folder, { written: newText.slice(0, -3) });
    putOrphan(folder, { written: "" });
    putOrphan(folder, { content: "not json" });
    putOrphan(folder, { written: newText.replace("2", "3") });
    expect(actions(await recoverState([folder]))).toEqual(Array(4).fill("discard"));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("S-05 leaves the temporaries of living and of unknown processes alone", async () => {
    const folder = withTarget();
    putOrphan(folder, { base: oldText, owner: ownIdentity() });
    putOrphan(folder, { base: oldText, owner: { host: "elsewhere" } });
    putOrphan(folder, { base: oldText, owner: { pidNamespace: "pid:[1]" } });
    putOrphan(folder, { written: "torn", owner: { host: "elsewhere" } });
    const before = readdirSync(folder);
    const report = await recoverState([folder]);
    expect(actions(report)).toEqual(Array(4).fill("leave"));
    expect(report.isClean).toBe(false);
    expect(readdirSync(folder)).toEqual(before);
    expect(read(folder)).toBe(oldText);
  });

  it("S-05 a process of an earlier boot is dead", async () => {
    const folder = withTarget();
    const owner = { ...ownIdentity(), bootId: "earlier" };
    putOrphan(folder, { base: oldText, owner });
    expect(actions(await recoverState([folder]))).toEqual(["promote"]);
  });

  it("S-05 never touches foreign files, links or folders of such names", async () => {
    const folder = withTarget();
    const orphan = putOrphan(folder, { base: oldText });
    const name = orphan.slice(folder.length + 1);
    for (const foreign of ["state.json.tmp", "state.json.tmp.123", ".state.json.swp", "x.tmp"]) {
      put(join(folder, foreign), "foreign");
    }
    symlinkSync("state.json", join(folder, name.replace(/.{5}\.tmp$/, "aaaaa.tmp")));
    mkdirSync(join(folder, name.replace(/.{5}\.tmp$/, "bbbbb.tmp")));
    // Another program's temporary is named, and left.
    expect(actions(await recoverState([folder]))).toEqual(["promote", "leave"]);
    expect(readdirSync(folder)).toHaveLength(7);
    expect(actions(await recoverState([folder]))).toEqual(["leave"]);
  });

  it("S-05 of several finished temporaries the newest wins; equally new ones are left", async () => {
    const folder = withTarget();
    const newest = '{"newest": 1}';
    putOrphan(folder, { base: oldText, ageMs: 5000 });
    putOrphan(folder, { base: oldText, content: newest, ageMs: 1000 });
    const report = await recoverState([folder]);
    expect(actions(report).toSorted()).toEqual(["discard", "promote"]);
    expect(read(folder)).toBe(newest);

    const other = temporaryFolder();
    for (const content of ["[1]", "[2]"]) utimesSync(putOrphan(other, { content }), 1000, 1000);
    expect(actions(await recoverState([other]))).toEqual(["leave", "leave"]);
    expect(readdirSync(other)).toHaveLength(2);
  });

  it("S-05 promotes for a missing file, also one whose name is too long to repeat", async () => {
    const folder = temporaryFolder();
    putOrphan(folder, {});
    await recoverState([folder]);
    expect(read(folder)).toBe(newText);
    const long = temporaryFolder();
    const target = `${"n".repeat(200)}.json`;
    putOrphan(long, { target });
    expect(actions(await recoverState([long]))).toEqual(["leave"]);
    expect(actions(await recoverState([join(long, target)]))).toEqual(["promote"]);
    expect(read(long, target)).toBe(newText);
    putOrphan(long, { target, base: newText, content: "[]" });
    expect(actions(await recoverState([long]))).toEqual(["promote"]);
  });

  it("S-05 a write that was linked but not yet cleaned up is only cleaned up", async () => {
    const folder = withTarget(newText);
    putOrphan(folder, {});
    const report = await recoverState([folder]);
    expect(report.temporaries[0]?.decision).toMatchObject({
      action: "discard",
      reason: expect.stringMatching(/already/),
    });
  });

  it("S-10 sets a corrupt file aside under a name of its own, each time", async () => {
    const folder = withTarget("{");
    const first = await recoverState([join(folder, "state.json")]);
    put(join(folder, "state.json"), "[");
    const second = await recoverState([join(folder, "state.json")]);
    const names = [first, second].map((one) => one.corrupt[0]!.quarantine!);
    expect(names[0]).toMatch(/state\.json\.corrupt-\d{8}T\d{9}Z/);
    expect(names.map((name) => readFileSync(name, "utf8"))).toEqual(["{", "["]);
    expect(existsSync(join(folder, "state.json"))).toBe(false);
    expect(first.corrupt[0]).toMatchObject({ kind: "json", problem: { line: 1 } });
  });

  it("S-10 a broken file that only lies in a named folder is reported, not moved", async () => {
    const folder = temporaryFolder();
    const path = put(join(folder, "tsconfig.json"), '{ "strict": true, } // fine for its program');
    expect(await recoverState([folder])).toMatchObject({ isClean: true, corrupt: [] });
    put(path, '{ "strict": ');
    const report = await recoverState([folder]);
    expect(report).toMatchObject({
      isClean: false,
      corrupt: [{ path, decision: { action: "leave" } }],
    });
    expect(readdirSync(folder)).toEqual(["tsconfig.json"]);
    await recoverState([path]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^tsconfig\.json\.corrupt-/)]);
  });

  it("S-10 never overwrites an earlier quarantine, even in the same millisecond", async () => {
    const folder = withTarget("{");
    const clock = {
      wallMs: () => 0,
      monoMs: () => 0,
      sleep: async () => {},
      sleepSync: () => {},
      yield: async () => {},
    };
    await recoverState([join(folder, "state.json")], { clock });
    put(join(folder, "state.json"), "[");
    await recoverState([join(folder, "state.json")], { clock });
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual([
      "state.json.corrupt-19700101T000000000Z",
      "state.json.corrupt-19700101T000000000Z-2",
    ]);
    expect(names.map((name) => read(folder, name))).toEqual(["{", "["]);
  });

  it("S-10 an interrupted quarantine is finished, not repeated", async () => {
    const folder = withTarget("{");
    const earlier = join(folder, "state.json.corrupt-20260101T000000000Z");
    linkSync(join(folder, "state.json"), earlier);
    const report = await recoverState([join(folder, "state.json")]);
    expect(report.corrupt[0]?.quarantine).toBe(earlier);
    expect(readdirSync(folder)).toEqual(["state.json.corrupt-20260101T000000000Z"]);
  });

  it("S-10 a finished temporary takes a corrupt file's place; a doubtful one keeps it there", async () => {
    const folder = withTarget("{");
    const doubtful = putOrphan(folder, { owner: { host: "elsewhere" } });
    const first = await recoverState([join(folder, "state.json")]);
    expect(first.corrupt[0]?.decision.action).toBe("leave");
    expect(read(folder)).toBe("{");
    expect(existsSync(doubtful)).toBe(true);
    putOrphan(folder, { base: "whatever it was", content: "[1]" });
    const second = await recoverState([join(folder, "state.json")]);
    expect(read(folder)).toBe("[1]");
    expect(readFileSync(second.corrupt[0]!.quarantine!, "utf8")).toBe("{");
  });

  it("S-06 uses the caller's rules for what is corrupt", async () => {
    const folder = temporaryFolder();
    put(join(folder, "PLAN.md"), "# no front matter\n");
    const rulesOf = () => ({ frontMatter: ["plan"] });
    expect(await checkState([folder])).toMatchObject({ isClean: true });
    expect((await checkState([folder], { rulesOf })).corrupt).toHaveLength(1);
  });

  it("S-05 one file that cannot be recovered does not keep the others", async () => {
    const folder = temporaryFolder();
    symlinkSync("nowhere", join(folder, "a.json"));
    putOrphan(folder, { target: "a.json" });
    putOrphan(folder, { target: "b.json" });
    const report = await recoverState([folder]);
    expect(report.failures).toMatchObject([
      { path: join(folder, "a.json"), error: { code: "STATE_TARGET_KIND" } },
    ]);
    expect(read(folder, "b.json")).toBe(newText);
  });
});
