import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { Journal } from "../../src/edit/journal.ts";
import { type EditStep, resolvePorts } from "../../src/edit/ports.ts";
import { recoverEdits, type RecoverOptions } from "../../src/edit/recover.ts";
import { contentHash } from "../../src/state/index.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { CrashDisk } from "../simulation/crash-disk.ts";
import {
  afterFive,
  applyAt,
  dirOf,
  fiveChanges,
  journalOf,
  layOut,
  removeFolder,
  treeOf,
} from "./scene.ts";

const dead = { ...ownIdentity(), pid: 2 ** 22 - 3, startTime: "1" };

/** A tree whose edit was cut off at the n-th occurrence of a step, as by the death of `owner`. */
const cutOff = async (step: EditStep, count = 1, owner = dead) => {
  const root = temporaryFolder();
  layOut(root);
  const before = treeOf(root);
  const id = newId("edit");
  let seen = 0;
  const applying = applyAt(root, fiveChanges(), {
    id,
    owner,
    onStep: (at) => {
      if (at === step) seen += 1;
      if (seen >= count) throw new Error("cut off");
    },
  });
  await expect(applying).rejects.toThrow(/cut off/);
  return { root, id, before, after: afterFive(before) };
};

const recover = (root: string, more: Partial<RecoverOptions> = {}) =>
  recoverEdits({ root, dir: dirOf(root), removeFolder, ...more });

describe("recovery of edits", () => {
  it("G6 believes the records after a power cut, wherever the first process to edit was killed", async () => {
    let isKilled = true;
    for (let at = 1; isKilled; at += 1) {
      const root = temporaryFolder();
      layOut(root);
      // Of names that are not synced a power cut leaves none.
      const disk = new CrashDisk(temporaryFolder(), () => 0);
      const first = disk.door();
      first.arm(at, "kill");
      try {
        new Journal(dirOf(root), resolvePorts({ files: first.files })).prepare();
      } catch (error) {
        if (!first.isDead) throw error;
      }
      isKilled = first.isDead;
      first.end();
      const id = newId("edit");
      const { files } = disk.door();
      expect(await applyAt(root, fiveChanges(), { id, files, owner: dead })).toMatchObject({ id });
      disk.cutPower(root);
      expect(journalOf(root)).toEqual([`open/${id}.applied.json`]);
      expect(await recover(root), `killed at call ${at}`).toMatchObject({ failures: [] });
    }
  });

  it("G6 has nothing to do where nothing was ever edited", async () => {
    const root = temporaryFolder();
    expect(await recover(root)).toEqual({
      finished: [],
      takenBack: [],
      recorded: [],
      left: [],
      conflicts: [],
      failures: [],
    });
    expect(treeOf(root)).toEqual({});
  });

  it("G6 leaves the edit of a living process alone, and of one it knows nothing about", async () => {
    for (const state of ["alive", "unknown"] as const) {
      const { root, id } = await cutOff("written", 3);
      const half = treeOf(root);
      const probe = () => ({ state, evidence: ["because"] });
      expect(await recover(root, { probe })).toMatchObject({
        left: [{ id, evidence: ["because"] }],
      });
      expect(treeOf(root)).toEqual(half);
      expect(await recover(root)).toMatchObject({ left: [], takenBack: [id] });
    }
  });

  it("G6 the next edit takes back what a dead process left, before it looks at its files", async () => {
    const { root, before } = await cutOff("written", 4);
    expect(treeOf(root)).not.toEqual(before);
    const [, second] = fiveChanges();
    expect(await applyAt(root, [second!])).toMatchObject({ ok: true });
    expect(treeOf(root)).toEqual({ ...before, "src/app.ts": afterFive(before)["src/app.ts"] });
  });

  it("G6 an edit that was complete is finished, whatever somebody wrote on top of it", async () => {
    const { root, id, after } = await cutOff("synced");
    // The failure was answered with a take-back that did not get far; make it a death while writing.
    const journal = new Journal(dirOf(root), resolvePorts({}));
    const [open] = journal.list();
    journal.move(id, open!.phase, "writing");
    put(join(root, "src/app.ts"), "theirs\n");
    expect(await recover(root)).toMatchObject({ finished: [id], conflicts: [] });
    const { "src/app.ts": theirs, ...rest } = treeOf(root);
    expect(theirs).toContain(Buffer.from("theirs\n").toString("base64"));
    const { "src/app.ts": _ours, ...others } = after;
    expect(rest).toEqual(others);
  });

  const thirdParties: readonly (readonly [string, string, (root: string) => void])[] = [
    ["changed", "src/app.ts", (root) => writeFileSync(join(root, "src/app.ts"), "theirs")],
    ["deleted", "src/app.ts", (root) => rmSync(join(root, "src/app.ts"))],
    [
      "wrote into the new",
      "new/deep/tool.sh",
      (root) => writeFileSync(join(root, "new/deep/tool.sh"), "theirs"),
    ],
    [
      "made the deleted",
      "docs/old.md",
      (root) => writeFileSync(join(root, "docs/old.md"), "theirs"),
    ],
    [
      "put a link for the deleted",
      "docs/old.md",
      (root) => symlinkSync("/etc/hosts", join(root, "docs/old.md")),
    ],
  ];
  it.each(thirdParties)(
    "G6 never overwrites what somebody else %s file: it is named, the record kept, the rest taken back",
    async (_what, path, act) => {
      const { root, id, before } = await cutOff("written", 4);
      act(root);
      const theirs = treeOf(root)[path];
      expect(await recover(root)).toMatchObject({ takenBack: [], conflicts: [{ id, path }] });
      expect(treeOf(root)[path]).toBe(theirs);
      const files = ["docs/old.md", "src/app.ts", "src/data.bin", "src/empty.ts"];
      for (const one of files.filter((name) => name !== path)) {
        expect(treeOf(root)[one], one).toBe(before[one]);
      }
      expect(journalOf(root)).toEqual([`open/${id}.returning.json`]);
      expect(await recover(root)).toMatchObject({ conflicts: [{ id, path }] });
      // Said to be settled: theirs stays, and nothing of ours is left.
      expect(await recover(root, { acceptConflictsOf: [id] })).toMatchObject({ takenBack: [id] });
      expect(treeOf(root)[path]).toBe(theirs);
      expect(Object.keys(treeOf(root)).filter((name) => name.includes(".headgate-"))).toEqual([]);
      expect(journalOf(root)).toEqual([`open/${id}.rolled-back.json`]);
    },
  );

  it("G6 a conflict that somebody resolved by hand is closed by the next recovery", async () => {
    const { root, id, before } = await cutOff("written", 4);
    writeFileSync(join(root, "src/app.ts"), "theirs");
    expect(await recover(root)).toMatchObject({ conflicts: [{ id }] });
    writeFileSync(join(root, "src/app.ts"), "export const a = 1;\r\n");
    expect(await recover(root)).toMatchObject({ takenBack: [id], conflicts: [] });
    expect(treeOf(root)).toEqual(before);
  });

  it("G6 a file that was changed before its turn is not our business", async () => {
    const { root, id, before } = await cutOff("written", 2);
    writeFileSync(join(root, "src/data.bin"), "theirs");
    expect(await recover(root)).toMatchObject({ takenBack: [id], conflicts: [] });
    expect(readFileSync(join(root, "src/data.bin"), "utf8")).toBe("theirs");
    expect(treeOf(root)["docs/old.md"]).toBe(before["docs/old.md"]);
  });

  it("G6 a damaged record or content is told and kept; nothing is made of it", async () => {
    const { root, id, before } = await cutOff("written", 4);
    const [record = ""] = journalOf(root);
    const text = readFileSync(join(dirOf(root), record));
    writeFileSync(join(dirOf(root), record), text.subarray(0, 50));
    const half = treeOf(root);
    expect(await recover(root)).toMatchObject({
      failures: [{ id, error: { code: "EDIT_JOURNAL_DAMAGED" } }],
    });
    expect(treeOf(root)).toEqual(half);
    writeFileSync(join(dirOf(root), record), text);
    // Without the old files only the kept contents are left, and they must be right.
    const old = Object.keys(half).find((path) => path.endsWith(".old") && path.startsWith("src/"));
    rmSync(join(root, old!));
    const blob = join(dirOf(root), "blobs", contentHash("export const a = 1;\r\n"));
    writeFileSync(blob, "wrong");
    expect(await recover(root)).toMatchObject({
      failures: [{ id, error: { code: "EDIT_JOURNAL_DAMAGED" } }],
    });
    writeFileSync(blob, "export const a = 1;\r\n");
    expect(await recover(root)).toMatchObject({ takenBack: [id], failures: [] });
    expect(treeOf(root)).toEqual(before);
  });

  it("G6 two recoveries at once come to one end", async () => {
    const { root, before } = await cutOff("written", 4);
    const both = await Promise.all([recover(root), recover(root), recover(root)]);
    expect(both.flatMap(({ takenBack }) => takenBack)).toHaveLength(1);
    expect(both.flatMap(({ failures }) => failures)).toEqual([]);
    expect(treeOf(root)).toEqual(before);
  });
});
