import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import {
  contentHash,
  updateFileAtomic,
  writeFileAtomic,
  writeFileAtomicSync,
} from "../../src/state/index.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const read = (path: string): string => readFileSync(path, "utf8");

/** The same real files, with the traits of other platforms. */
const platforms: Readonly<Record<string, Files>> = {
  "names through the folder's handle": systemFiles,
  "names by path": { ...systemFiles, traits: { ...systemFiles.traits, handlePaths: false } },
  "a lock beside the file, no folder handle": {
    ...systemFiles,
    traits: { handlePaths: false, directoryHandles: false, replaceOpenFiles: false },
  },
};

describe.each(Object.entries(platforms))("writeFileAtomic with %s", (name, files) => {
  const visible = (folder: string): string[] =>
    readdirSync(folder).filter((entry) => !entry.endsWith(".lock"));

  it("S-01 creates and replaces a file and leaves nothing else", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "state.json");
    const result = await writeFileAtomic(path, "one", { files });
    expect(result).toEqual({ path, hash: contentHash("one"), bytes: 3 });
    expect(read(path)).toBe("one");
    writeFileAtomicSync(path, Buffer.from("two"), { files });
    expect(read(path)).toBe("two");
    expect(visible(folder)).toEqual(["state.json"]);
  });

  it("S-02 writes only over the expected content", async () => {
    const path = join(temporaryFolder(), "a");
    await writeFileAtomic(path, "one", { files, expect: null });
    const stale = { code: "STATE_CHANGED", data: { present: contentHash("one") } };
    await expect(writeFileAtomic(path, "two", { files, expect: null })).rejects.toMatchObject(
      stale,
    );
    await expect(
      writeFileAtomic(path, "two", { files, expect: contentHash("zero") }),
    ).rejects.toMatchObject(stale);
    await writeFileAtomic(path, "two", { files, expect: contentHash("one") });
    expect(read(path)).toBe("two");
  });

  it("S-02 two updaters in one process do not lose each other", async () => {
    const path = put(join(temporaryFolder(), "count"), "0");
    const count = () => updateFileAtomic(path, (present) => String(Number(present) + 1), { files });
    const countLater = () =>
      updateFileAtomic(path, async (present) => String(Number(present) + 1), { files });
    await Promise.all([count(), countLater(), count(), countLater(), count(), count()]);
    expect(read(path)).toBe("6");
  });

  it("S-01 keeps a present file's mode and obeys a given one", async () => {
    const path = put(join(temporaryFolder(), "a"), "one");
    chmodSync(path, 0o640);
    await writeFileAtomic(path, "two", { files });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    await writeFileAtomic(path, "three", { files, mode: 0o604 });
    expect(statSync(path).mode & 0o777).toBe(0o604);
  });

  it("A02 refuses a folder that leads outside the root", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "root"));
    mkdirSync(join(folder, "root-evil"));
    symlinkSync("../root-evil", join(folder, "root", "way"));
    const options = { files, root: join(folder, "root") };
    for (const path of ["root/way/a", "root-evil/a", "root/../a"]) {
      await expect(writeFileAtomic(join(folder, path), "x", options)).rejects.toMatchObject({
        code: "PATH_OUTSIDE",
      });
    }
    await writeFileAtomic(join(folder, "root/a"), "x", options);
    expect(readdirSync(join(folder, "root-evil"))).toEqual([]);
  });

  it("A04 never writes outside when the folder is swapped for a link meanwhile", async () => {
    const folder = temporaryFolder();
    const [inside, outside, aside] = ["in", "out", "aside"].map((one) => join(folder, one));
    mkdirSync(inside!);
    mkdirSync(outside!);
    const swapAt = (point: keyof Files): Files => {
      let isDone = false;
      const real = files[point] as (...args: unknown[]) => unknown;
      const swapping = (...args: unknown[]): unknown => {
        if (!isDone && String(args[0]).includes("hg1-")) {
          isDone = true;
          renameSync(inside!, aside!);
          symlinkSync(outside!, inside!);
        }
        return real(...args);
      };
      return { ...files, [point]: swapping, traits: files.traits };
    };
    await writeFileAtomic(join(inside!, "a"), "x", { files: swapAt("open"), root: inside! }).catch(
      (error: unknown) => expect(error).toMatchObject({ code: "PATH_OUTSIDE" }),
    );
    // Without handles the temporary may be created outside for a moment, but is never given a name there.
    expect(existsSync(join(outside!, "a"))).toBe(false);
    if (name === "names through the folder's handle") expect(read(join(aside!, "a"))).toBe("x");
  });
});

describe("writeFileAtomic", () => {
  it("S-01 the temporary is private, exclusive and in the same folder", () => {
    const folder = temporaryFolder();
    const seen: { name: string; mode: number }[] = [];
    const files: Files = {
      ...systemFiles,
      traits: systemFiles.traits,
      sync: (fd) => {
        for (const name of readdirSync(folder).filter((one) => one.endsWith(".tmp"))) {
          seen.push({ name, mode: statSync(join(folder, name)).mode & 0o777 });
        }
        systemFiles.sync(fd);
      },
    };
    writeFileAtomicSync(join(folder, "a"), "x", { files, mode: 0o600 });
    writeFileAtomicSync(join(folder, "a"), "y", { files, mode: 0o600 });
    expect(seen).toHaveLength(2);
    expect(seen[0]?.mode).toBe(0o600);
    expect(seen[0]?.name).not.toBe(seen[1]?.name);
  });

  it("S-01 goes on after short writes until every byte is there", () => {
    const path = join(temporaryFolder(), "a");
    const files: Files = {
      ...systemFiles,
      traits: systemFiles.traits,
      write: (fd, data, offset) => systemFiles.write(fd, data.subarray(0, offset + 3), offset),
    };
    writeFileAtomicSync(path, "0123456789", { files });
    expect(read(path)).toBe("0123456789");
  });

  it("S-01 a new file's mode follows the umask", () => {
    const folder = temporaryFolder();
    const mask = process.umask(0o027);
    onTestFinished(() => void process.umask(mask));
    writeFileAtomicSync(join(folder, "a"), "x");
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o640);
  });

  it("S-01 works for names up to the longest possible", async () => {
    const folder = temporaryFolder();
    for (const name of ["x".repeat(255), "ü".repeat(127), `${"y".repeat(150)}.json`]) {
      await writeFileAtomic(join(folder, name), "{}");
      await writeFileAtomic(join(folder, name), "[]");
      expect(read(join(folder, name))).toBe("[]");
    }
    expect(readdirSync(folder)).toHaveLength(3);
    await expect(writeFileAtomic(join(folder, "x".repeat(256)), "{}")).rejects.toMatchObject({
      code: "PATH_INVALID",
    });
  });

  it("S-09 refuses everything that is not a plain file, without following or waiting", async () => {
    const folder = temporaryFolder();
    put(join(folder, "real"), "kept");
    symlinkSync("real", join(folder, "link"));
    symlinkSync("nowhere", join(folder, "dangling"));
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["link", "dangling", "folder", "pipe"]) {
      await expect(writeFileAtomic(join(folder, name), "x")).rejects.toMatchObject({
        code: "STATE_TARGET_KIND",
        message: expect.stringContaining(join(folder, name)),
      });
    }
    await expect(writeFileAtomic("/dev/null", "x")).rejects.toMatchObject({
      code: "STATE_TARGET_KIND",
    });
    expect(read(join(folder, "real"))).toBe("kept");
    expect(readdirSync(folder).toSorted()).toEqual(["dangling", "folder", "link", "pipe", "real"]);
  });

  it("S-09 names the path and the cause of what cannot be written", async () => {
    const folder = temporaryFolder();
    const file = put(join(folder, "a"), "kept");
    await expect(writeFileAtomic(join(folder, "no/a"), "x")).rejects.toMatchObject({
      code: "STATE_PARENT_MISSING",
      message: expect.stringContaining(`${folder}/no: cannot open the folder: ENOENT`),
    });
    await expect(writeFileAtomic(join(file, "b"), "x")).rejects.toMatchObject({
      code: "STATE_PARENT_MISSING",
    });
    await expect(writeFileAtomic(file, "")).rejects.toMatchObject({ code: "STATE_EMPTY" });
    await expect(writeFileAtomic("", "x")).rejects.toMatchObject({ code: "PATH_INVALID" });
    await expect(writeFileAtomic("a\0b", "x")).rejects.toMatchObject({ code: "PATH_INVALID" });
    await expect(writeFileAtomic("/", "x")).rejects.toMatchObject({ code: "STATE_TARGET_KIND" });
    await expect(writeFileAtomic(file, "\ud800")).rejects.toMatchObject({ code: "STATE_INVALID" });
    await expect(writeFileAtomic(file, "x", { expect: "abc" })).rejects.toMatchObject({
      code: "USAGE",
    });
    expect(read(file)).toBe("kept");
    await writeFileAtomic(file, "", { allowEmpty: true });
    expect(read(file)).toBe("");
  });

  it("S-02 waits for other holders and gives up in time", async () => {
    const folder = temporaryFolder();
    const path = put(join(folder, "a"), "one");
    await updateFileAtomic(path, () => {
      expect(() => writeFileAtomicSync(path, "two", { waitMs: 20 })).toThrow(
        expect.objectContaining({ code: "STATE_BUSY" }),
      );
      return "three";
    });
    expect(read(path)).toBe("three");
  });

  it("S-02 a change by another program during an update is seen, not overwritten", async () => {
    const path = put(join(temporaryFolder(), "a"), "one");
    const seen: string[] = [];
    await updateFileAtomic(path, (present) => {
      seen.push(String(present));
      if (seen.length === 1) writeFileSync(path, "foreign");
      return `${String(present)}+`;
    });
    expect(seen).toEqual(["one", "foreign"]);
    expect(read(path)).toBe("foreign+");
  });

  it("S-02 a file that another program replaced or removed meanwhile is looked at again", async () => {
    const folder = temporaryFolder();
    const path = put(join(folder, "a"), "one");
    let round = 0;
    await updateFileAtomic(path, (present) => {
      round += 1;
      if (round === 1) rmSync(path);
      if (round === 2) linkSync(put(join(folder, "other"), "appeared"), path);
      return `${String(present)} in round ${round}`;
    });
    expect(read(path)).toBe("appeared in round 3");
    expect(read(join(folder, "other"))).toBe("appeared");
  });

  it("S-02 a file that appears in the last moment is not overwritten", () => {
    const path = join(temporaryFolder(), "a");
    const appearing = (name: "link" | "rename") => (from: string, to: string) => {
      writeFileSync(path, "foreign");
      systemFiles[name](from, to);
    };
    const files: Files = {
      ...systemFiles,
      traits: systemFiles.traits,
      link: appearing("link"),
      rename: appearing("rename"),
    };
    expect(() => writeFileAtomicSync(path, "ours", { files, expect: null })).toThrow(
      expect.objectContaining({ code: "STATE_CHANGED" }),
    );
    expect(read(path)).toBe("foreign");
  });

  it("S-02 an update that throws leaves the file alone", async () => {
    const folder = temporaryFolder();
    const path = put(join(folder, "a"), "one");
    const fail = () => {
      throw new Error("no");
    };
    await expect(updateFileAtomic(path, fail)).rejects.toThrow("no");
    await expect(updateFileAtomic(path, async () => fail())).rejects.toThrow("no");
    expect(read(path)).toBe("one");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("S-01 readers see the old or the new content while it is replaced over and over", async () => {
    const folder = mkdtempSync(join(tmpdir(), "headgate-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "a");
    const contents = ["a".repeat(100_000), "b".repeat(50_000)];
    writeFileAtomicSync(path, contents[0]!);
    for (let round = 0; round < 50; round += 1) {
      const writing = writeFileAtomic(path, contents[round % 2]!, { durability: "cache" });
      expect(contents).toContain(read(path));
      await writing;
    }
  });
});
