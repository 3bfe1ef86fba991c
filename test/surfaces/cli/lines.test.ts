import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectOf } from "../../../src/surfaces/hooks/harness/index.ts";
import { readPayload } from "../../../src/surfaces/hooks/read-payload.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { type Ended, run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const source = [
  "export function a() {",
  "  return 1;",
  "}",
  "",
  "export function b() {",
  "  return 2;",
  "}",
  "",
];
const text = (lines: readonly string[]): string => lines.join("\n");

/** Two sessions of Claude Code at work in one repository: their hooks in this process, the program for people. */
const scene = async () => {
  const place = await hookPlace();
  const { root } = place;
  const at = (path: string): string => join(root, path);
  put(at("m.ts"), text(source));
  put(at("n.ts"), "export const n = 1;\n");
  put(at("run.sh"), "#!/bin/sh\r\necho one\r\n");
  put(at(".gitignore"), ".headgate/\n");
  git(root, "add", ".");
  git(root, "update-index", "--chmod=+x", "run.sh");
  git(root, "commit", "--quiet", "--message", "One\n\nHeadgate-Actor: claude:s0");
  git(root, "checkout", "--quiet", "--force", "HEAD");

  let uses = 0;
  const hook = async (session: string, event: string, more: object = {}): Promise<void> => {
    const payload = readPayload(
      Buffer.from(
        JSON.stringify({ session_id: session, cwd: root, hook_event_name: event, ...more }),
      ),
    );
    const context = { variables: {}, cwd: root };
    const call = dialectOf("claude", payload, context).read(payload, context);
    expect(await place.ask(call)).not.toMatchObject({ kind: "refuse" });
  };
  const use = async (session: string, tool: object, write: () => void): Promise<void> => {
    const more = { ...tool, tool_use_id: `t${(uses += 1)}` };
    await hook(session, "PreToolUse", more);
    write();
    await hook(session, "PostToolUse", { ...more, tool_response: {} });
  };
  return {
    root,
    at,
    read: (path: string): string => readFileSync(at(path), "utf8"),
    edit: (session: string, path: string, old: string, now: string) =>
      use(
        session,
        {
          tool_name: "Edit",
          tool_input: { file_path: at(path), old_string: old, new_string: now },
        },
        () =>
          writeFileSync(
            at(path),
            readFileSync(at(path), "utf8").replace(old, () => now),
          ),
      ),
    write: (session: string, path: string, content: string) =>
      use(
        session,
        { tool_name: "Write", tool_input: { file_path: at(path), content } },
        () => void put(at(path), content),
      ),
    remove: async (session: string, path: string) => {
      const { edit } = place.headgate.as(`claude:${session}`);
      expect(await edit.edit({ operations: [{ do: "delete", file: path }] })).toMatchObject({
        ok: true,
      });
    },
    end: (session: string) => hook(session, "SessionEnd", { reason: "exit" }),
    call: (...args: string[]): Promise<Ended> => run(args, { cwd: root }),
  };
};

const json = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, never>;
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("headgate blame", () => {
  it("N-01 names the author of every uncommitted line, then the commit of every other one", async () => {
    const { edit, call, at, read } = await scene();
    await edit("s1", "m.ts", "  return 1;\n", "  return 10;\n");
    await edit("s2", "m.ts", "  return 2;\n", "  // two\n  return 20;\n");
    writeFileSync(at("m.ts"), `${read("m.ts")}// by hand\n`);
    const [asked, shown, missing] = await Promise.all([
      call("blame", "m.ts", "--json"),
      call("blame", "m.ts"),
      call("blame", "no.ts"),
    ]);
    const by = (session: string) => ({
      ...{ actor: `claude:${session}`, session: `claude:${session}`, task: "", kind: "edit" },
    });
    expect(json(asked)).toEqual({
      path: "m.ts",
      spans: [
        { from: 2, to: 2, ...by("s1"), since: iso, parts: ["m.ts#a"] },
        { from: 6, to: 7, ...by("s2"), since: iso, parts: ["m.ts#b"] },
        {
          from: 9,
          to: 9,
          actor: "",
          session: "",
          task: "",
          kind: "unknown",
          since: iso,
          parts: ["m.ts#lines:9"],
        },
      ],
      removed: [],
      committed: [
        {
          commit: expect.stringMatching(/^[0-9a-f]{40}$/),
          ...{ actors: ["claude:s0"], author: "Ada", at: iso, summary: "One" },
          lines: [
            { from: 1, to: 1 },
            { from: 3, to: 5 },
            { from: 8, to: 8 },
          ],
        },
      ],
    });
    expect(shown.stdout).toMatch(
      /^m\.ts\n {2}2 +claude:s1 \(edit\), \d+s ago +m\.ts#a\n {2}6–7 +claude:s2 \(edit\), \d+s ago +m\.ts#b\n {2}9 +unknown, \d+s ago +m\.ts#lines:9\n {2}[0-9a-f]{8} +claude:s0, \d+s ago +1, 3–5, 8 +One\n$/,
    );
    expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining("no such file") });
  });

  it("N-01 looking creates nothing, and without git it is refused", async () => {
    const folder = temporaryFolder();
    const root = makeRepository(join(folder, "repo"));
    put(join(root, "a.txt"), "one\ntwo\n");
    const [blame, diff, ...refused] = await Promise.all([
      run(["blame", "a.txt", "--json"], { cwd: root }),
      run(["diff"], { cwd: root }),
      run(["diff"], { cwd: folder }),
      run(["undo", "--actor", "ada", "--yes"], { cwd: folder }),
    ]);
    expect(json(blame!)["spans"]).toMatchObject([{ from: 2, to: 2, kind: "unknown" }]);
    expect(diff!.stdout).toMatch(/^# unknown\n[^]*\n one\n\+two\n$/);
    for (const ended of refused) {
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("without git") });
    }
    for (const made of [root, folder]) expect(existsSync(join(made, ".headgate"))).toBe(false);
  });
});

describe("headgate diff", () => {
  it("N-01 one actor's change applies to HEAD, and everybody's is shown by actor", async () => {
    const { root, edit, write, remove, call } = await scene();
    await edit("s1", "m.ts", "  return 1;\n", "  return 10;\n");
    await edit("s2", "m.ts", "  return 2;\n", "  return 20;\n");
    await write("s1", "made.ts", "export const made = 1;\n");
    await edit("s2", "run.sh", "echo one", "echo two");
    await remove("s1", "n.ts");
    const [one, own, all] = await Promise.all([
      call("diff", "--actor", "claude:s1"),
      call("diff", "--mine", "--as", "claude:s2", "run.sh"),
      call("diff", "--json"),
    ]);
    git(root, "worktree", "add", "--quiet", "--detach", "../clean", "HEAD");
    const clean = join(root, "../clean");
    for (const { stdout } of [one!, own!]) {
      writeFileSync(join(clean, "../one.patch"), stdout);
      git(clean, "apply", "../one.patch");
    }
    expect(readFileSync(join(clean, "m.ts"), "utf8")).toBe(text(source).replace("1;", "10;"));
    expect(readFileSync(join(clean, "made.ts"), "utf8")).toBe("export const made = 1;\n");
    expect(existsSync(join(clean, "n.ts"))).toBe(false);
    expect(readFileSync(join(clean, "run.sh"), "utf8")).toBe("#!/bin/sh\r\necho two\r\n");
    expect(json(all!)["actors"]).toMatchObject([
      {
        actor: "claude:s1",
        files: [{ path: "m.ts", carried: [] }, { path: "made.ts" }, { path: "n.ts" }],
        patch: one!.stdout,
      },
      { actor: "claude:s2", files: [{ path: "m.ts" }, { path: "run.sh" }] },
    ]);
  });
});

describe("headgate undo --actor", () => {
  it("N-01 takes one actor's work back, leaves everybody else's, and can be undone itself", async () => {
    const { at, read, edit, write, remove, end, call } = await scene();
    await edit("s1", "m.ts", "  return 1;\n", "  return 10;\n");
    await edit("s2", "m.ts", "  return 2;\n", "  return 20;\n");
    await write("s1", "made.ts", "export const made = 1;\n");
    await remove("s1", "run.sh");
    const theirs = text(source).replace("2;", "20;");
    const [later, agent, dry] = await Promise.all([
      call("undo", "--actor", "claude:s1", "--since", "2199-01-01", "--yes"),
      call("undo", "--actor", "claude:s1", "--as", "claude:s2", "--yes"),
      call("undo", "--actor", "claude:s1", "--dry-run", "--json"),
    ]);
    expect(later).toMatchObject({ code: 4, stderr: expect.stringContaining("[LINES_NONE]") });
    expect(agent).toMatchObject({ code: 1, stdout: expect.stringContaining("LINES_HELD") });
    expect(json(dry!)).toMatchObject({ ok: true, dryRun: true });
    expect(read("made.ts")).toBe("export const made = 1;\n");
    await end("s2");

    const done = await call("undo", "--actor", "claude:s1", "--since", "1h", "--yes", "--json");
    expect(done.code).toBe(0);
    expect(read("m.ts")).toBe(theirs);
    expect(existsSync(at("made.ts"))).toBe(false);
    expect(read("run.sh")).toBe("#!/bin/sh\r\necho one\r\n");
    expect(statSync(at("run.sh")).mode & 0o100).toBe(0o100);

    const status = await call("status", "--json");
    expect(json(status)["lines"]).toEqual([
      {
        ...{ session: "claude:s2", actor: "claude:s2", task: "", state: "ended" },
        files: [{ path: "m.ts", edits: 1, parts: [] }],
      },
    ]);
    expect((await call("undo", String(json(done)["id"]), "--yes")).code).toBe(0);
    expect(read("m.ts")).toBe(theirs.replace("1;", "10;"));
    expect(read("made.ts")).toBe("export const made = 1;\n");
    expect(existsSync(at("run.sh"))).toBe(false);
  });

  it("N-01 refuses what others wrote onto, names the lines, and says what can be separated", async () => {
    const { read, edit, end, call } = await scene();
    await edit("s1", "m.ts", "  return 1;\n", "  // one\n  // uno\n  return 10;\n");
    await edit("s1", "n.ts", "n = 1", "n = 10");
    await end("s1");
    await edit("s2", "m.ts", "  // uno\n", "  // dos\n  // tres\n");
    const before = read("m.ts");
    const [refused, status, carried] = await Promise.all([
      call("undo", "--actor", "claude:s1", "--yes"),
      call("status"),
      call("diff", "--actor", "claude:s2", "--json"),
    ]);
    expect(refused!.code).toBe(1);
    expect(refused!.stdout).toContain("m.ts:3  UNDO_CONFLICT\n    lines 3–4 in m.ts, by claude:s2");
    expect(refused!.stdout).toContain("headgate undo --actor claude:s1 n.ts\n");
    expect([read("m.ts"), read("n.ts")]).toEqual([before, "export const n = 10;\n"]);
    expect(status!.stdout).toContain("claude:s2  uncommitted edits: 1 in m.ts#a\n");
    expect(status!.stdout).toContain(
      'left by claude:s1: 1 in m.ts, 1 in n.ts; adopt: headgate commit --with claude:s1 -m "…"\n',
    );
    expect(json(carried!)["actors"]).toMatchObject([
      { files: [{ path: "m.ts", carried: ["claude:s1"] }] },
    ]);
    expect((await call("undo", "--actor", "claude:s1", "--yes", "n.ts")).code).toBe(0);
    expect([read("m.ts"), read("n.ts")]).toEqual([before, "export const n = 1;\n"]);
  });
});

describe("headgate commit", () => {
  it("N-02 commits the caller's lines and leaves everybody else's, whatever is staged besides", async () => {
    const { edit, call, root, read } = await scene();
    git(root, "config", "user.name", "Ada");
    git(root, "config", "user.email", "ada@example.org");
    await edit("s1", "m.ts", "  return 1;\n", "  return 10;\n");
    await edit("s2", "m.ts", "  return 2;\n", "  return 20;\n");
    put(join(root, "staged.txt"), "by hand\n");
    git(root, "add", "staged.txt");
    const before = read("m.ts");
    const as = (session: string, ...args: string[]) =>
      call("commit", "--as", `claude:${session}`, "--json", ...args);
    const planned = await as("s1", "-m", "One", "--dry-run");
    const file = {
      ...{ path: "m.ts", hunks: 1, left: [{ actor: "claude:s2", hunks: 1 }] },
    };
    expect(json(planned)).toMatchObject({ ok: true, commit: null, files: [file] });
    const made = await as("s1", "-m", "Return ten", "--task", "T-1");
    const head = git(root, "rev-parse", "HEAD").trim();
    expect([made.code, json(made)]).toMatchObject([0, { ok: true, commit: head, files: [file] }]);
    expect(git(root, "log", "-1", "--format=%an|%B").trim()).toBe(
      "Ada|Return ten\n\nHeadgate-Actor: claude:s1\nHeadgate-Task: T-1",
    );
    expect(`${git(root, "show", "HEAD:m.ts")}\n`).toBe(
      text(source).replace("return 1", "return 10"),
    );
    expect(read("m.ts")).toBe(before);
    const status = git(root, "status", "--porcelain").split("\n");
    expect(status.map((line) => line.trim()).toSorted()).toEqual(["A  staged.txt", "M m.ts"]);
    const nothing = await as("s1", "-m", "Again");
    expect([nothing.code, json(nothing)]).toMatchObject([
      4,
      {
        ...{ ok: false, code: "COMMIT_NOTHING" },
        left: expect.arrayContaining([expect.objectContaining({ path: "m.ts" })]),
      },
    ]);
    expect(await call("commit")).toMatchObject({ code: 2 });
  });

  it("N-02 takes along what an ended session left, and lines without a known author, when asked", async () => {
    const { edit, call, root, end, at } = await scene();
    git(root, "config", "user.name", "Ada");
    git(root, "config", "user.email", "ada@example.org");
    await edit("s1", "m.ts", "  return 1;\n", "  return 10;\n");
    await end("s1");
    await edit("s2", "m.ts", "  return 2;\n", "  return 20;\n");
    writeFileSync(at("n.ts"), "export const n = 2;\n");
    // As `status` gives it.
    const [, line = ""] =
      /left by claude:s1: .*adopt: headgate (.*) "…"\n/.exec((await call("status")).stdout) ?? [];
    const adopted = await call(...line.split(" "), "Adopt", "--as", "alice");
    expect(adopted).toMatchObject({ code: 0 });
    expect(`${git(root, "show", "HEAD:m.ts")}\n`).toBe(
      text(source).replace("return 1", "return 10"),
    );
    expect(git(root, "log", "-1", "--format=%B")).toContain("Headgate-Actor: claude:s1");
    // Another session is at work, so this might be its line.
    expect(git(root, "show", "HEAD:n.ts")).toBe("export const n = 1;");
    const unknown = await call("commit", "-m", "Mine", "--with", "unknown", "--as", "alice");
    expect(unknown).toMatchObject({ code: 0 });
    expect(git(root, "show", "HEAD:n.ts")).toBe("export const n = 2;");
    expect((await call("status")).stdout).not.toContain("left by");
  });
});
