import { describe, expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { newId } from "../../src/base/ids.ts";
import { recoverEdits } from "../../src/edit/recover.ts";
import {
  afterFive,
  applyAt,
  dirOf,
  fiveChanges,
  journalOf,
  layOut,
  removeFolder,
  treeOf,
} from "../edit/scene.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

type Call = "open" | "close" | "write" | "sync" | "chmod" | "rename" | "link" | "unlink";
type Change = Call | "makeDirectory";

/** Calls that need space: what a full disk refuses for good. */
const needSpace = new Set<Change>(["write", "link", "makeDirectory"]);
const counted: readonly Change[] = [
  "open",
  "close",
  "write",
  "sync",
  "chmod",
  "rename",
  "link",
  "unlink",
  "makeDirectory",
];

/** The real files, in which the calls that `fails` names do not work. */
const failing = (fails: (call: Change, number: number) => string | undefined): Files => {
  const numbers = new Map<Change, number>();
  const wrap = <K extends Change>(call: K): Files[K] =>
    ((...args: never[]) => {
      const number = (numbers.get(call) ?? 0) + 1;
      numbers.set(call, number);
      const errno = fails(call, number);
      if (errno !== undefined) {
        // A handle is gone after a failed close all the same.
        if (call === "close") (systemFiles.close as (...all: never[]) => void)(...args);
        throw Object.assign(new Error(`${errno}: made to fail, ${call}`), { code: errno });
      }
      return (systemFiles[call] as (...all: never[]) => unknown)(...args);
    }) as Files[K];
  const wrapped = Object.fromEntries(counted.map((call) => [call, wrap(call)]));
  return { ...systemFiles, ...wrapped, traits: systemFiles.traits };
};

const countCalls = async (): Promise<Map<Change, number>> => {
  const root = temporaryFolder();
  layOut(root);
  const numbers = new Map<Change, number>();
  const files = failing((call, number) => void numbers.set(call, number));
  expect(await applyAt(root, fiveChanges(), { files })).toMatchObject({ ok: true });
  return numbers;
};

/** Before or after; what is open is closed by the next recovery. */
const disturb = async (files: Files, what: string): Promise<"before" | "after"> => {
  const root = temporaryFolder();
  layOut(root);
  const before = treeOf(root);
  const after = afterFive(before);
  const id = newId("edit");
  const outcome = await applyAt(root, fiveChanges(), { id, files }).then(
    (result) => (result.ok ? "ok" : result.code),
    (error: { code?: string; name?: string; message: string }) => {
      expect(error.name, `${what}: ${error.message}`).toBe("HeadgateError");
      return error.code ?? "";
    },
  );
  const isOpen = unfinished(root).length > 0;
  if (outcome === "ok" || outcome === "OUTCOME_UNKNOWN") {
    expect(withoutOld(treeOf(root)), what).toEqual(after);
  } else if (!isOpen) expect(treeOf(root), `${what} ${outcome}`).toEqual(before);
  else expect(outcome, what).toBe("EDIT_NOT_TAKEN_BACK");
  const recovery = await recoverEdits({ root, dir: dirOf(root), removeFolder });
  expect(recovery, what).toMatchObject({ conflicts: [], failures: [], left: [] });
  expect(unfinished(root), what).toEqual([]);
  const end = treeOf(root);
  expect([before, after], `${what} ${outcome}`).toContainEqual(end);
  const isAfter = JSON.stringify(end) === JSON.stringify(after) || "new/" in end;
  if (outcome === "ok") expect(isAfter).toBe(true);
  return isAfter ? "after" : "before";
};

/** Records that are over stay in the folder until the store knows of them. */
const unfinished = (root: string): string[] =>
  journalOf(root).filter(
    (name) => name.startsWith("open/") && !/\.(?:applied|rolled-back)\.json$/.test(name),
  );

const withoutOld = (tree: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !path.includes(".headgate-")));

describe("an edit of five files on a disk that fails", () => {
  it.each(["ENOSPC", "EACCES"])(
    "G6 E-11 %s once at every call: all before or all after",
    async (errno) => {
      const calls = await countCalls();
      let cases = 0;
      const ends = { before: 0, after: 0 };
      for (const [call, times] of calls) {
        for (let n = 1; n <= times; n += 1) {
          const files = failing((one, number) =>
            one === call && number === n ? errno : undefined,
          );
          ends[await disturb(files, `${call} ${n}`)] += 1;
          cases += 1;
        }
      }
      expect(cases).toBeGreaterThan(60);
      expect(ends.before).toBeGreaterThan(40);
    },
  );

  it("G6 E-11 a disk that is full from any call on: nothing is half written", async () => {
    const calls = await countCalls();
    const total = [...calls].reduce((sum, [call, n]) => sum + (needSpace.has(call) ? n : 0), 0);
    let refused = 0;
    for (let n = 1; n <= total; n += 1) {
      let used = 0;
      const files = failing((call) => {
        if (!needSpace.has(call)) return undefined;
        used += 1;
        return used >= n ? "ENOSPC" : undefined;
      });
      const root = temporaryFolder();
      layOut(root);
      const before = treeOf(root);
      const outcome = await applyAt(root, fiveChanges(), { files }).then(
        ({ ok }) => ok,
        (error: { code?: string }) => error.code,
      );
      // Taken back although nothing can be written any more; or done, where a rename was enough.
      expect(["STATE_DISK_FULL", true], `full from ${n}`).toContain(outcome);
      expect(treeOf(root), `full from ${n}`).toEqual(outcome === true ? afterFive(before) : before);
      if (outcome !== true) refused += 1;
    }
    expect(refused).toBeGreaterThan(15);
  });
});
