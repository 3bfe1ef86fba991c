import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { answerHookRequest } from "../../../src/surfaces/hooks/http-route.ts";
import { hookParts } from "../../../src/surfaces/hooks/parts.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { countRounds } from "../../helpers/rounds.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const source = `export const cart = (rows) => {
  const total = rows.length;
  log(total);
  check(rows);
  send(rows);
  tidy(rows);
  return total;
};

export const other = () => 1;
`;

const author = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
};

interface Edited {
  readonly code: number;
  /** For the agent: the reason of a refusal, or a note. */
  readonly text: string;
}

/**
 * A repository with its linked worktree; sessions edit in either through what answers the clients' hooks. As
 * in a process of its own, each call opens the repository anew: all it knows of the others is in the store.
 */
const place = async (settings: object = {}, files: Record<string, string> = { "m.ts": source }) => {
  const folder = temporaryFolder();
  const main = makeRepository(join(folder, "main"));
  for (const [name, text] of Object.entries(files)) put(join(main, name), text);
  mkdirSync(join(main, ".headgate"));
  put(join(main, ".headgate/config.jsonc"), JSON.stringify(settings));
  git(main, "add", ".");
  git(main, "commit", "--quiet", "--message", "Base");
  const linked = join(folder, "linked");
  git(main, "worktree", "add", "--quiet", linked);
  const { dependencies } = await hookPlace(main);
  let count = 0;
  const hook = async (root: string, session: string, event: string, more: object) => {
    const body = JSON.stringify({
      session_id: session,
      cwd: root,
      hook_event_name: event,
      ...more,
    });
    const request = new Request("http://headgate.test/hooks/claude", {
      ...{ method: "POST", body, headers: { "x-headgate-pid": String(process.pid) } },
    });
    const { openWorktree } = dependencies;
    const open = () => openWorktree(root);
    const answer = await answerHookRequest("claude", request, {
      ...{ ...dependencies, ...hookParts, open, mark: "." },
    });
    const [, code, said = ""] = /^(\d)\n(?:([^]*)\n)?\.\n$/.exec(await answer!.text())!;
    const isTold = code === "0" && said !== "";
    const text = isTold ? JSON.parse(said).hookSpecificOutput.additionalContext : said;
    return { code: Number(code), text };
  };
  const edit = async (
    session: string,
    [from, to]: readonly [string, string],
    { root = main, path = "m.ts" } = {},
  ): Promise<Edited> => {
    const file = join(root, path);
    const tool = {
      ...{ tool_name: "Edit", tool_use_id: `t${(count += 1)}` },
      tool_input: { file_path: file, old_string: from, new_string: to },
    };
    const before = await hook(root, session, "PreToolUse", tool);
    if (before.code !== 0) return before;
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(from, () => to),
    );
    expect(await hook(root, session, "PostToolUse", tool)).toMatchObject({ code: 0 });
    return before;
  };
  const claims = async () => {
    await using headgate = await openHeadgate({ repo: main, actor: "test" });
    const { claims: all } = await headgate.claims.list();
    return all.map(({ target, actor }) => `${actor} ${target}`);
  };
  const events = async (kind: string) => {
    await using headgate = await openHeadgate({ repo: main, actor: "test" });
    return (await headgate.events.page({ kind, limit: 100 })).events;
  };
  const commit = async (session: string) => {
    const env = { HEADGATE_ACTOR: `claude:${session}`, ...author };
    const done = await run(["commit", "-m", "Done"], { cwd: main, env });
    expect(done.stderr).toBe("");
    expect(done.code).toBe(0);
  };
  return { main, linked, edit, hook, claims, events, commit };
};

const passed = { code: 0, text: "" };

describe("two sessions in one symbol", () => {
  it("N-08 both pass where their lines do not meet, and each hears once who else is there", async () => {
    const { edit, events } = await place();
    expect(await edit("s1", ["rows.length", "rows.length + 1"])).toEqual(passed);
    const second = await edit("s2", ["return total", "return -total"]);
    expect(second.code).toBe(0);
    expect(second.text).toMatch(/claude:s1 has uncommitted changes in or next to m\.ts#cart/);
    // The same pair and symbol is not named again, another symbol is free of it.
    expect(await edit("s2", ["tidy(rows)", "tidy(rows, 1)"])).toEqual(passed);
    expect(await edit("s2", ["=> 1", "=> 2"])).toEqual(passed);
    expect((await edit("s1", ["log(total)", "log(rows)"])).text).toContain("claude:s2");
    const near = await events("lines.near");
    expect(near.map(({ actor, data }) => [actor, data])).toEqual([
      ["claude:s2", expect.objectContaining({ session: "claude:s2", other: "claude:s1" })],
      ["claude:s1", expect.objectContaining({ session: "claude:s1", other: "claude:s2" })],
    ]);
  });

  it("N-08 lines within three of another's are noted as well, where no name is common", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const { edit } = await place({}, { "n.txt": text });
    const at = { path: "n.txt" };
    expect(await edit("s1", ["2\n", "two\n"], at)).toEqual(passed);
    expect((await edit("s2", ["5\n", "five\n"], at)).text).toMatch(/claude:s1 .*n\.txt#lines:5/);
    expect(await edit("s3", ["9\n", "nine\n"], at)).toEqual(passed);
  });

  it("N-08 claims.edits: symbols and files wait by path, bounded, and pass once it is committed", async () => {
    const rule = (paths: string, word: string) => ({ paths: [paths], rule: word });
    const { edit, commit } = await place(
      { claims: { edits: [rule("**", "files"), rule("*.ts", "symbols")] } },
      { "m.ts": source, "n.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" },
    );
    expect(await edit("s1", ["rows.length", "rows.length + 1"])).toEqual(passed);
    expect(await edit("s2", ["=> 1", "=> 2"])).toEqual(passed);
    const held = await edit("s2", ["return total", "return -total"]);
    expect(held.code).toBe(2);
    expect(held.text).toMatch(/LINES_HELD m\.ts#cart[^]*claude:s1 wrote the lines in the symbol/);
    // Whoever closes a circle passes: s2 waits for s1 already.
    expect((await edit("s1", ["() => 2", "() => 3"])).code).toBe(0);
    expect(await edit("s1", ["2\n", "two\n"], { path: "n.txt" })).toEqual(passed);
    const far = await edit("s3", ["9\n", "nine\n"], { path: "n.txt" });
    expect(far.text).toMatch(/LINES_HELD n\.txt[^]*claims\.edits: files/);
    await commit("s1");
    expect((await edit("s3", ["9\n", "nine\n"], { path: "n.txt" })).code).toBe(0);
  });
});

describe("two worktrees of one store", () => {
  it("N-08 never wait for each other's edits; each session hears of a symbol once", async () => {
    const { linked, edit } = await place();
    const there = { root: linked };
    expect(await edit("s1", ["rows.length", "rows.length + 1"])).toEqual(passed);
    // The very same line.
    const second = await edit("s2", ["rows.length", "rows.length + 2"], there);
    expect(second.code).toBe(0);
    expect(second.text).toMatch(/claude:s1 .*m\.ts#cart, in another worktree \(.*main\)/);
    expect(await edit("s2", ["return total", "return -total"], there)).toEqual(passed);
    expect(await edit("s2", ["=> 1", "=> 2"], there)).toEqual(passed);
  });

  it("N-08 claims.across: exclude refuses until the other is committed", async () => {
    const { linked, edit, commit } = await place({ claims: { across: "exclude" } });
    const there = { root: linked };
    expect(await edit("s1", ["rows.length", "rows.length + 1"])).toEqual(passed);
    const held = await edit("s2", ["return total", "return -total"], there);
    expect(held.code).toBe(2);
    expect(held.text).toMatch(/CLAIM_CONFLICT m\.ts#cart[^]*claude:s1 in another worktree/);
    expect(await edit("s2", ["=> 1", "=> 2"], there)).toEqual(passed);
    // In the same working tree lines decide, as ever.
    expect((await edit("s3", ["return total", "return +total"])).code).toBe(0);
    await commit("s1");
    expect((await edit("s2", ["return total", "return -total"], there)).code).toBe(2);
    await commit("s3");
    expect((await edit("s2", ["return total", "return -total"], there)).code).toBe(0);
  });

  it.each(["warn", "exclude"] as const)(
    "N-08 G1 claims.across: %s, asked at the same moment in both: both pass, or one of them, and only that one holds it",
    async (across) => {
      const { main, linked, hook, claims } = await place({ claims: { across } });
      const tool = (root: string, round: number) => ({
        ...{ tool_name: "Edit", tool_use_id: `${root} ${round}` },
        tool_input: { file_path: join(root, "m.ts"), old_string: "total;", new_string: "-total;" },
      });
      const sides = [
        { root: main, session: "s1" },
        { root: linked, session: "s2" },
      ] as const;
      const rounds = countRounds(`edits at once, ${across}`, 60);
      for (let round = 1; round <= rounds; round += 1) {
        const answers = await Promise.all(
          sides.map(({ root, session }) => hook(root, session, "PreToolUse", tool(root, round))),
        );
        const passed = sides.filter((_, at) => answers[at]?.code === 0);
        const texts = answers.map(({ text }) => text).join("\n");
        expect(passed, texts).toHaveLength(across === "warn" ? 2 : 1);
        if (across === "exclude")
          expect(texts).toMatch(/CLAIM_CONFLICT m\.ts#cart[^]*in another worktree/);
        expect((await claims()).toSorted(), texts).toEqual(
          passed.map(({ session }) => `claude:${session} m.ts#cart`),
        );
        for (const { root, session } of passed) {
          await hook(root, session, "PostToolUseFailure", tool(root, round));
        }
        expect(await claims()).toEqual([]);
      }
    },
  );
});

describe("the end of what an edit holds", () => {
  it("N-09 lines that a person took back with git stop nobody, although their session told nothing", async () => {
    const { main, edit } = await place();
    expect(await edit("s1", ["rows.length", "rows.length + 1"])).toEqual(passed);
    expect((await edit("s2", ["rows.length + 1", "rows.length + 2"])).code).toBe(2);
    git(main, "checkout", "--quiet", "--", "m.ts");
    expect((await edit("s2", ["rows.length", "rows.length + 2"])).code).toBe(0);
  });

  it("N-09 comes with its last uncommitted line: put back by an edit, by git, or committed", async () => {
    const { main, edit, hook, claims, commit } = await place();
    await edit("s1", ["rows.length", "rows.length + 1"]);
    expect(await claims()).toEqual(["claude:s1 m.ts#cart"]);
    await edit("s1", ["rows.length + 1", "rows.length"]);
    expect(await claims()).toEqual([]);

    await edit("s1", ["rows.length", "rows.length + 1"]);
    await edit("s2", ["=> 1", "=> 2"]);
    const tool = {
      ...{ tool_name: "Bash", tool_use_id: "b1" },
      tool_input: { command: "git apply --reverse < ../back.patch" },
    };
    expect(await hook(main, "s1", "PreToolUse", tool)).toEqual(passed);
    const text = readFileSync(join(main, "m.ts"), "utf8");
    writeFileSync(join(main, "m.ts"), text.replace("rows.length + 1", "rows.length"));
    expect(await hook(main, "s1", "PostToolUse", tool)).toMatchObject({ code: 0 });
    expect(await claims()).toEqual(["claude:s2 m.ts#other"]);
    await commit("s2");
    expect(await claims()).toEqual([]);
    await edit("s2", ["return total", "return -total"]);
    await hook(main, "s2", "SessionEnd", { reason: "other" });
    expect(await claims()).toEqual([]);
  });
});

describe("names that are no plain words", () => {
  it('E-16 .btn, "./*" and a line break in a name are judged and held as any other', async () => {
    const files = {
      "a.css": ".btn { color: red }\nul,\nol { top: 0 }\n",
      "package.json": '{\n  "exports": {\n    "./*": "./src/*"\n  }\n}\n',
    };
    const { edit, claims } = await place({}, files);
    expect(await edit("s1", ["red", "blue"], { path: "a.css" })).toEqual(passed);
    expect(await edit("s1", ["top: 0", "top: 1"], { path: "a.css" })).toEqual(passed);
    expect(await edit("s1", ["./src/*", "./lib/*"], { path: "package.json" })).toEqual(passed);
    const held = await claims();
    expect(held).toEqual([
      "claude:s1 a.css#\\.btn",
      "claude:s1 a.css#ul,\\u{a}ol",
      "claude:s1 package.json#exports.\\./*",
    ]);
  });
});
