import {
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { newId } from "../../src/base/ids.ts";
import type { EditStep } from "../../src/edit/ports.ts";
import type { FileChange } from "../../src/edit/types.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { afterFive, applyAt, fiveChanges, journalOf, layOut, modify, treeOf } from "./scene.ts";

const newScene = (): string => {
  const root = temporaryFolder();
  layOut(root);
  return root;
};

const create = (path: string, text = "x\n", mode?: number): FileChange => ({
  path,
  kind: "create",
  before: null,
  after: Buffer.from(text),
  ...(mode !== undefined && { mode }),
});

describe("applying an edit", () => {
  it("E-11 writes all files, keeps modes, makes folders, and leaves nothing else behind", async () => {
    const root = newScene();
    const before = treeOf(root);
    const id = newId("edit");
    const result = await applyAt(root, fiveChanges(), { id });
    expect(result).toMatchObject({ ok: true, id });
    expect(treeOf(root)).toEqual(afterFive(before));
    expect(journalOf(root)).toEqual([`open/${id}.applied.json`]);
  });

  it("E-11 a new file gets what the umask leaves, an executable one its bit", async () => {
    const root = temporaryFolder();
    await applyAt(root, [create("plain.txt"), create("run.sh", "#!/bin/sh\n", 0o755)]);
    const mode = (0o666 & ~systemFiles.umask()).toString(8);
    expect(treeOf(root)["plain.txt"]).toMatch(new RegExp(`^${mode} 1 `));
    expect(treeOf(root)["run.sh"]).toMatch(/^755 1 /);
  });

  it("E-11 leaves the folder of a deleted file", async () => {
    const root = newScene();
    await applyAt(root, fiveChanges().slice(2, 3));
    expect(existsSync(join(root, "docs"))).toBe(true);
    expect(existsSync(join(root, "docs/old.md"))).toBe(false);
  });

  it("E-11 a name that differs only in case can take the place of another", async () => {
    const root = temporaryFolder();
    put(join(root, "Readme.md"), "a\n");
    const gone: FileChange = {
      path: "Readme.md",
      kind: "delete",
      before: Buffer.from("a\n"),
      after: null,
    };
    expect(await applyAt(root, [create("README.md", "a\n"), gone])).toMatchObject({ ok: true });
    expect(Object.keys(treeOf(root))).toEqual(["README.md"]);
  });
});

describe("G3 what is not as it was seen is not written", () => {
  const steps: readonly EditStep[] = ["kept", "recorded", "temporary", "prepared"];
  const thirdParties: readonly (readonly [string, (root: string) => void])[] = [
    ["changes a file", (root) => writeFileSync(join(root, "src/data.bin"), "theirs")],
    ["removes a file", (root) => rmSync(join(root, "docs/old.md"))],
    [
      "makes the new file",
      (root) => writeFileSync(join(root, "src/empty.ts"), "theirs", { mode: 0o644 }),
    ],
    [
      "replaces a file",
      (root) => {
        writeFileSync(join(root, "theirs"), "theirs");
        renameSync(join(root, "theirs"), join(root, "src/app.ts"));
      },
    ],
  ];
  it.each(thirdParties)("STALE_VIEW when somebody %s before the check", async (_what, act) => {
    for (const step of steps) {
      const root = newScene();
      let expected: Record<string, string> | undefined;
      const result = await applyAt(root, fiveChanges(), {
        onStep: (at) => {
          if (at !== step || expected) return;
          const temporaries = Object.keys(treeOf(root)).filter((path) =>
            path.includes("headgate-"),
          );
          act(root);
          expected = treeOf(root);
          for (const path of [...temporaries, "new/", "new/deep/"]) delete expected[path];
        },
      });
      expect(result, step).toMatchObject({ ok: false, code: "STALE_VIEW" });
      expect(treeOf(root), step).toEqual(expected);
      expect(journalOf(root), step).toEqual([]);
    }
  });

  it.each(thirdParties)(
    "STALE_VIEW when somebody %s between the check and its rename: all others are taken back",
    async (_what, act) => {
      const root = newScene();
      const before = treeOf(root);
      let theirs: Record<string, string> = {};
      const result = await applyAt(root, fiveChanges(), {
        onStep: (at) => {
          if (at !== "checked") return;
          act(root);
          theirs = treeOf(root);
        },
      });
      expect(result).toMatchObject({ ok: false, code: "STALE_VIEW" });
      const changed = Object.keys({ ...theirs, ...before }).filter(
        (path) => !path.includes("headgate-") && !path.startsWith("new/"),
      );
      for (const path of changed) expect(treeOf(root)[path], path).toBe(theirs[path]);
      expect(Object.keys(treeOf(root)).filter((path) => /headgate-|^new/.test(path))).toEqual([]);
    },
  );

  it("STALE_VIEW at once when the base is old, without a trace", async () => {
    const root = newScene();
    const before = treeOf(root);
    const [, change] = fiveChanges();
    const result = await applyAt(root, [{ ...change!, before: Buffer.from("older") }]);
    expect(result).toMatchObject({ ok: false, code: "STALE_VIEW", path: "src/app.ts" });
    expect(treeOf(root)).toEqual(before);
    expect(journalOf(root)).toEqual([]);
  });
});

describe("what an edit may not touch", () => {
  const outside = (): string => put(join(temporaryFolder(), "secret"), "secret");
  const kinds: readonly (readonly [string, (root: string) => FileChange])[] = [
    [
      "a link",
      (root) => {
        symlinkSync(outside(), join(root, "link.txt"));
        return { ...create("link.txt"), kind: "modify", before: Buffer.from("secret") };
      },
    ],
    [
      "a dangling link",
      (root) => {
        symlinkSync(join(root, "nowhere"), join(root, "link.txt"));
        return create("link.txt");
      },
    ],
    [
      "a file behind a link",
      (root) => {
        mkdirSync(join(root, "real"));
        symlinkSync("real", join(root, "folder"));
        return create("folder/new.txt");
      },
    ],
    [
      "a file with another name",
      (root) => {
        linkSync(outside(), join(root, "hard.txt"));
        return { ...create("hard.txt"), kind: "modify", before: Buffer.from("secret") };
      },
    ],
    [
      "a folder",
      (root) => {
        mkdirSync(join(root, "folder"));
        return create("folder");
      },
    ],
    ["a file below a file", () => create("other.txt/below")],
  ];
  it.each(kinds)("E-11 A02 A05 A06 A07 %s is refused", async (_kind, prepare) => {
    const root = newScene();
    const change = prepare(root);
    const before = treeOf(root);
    await expect(applyAt(root, [change, create("also.txt")])).rejects.toMatchObject({
      code: "EDIT_TARGET_KIND",
    });
    expect(treeOf(root)).toEqual(before);
    expect(journalOf(root)).toEqual([]);
  });

  it("A03 A04 a folder swapped for a link during the edit leads nothing outside", async () => {
    const steps: EditStep[] = ["recorded", "temporary", "prepared", "checked", "half-written"];
    for (const step of steps) {
      const root = newScene();
      const elsewhere = temporaryFolder();
      let isSwapped = false;
      const applying = applyAt(root, [modify(root, "src/app.ts", "2"), create("src/z.ts")], {
        onStep: (at) => {
          if (at !== step || isSwapped) return;
          isSwapped = true;
          renameSync(join(root, "src"), join(root, "moved"));
          symlinkSync(elsewhere, join(root, "src"));
        },
      });
      await expect(applying, step).rejects.toMatchObject({ name: "HeadgateError" });
      expect(treeOf(elsewhere), step).toEqual({});
    }
  });

  it.each(["../x", "/etc/x", "a//b", "a/../b", "./a", "", "a\0b"])(
    "A12 the path %j",
    async (path) => {
      const root = newScene();
      await expect(applyAt(root, [create(path)])).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    },
  );

  it("what does not fit together is refused before anything is done", async () => {
    const root = newScene();
    const [one, two] = [create("a"), create("a")];
    await expect(applyAt(root, [one, two])).rejects.toMatchObject({ code: "USAGE" });
    await expect(applyAt(root, [])).rejects.toMatchObject({ code: "USAGE" });
    await expect(applyAt(root, [{ ...one, before: Buffer.alloc(1) }])).rejects.toMatchObject({
      code: "USAGE",
    });
    await expect(applyAt(root, [one], { reason: "a\0b" })).rejects.toMatchObject({ code: "USAGE" });
    const id = newId("edit");
    expect(await applyAt(root, [one], { id })).toMatchObject({ ok: true });
    await expect(applyAt(root, [create("b")], { id })).rejects.toMatchObject({ code: "USAGE" });
  });
});

describe("without handles of folders and hard links, as on other platforms", () => {
  const files = {
    ...systemFiles,
    traits: { ...systemFiles.traits, handlePaths: false },
    link: () => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    },
  };
  it("E-11 writes all files", async () => {
    const root = newScene();
    const before = treeOf(root);
    expect(await applyAt(root, fiveChanges(), { files })).toMatchObject({ ok: true });
    expect(treeOf(root)).toEqual(afterFive(before));
  });

  it("G6 takes everything back from the contents it kept", async () => {
    const root = newScene();
    const before = treeOf(root);
    let count = 0;
    const applying = applyAt(root, fiveChanges(), {
      files,
      onStep: (at) => {
        if (at === "written") count += 1;
        if (count === 4) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
      },
    });
    await expect(applying).rejects.toMatchObject({ code: "EDIT_NOT_TAKEN_BACK" });
    count = 99;
    expect(await applyAt(root, [create("next.txt")])).toMatchObject({ ok: true });
    const { "next.txt": _next, ...rest } = treeOf(root);
    expect(rest).toEqual(before);
  });
});
