import { createHash, createHmac } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { git } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { countRounds } from "../helpers/rounds.ts";
import { drawing } from "../helpers/seed.ts";
import { stateFolder } from "../helpers/state-folder.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { attack, keptNames, newScene, shapes, splitNames, ways } from "./hostile-branches.ts";
import {
  environmentOf,
  gitAs,
  headgateAs,
  hookedRepository,
  read,
  twoFunctions,
  write,
} from "../surfaces/git/hooked-repository.ts";

const headgateInside = (folder: string, ...args: string[]) =>
  runInside(args, { cwd: folder, env: environmentOf(folder, "ada") });

const oldServerLine = `exec "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.headgate/hook" mcp`;

/** As the last release with this layout wrote it: a store without holders, a mark with the store's whole path. */
const makeOld = (folder: string): void => {
  const path = join(folder, "store.db");
  const store = new Database(path);
  store.exec(`ALTER TABLE claims DROP COLUMN holder; ALTER TABLE waiters DROP COLUMN holder;
    ALTER TABLE line_waits DROP COLUMN parts; DROP TABLE claim_wishes;
    DROP TRIGGER claims_counted; DROP TRIGGER claims_counted_less; DROP TABLE claim_counts;
    DROP INDEX events_by_kind; DROP INDEX claims_by_holder; DROP INDEX claims_by_end;
    DELETE FROM schema_migrations WHERE version >= 10;`);
  store.close();
  const mark = join(folder, "fence-mark");
  const [json = ""] = readFileSync(mark, "utf8").split(" end");
  const old = { ...(JSON.parse(json) as object), store: `sqlite:${path}` };
  writeFileSync(mark, `${JSON.stringify(old)} end`.padEnd(readFileSync(mark).length));
};

describe("B13 T-01 a branch, a pull or an archive brings what looks like state", () => {
  it("T-01 runs nothing, writes nothing outside, believes nothing, and says so", async () => {
    await drawing(async (seed) => {
      const scene = await newScene();
      const parts = splitNames(keptNames(scene));
      const count = countRounds("hostile branches", 80, 3);
      let at = seed;
      const draw = <T>(list: readonly T[]): T => {
        at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
        return list[(at >>> 8) % list.length] as T;
      };
      // The plain attack first, then anything; test/attack/b13-every-name has them all.
      let tried = await attack(scene, { names: parts[0]!, shape: "file", way: "switch" });
      for (let round = 1; round < count; round += 1) {
        tried += await attack(scene, { names: draw(parts), shape: draw(shapes), way: draw(ways) });
      }
      expect(tried).toBeGreaterThan(20);
    });
  });

  it("T-01 ci and the commit name files that somebody tracks there", async () => {
    const folder = await hookedRepository();
    write(folder, ".headgate/local/runtime", "x\n");
    git(folder, "add", "--force", ".headgate/local");
    const refused = gitAs("ada", folder, ["commit", "-m", "Evil"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/STATE_TRACKED|PATH_OWN/);
  });

  it("T-01 init moves the state of an earlier release once, and keeps claims and originals", async () => {
    const folder = await hookedRepository();
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(headgateAs("ada", folder, "claim", "a.txt").code).toBe(0);
    // As it was left by the release before.
    mkdirSync(join(folder, ".headgate"), { recursive: true });
    cpSync(join(folder, ".git/headgate"), join(folder, ".headgate/local"), { recursive: true });
    rmSync(join(folder, ".git/headgate"), { recursive: true });
    makeOld(join(folder, ".headgate/local"));
    const server = { command: "sh", args: ["-c", oldServerLine] };
    write(folder, ".mcp.json", JSON.stringify({ mcpServers: { headgate: server } }));
    git(folder, "add", ".mcp.json");
    const told = headgateAs("ada", folder, "claims");
    expect(told.stderr).toContain("headgate init");
    expect(told.stderr).toContain("[STATE_IN_TREE]");
    // Work goes on meanwhile, and says so.
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 3"));
    const commit = gitAs("ada", folder, ["commit", "-am", "Go on"]);
    expect(commit.code).toBe(0);
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(existsSync(join(folder, ".headgate/local"))).toBe(false);
    expect(headgateAs("ada", folder, "claims").stdout).toContain("a.txt");
    // Nor do the claims that the store granted in its old place stop anybody.
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 4"));
    const late =
      /^headgate: note: commit \w+ was made without git's hooks; judged now: no problems\.\n$/;
    expect(gitAs("ada", folder, ["commit", "-am", "Moved"]).stderr).toMatch(late);
    expect(git(folder, "show", "--stat", "HEAD")).toContain(".mcp.json");
    expect(headgateAs("ada", folder, "claim", "code.ts").code).toBe(0);
    expect(headgateAs("ada", folder, "uninstall", "--yes").code).toBe(0);
    expect(existsSync(join(folder, ".claude/settings.json"))).toBe(false);
    expect(read(folder, ".git/headgate/.gitignore")).toBe("*\n");
  });

  it("T-01 a copied .git whose state folder has links in it writes nothing where they lead", async () => {
    const folder = await hookedRepository();
    const outside = temporaryFolder();
    const state = join(folder, ".git/headgate");
    for (const name of ["edits", "refusals", "ring", "runs", "late", "edits/blobs", "edits/open"]) {
      rmSync(join(state, "edits"), { recursive: true, force: true });
      mkdirSync(dirname(join(state, name)), { recursive: true });
      rmSync(join(state, name), { recursive: true, force: true });
      symlinkSync(outside, join(state, name));
      const edit = await headgateInside(folder, "edit", "delete", "a.txt", "--yes");
      expect(edit.stderr, name).toContain(`headgate/${name} is a link`);
      expect(edit.code, name).not.toBe(0);
      expect(readdirSync(outside), name).toEqual([]);
      rmSync(join(state, name));
    }
    expect(headgateAs("ada", folder, "status").code).toBe(0);
  });

  it("T-01 a forged record of an edit is not carried out, with or without the code of another key", async () => {
    const folder = await hookedRepository();
    let number = 1;
    /** Any edit recovers what others left first. */
    const edit = () => {
      const [before, after] = [`return ${number}`, `return ${(number += 1)}`];
      const args = ["replace", "code.ts", "--old", before, "--new", after, "--nth", "1", "--yes"];
      return headgateInside(folder, "edit", ...args);
    };
    write(folder, "code.ts", "export const one = () => {\n  return 1;\n};\n");
    expect((await edit()).stderr).toBe("");
    const edits = join(folder, ".git/headgate/edits");
    const hook = "#!/bin/sh\n";
    const hash = createHash("sha256").update(hook).digest("hex");
    put(join(edits, "blobs", hash), hook);
    for (const path of [".git/hooks/post-rewrite", "../outside.txt", "plain.txt"]) {
      const id = newId("edit");
      const record = {
        ...{ version: 1, id, atMs: 1, actor: "ada", reason: "", isVerified: false, folders: [] },
        // A process that is long dead on this machine.
        process: { ...ownIdentity(), pid: 2 ** 22 - 7, startTime: "1" },
        files: [
          { path, kind: "modify", before: hash, after: null, beforeMode: 0o755, afterMode: null },
        ],
      };
      const text = JSON.stringify(record);
      const code = createHmac("sha256", "another key").update(text).digest("hex");
      for (const forged of [text, JSON.stringify({ code, record: text })]) {
        const place = join(edits, "open", `${id}.returning.json`);
        put(place, forged);
        const { code: exit, stdout, stderr } = await edit();
        expect(exit, path).toBe(0);
        expect(existsSync(join(folder, path)), path).toBe(false);
        expect(stdout + stderr, path).toMatch(/EDIT_JOURNAL_DAMAGED.*\n.*was not written by this/);
        const status = (await headgateInside(folder, "status")).stdout;
        expect(status, path).toMatch(/not believed .*was not written by this Headgate/);
        rmSync(place);
        expect((await headgateInside(folder, "status")).stdout).not.toContain("not believed");
      }
    }
  });

  it("T-01 without git the state is the user's, moved once, and only what decides nothing is taken along", async () => {
    const folder = join(temporaryFolder(), "plain");
    write(folder, "a.txt", "a\n");
    const state = stateFolder(folder);
    const asAda = (...args: string[]) => runInside(args, { cwd: folder });
    expect((await asAda("init", "--yes", "--client", "claude")).code).toBe(0);
    expect((await asAda("claim", "a.txt", "--as", "ada")).code).toBe(0);
    expect(readdirSync(join(folder, ".headgate")).toSorted()).toEqual(["config.jsonc", "hook"]);
    const places = [state, join(state, "hook"), join(state, "store.db"), dirname(state)];
    expect(places.map((path) => statSync(path).mode & 0o777)).toEqual([448, 384, 384, 448]);
    // As it was left by the release before, with a key that came from elsewhere.
    const old = join(folder, ".headgate/local");
    cpSync(state, old, { recursive: true });
    chmodSync(old, 0o700);
    rmSync(state, { recursive: true });
    write(folder, ".headgate/local/edits/key", "planted");
    expect((await asAda("claims")).stderr).toContain("[STATE_IN_TREE]");
    const moved = await asAda("init", "--yes", "--client", "claude");
    expect(moved.stdout).toContain(
      "left in .headgate/local, not used: cache, edits, holders.key\n",
    );
    expect((await asAda("claims")).stdout).toContain("a.txt");
    expect(readdirSync(old)).toContain("edits");
    expect(existsSync(join(state, "edits"))).toBe(false);
    expect((await asAda("init", "--yes", "--client", "claude")).stdout).toContain(
      "nothing to change",
    );
  });

  it("T-01 what lies in the tree of a clone that was never set up is left alone", async () => {
    const folder = await hookedRepository();
    rmSync(join(folder, ".git/headgate"), { recursive: true });
    rmSync(join(folder, ".git/headgate-hook"));
    write(folder, ".headgate/local/store.db", "planted");
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(readFileSync(join(folder, ".headgate/local/store.db"), "utf8")).toBe("planted");
    expect(headgateAs("ada", folder, "claims").code).toBe(0);
  });
});
