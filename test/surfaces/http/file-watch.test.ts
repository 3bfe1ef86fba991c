import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseActor } from "../../../src/claims/index.ts";
import { openHeadgate } from "../../../src/compose.ts";
import { lineSpans } from "../../../src/lines/index.ts";
import { type FileWatchOptions, openFileWatch } from "../../../src/surfaces/http/file-watch.ts";
import { copyRepository, git, makeRepository } from "../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const by = { actor: parseActor("claude:s1"), kind: "edit", use: "t1" } as const;

const scene = async (more: Partial<FileWatchOptions> = {}) => {
  const root = copyRepository(join(temporaryFolder(), "repo"), "watched", (template) => {
    makeRepository(template);
    put(join(template, "src/b.txt"), "one\ntwo\nthree\n");
    put(join(template, ".gitignore"), ".headgate/\nbuilt/\n");
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "Two");
  });
  const headgate = await openHeadgate({ repo: root, actor: "test" });
  onTestFinished(() => headgate.close());
  const defects: unknown[] = [];
  const looks: string[][] = [];
  const { lines } = headgate;
  const watch = await openFileWatch({
    root,
    lines: {
      records: (paths) => lines.records(paths),
      refresh: (files) => {
        looks.push([...files.keys()]);
        return lines.refresh(files);
      },
    },
    isBusy: () => false,
    onDefect: (error) => defects.push(error),
    ...more,
  });
  onTestFinished(() => {
    watch.close();
    expect(defects).toEqual([]);
  });
  const authors = async (path: string) => {
    const record = await lines.record(path);
    return record ? lineSpans(record.weave).map(({ edit }) => edit.actor) : undefined;
  };
  return { root, lines, watch, looks, authors, at: (path: string) => join(root, path) };
};

/** Until the record says it; the system tells of a write when it likes. */
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe("the server's file watcher", () => {
  it("N-01 a write that no hook saw has no author from then on, in new folders too; ignored files are nothing to it", async () => {
    const { at, authors, looks, lines } = await scene();
    mkdirSync(at("built"));
    put(at("built/x.txt"), "x\n");
    writeFileSync(at("src/b.txt"), "one\ntwo\nby hand\nthree\n");
    await until(async () => expect(await authors("src/b.txt")).toEqual([""]));
    mkdirSync(at("new/deep"), { recursive: true });
    await until(async () => {
      put(at("new/deep/c.txt"), "c\n");
      expect(await authors("new/deep/c.txt")).toEqual([""]);
    });
    // An edit around it has its own author, and takes nothing of it.
    const before = Buffer.from("one\ntwo\nby hand\nthree\n");
    const after = Buffer.from("one\ntwo\nby hand\nown\nthree\n");
    await lines.ask([{ path: "src/b.txt", before, after }], by);
    writeFileSync(at("src/b.txt"), after);
    await lines.note(["src/b.txt"], by);
    expect(await authors("src/b.txt")).toEqual(["", "claude:s1"]);
    const known = looks.flat().filter((path) => path === "src/b.txt").length;
    rmSync(at("new"), { recursive: true });
    await until(async () => expect(await lines.record("new/deep/c.txt")).toBeUndefined());
    expect(looks.flat().filter((path) => path.startsWith("built"))).toEqual([]);
    // An edit that its hook has noted needs no second look.
    expect(looks.flat().filter((path) => path === "src/b.txt")).toHaveLength(known);
  });

  it("N-01 an allowed write that was not told of yet stays its author's", async () => {
    const { at, authors, lines, looks } = await scene();
    const before = Buffer.from("one\ntwo\nthree\n");
    const after = Buffer.from("one\nown\ntwo\nthree\n");
    await lines.ask([{ path: "src/b.txt", before, after }], by);
    writeFileSync(at("src/b.txt"), "one\n");
    writeFileSync(at("a.txt"), "changed\n");
    await until(async () => expect(await authors("a.txt")).toEqual([""]));
    writeFileSync(at("src/b.txt"), after);
    await lines.note(["src/b.txt"], by);
    expect(await authors("src/b.txt")).toEqual(["claude:s1"]);
    expect(looks.flat()).not.toContain("src/b.txt");
  });

  it("N-01 nothing is looked at while a hook is answered or git holds its index; then it is", async () => {
    let busyLooks = 0;
    let isBusy = true;
    const { at, authors, watch, looks, root } = await scene({
      isBusy: () => {
        if (isBusy) busyLooks += 1;
        return isBusy;
      },
    });
    writeFileSync(at("src/b.txt"), "one\n");
    writeFileSync(at("a.txt"), "two\n");
    await until(async () => expect(busyLooks).toBeGreaterThan(0));
    expect(looks).toEqual([]);
    put(join(root, ".git/index.lock"), "");
    isBusy = false;
    watch.lookAgain();
    await watch.settled();
    expect(looks).toEqual([]);
    // The end of the lock is word enough.
    rmSync(join(root, ".git/index.lock"));
    await until(async () => expect(await authors("a.txt")).toEqual([""]));
  });

  it("N-01 a repository with too many folders is not watched, and says so", async () => {
    const { watch } = await scene({ foldersMax: 1 });
    expect(watch.problem).toBe("more than 1 folders");
  });
});
