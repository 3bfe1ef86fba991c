import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workingTree } from "../../src/gate/index.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

describe("what the gate sees of a path", () => {
  it("E-04 links, folders and other names are told; links are not followed", () => {
    const root = temporaryFolder();
    put(join(root, "a.py"), "x = 1\n");
    mkdirSync(join(root, "sub"));
    symlinkSync("a.py", join(root, "link.py"));
    symlinkSync("sub", join(root, "way"));
    const { facts, read } = workingTree(root);
    expect(facts?.("a.py")).toEqual({ kind: "file", otherNames: 0 });
    expect(facts?.("sub")).toMatchObject({ kind: "folder" });
    expect(facts?.("link.py")).toMatchObject({ kind: "link" });
    expect(facts?.("way/b.py")).toMatchObject({ linkAbove: "way" });
    expect(facts?.("a.py/b")).toMatchObject({ fileAbove: "a.py" });
    expect(read("link.py")).toBeUndefined();
    linkSync(join(root, "a.py"), join(root, "b.py"));
    expect(facts?.("a.py")).toEqual({ kind: "file", otherNames: 1 });
  });

  it("E-04 what an edit keeps beside a file for a moment is no other name of it", () => {
    const root = temporaryFolder();
    put(join(root, "sub/a.py"), "x = 1\n");
    linkSync(join(root, "sub/a.py"), join(root, "sub/.headgate-ed_1m7h9gx2mcvrvtwqq3-0.old"));
    const { facts } = workingTree(root);
    expect(facts?.("sub/a.py")).toEqual({ kind: "file", otherNames: 0 });
    linkSync(join(root, "sub/a.py"), join(root, "sub/.headgate-mine.old"));
    expect(facts?.("sub/a.py")).toEqual({ kind: "file", otherNames: 1 });
  });
});
