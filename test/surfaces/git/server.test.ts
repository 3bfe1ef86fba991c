import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askedVariables } from "../../../src/surfaces/git/hook-script.ts";
import { git } from "../../helpers/git-repository.ts";
import { startServer } from "../../helpers/program.ts";
import { answering } from "../../helpers/shim.ts";
import {
  environmentOf,
  eventsOf,
  gitAs,
  gitAsync,
  headgateAs,
  heldBy,
  hookedRepository,
  write,
} from "./hooked-repository.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const twice = `export function one(): number {
  return 1;
}

export function one(): number {
  return 2;
}
`;

const stage = (folder: string, path: string, content: string): void => {
  write(folder, path, content);
  git(folder, "add", path);
};
const commit = (folder: string, env: Record<string, string> = {}, actor = "ada") =>
  gitAs(actor, folder, ["commit", "--quiet", "-m", "x"], env);
/** While this process answers in the place of a server. */
const commitAsync = (folder: string, env: Record<string, string> = {}) =>
  gitAsync("ada", folder, ["commit", "--quiet", "-m", "x"], env);

/** Only the server can answer: there is no program to start. */
const withoutProgram = (folder: string): void =>
  write(folder, ".git/headgate/runtime", `${process.execPath}\n/nowhere/headgate.js\n`);

describe("git's hooks ask the running server", () => {
  it("G13 C-04 judged, claimed and told as in a process of its own, without starting one", async () => {
    const folder = await hookedRepository();
    await startServer({ cwd: folder });
    withoutProgram(folder);
    stage(folder, "new.ts", twice);
    const refused = commit(folder);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "Headgate refused this git commit: DUPLICATE_SYMBOL new.ts#one",
    );
    stage(folder, "new.ts", "export const fine = 1;\n");
    expect(commit(folder)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(eventsOf(folder, "gate.refused")).toMatchObject([
      { actor: "ada", data: { code: "DUPLICATE_SYMBOL", tool: "git commit" } },
    ]);
    expect(eventsOf(folder, "commit.made")).toMatchObject([{ actor: "ada" }]);
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
    // The turn was this git's, by its own process, and is over.
    const claimed = eventsOf(folder, "claim.granted").map(({ actor }) => actor);
    expect(claimed.every((actor) => /^ada\/git-\d+$/.test(actor))).toBe(true);
    expect(claimed.length).toBeGreaterThan(0);
    expect(JSON.parse(headgateAs("ada", folder, "claims", "--json").stdout).claims).toEqual([]);
  });

  it("G1 what somebody else holds is refused, and who asks is told apart by the hook's surroundings", async () => {
    const folder = await hookedRepository();
    await startServer({ cwd: folder });
    expect(headgateAs("bob", folder, "claim", "code.ts").code).toBe(0);
    withoutProgram(folder);
    stage(folder, "code.ts", "export const taken = 1;\n");
    expect(commit(folder).stderr).toContain("CLAIM_CONFLICT code.ts");
    expect(heldBy("bob", folder)).toHaveLength(1);
    expect(commit(folder, {}, "bob").code).toBe(0);
    // The commit has finished what bob claimed.
    expect(heldBy("bob", folder)).toEqual([]);
  });

  it("G1 G13 what the server was started with neither names who commits nor lets anything pass", async () => {
    const folder = await hookedRepository();
    const env = { HEADGATE_ACTOR: "bob", CLAUDE_CODE_SESSION_ID: "s1", HEADGATE_BYPASS: "mine" };
    await startServer({ cwd: folder, env });
    expect(headgateAs("bob", folder, "claim", "code.ts").code).toBe(0);
    withoutProgram(folder);
    stage(folder, "code.ts", "export const taken = 1;\n");
    const { HEADGATE_ACTOR: _, ...nobody } = environmentOf(folder);
    const { status, stderr } = spawnSync("git", ["commit", "--quiet", "-m", "x"], {
      cwd: folder,
      env: nobody,
      encoding: "utf8",
    });
    expect(stderr).toContain("CLAIM_CONFLICT code.ts");
    expect(status).toBe(1);
    expect(eventsOf(folder, "gate.bypassed")).toEqual([]);
  });

  it("uses the index that git names, in a linked worktree as well", async () => {
    const folder = await hookedRepository();
    await startServer({ cwd: folder });
    const tree = join(folder, "../my tree ü");
    git(folder, "worktree", "add", "--quiet", "-b", "other", tree);
    withoutProgram(folder);
    write(tree, "new.ts", twice);
    git(tree, "add", "new.ts");
    expect(commit(tree).stderr).toContain("DUPLICATE_SYMBOL new.ts#one");
    // `git commit -- path` has an index of its own.
    write(tree, "a.txt", "changed\n");
    expect(gitAs("ada", tree, ["commit", "--quiet", "-m", "x", "--", "a.txt"]).code).toBe(0);
  });

  it("G13 an answer without the mark, or none, is judged in a process of its own", async () => {
    const folder = await hookedRepository();
    const { socket, asked } = await answering((response) => response.end("0\nwrong\n"));
    write(folder, ".git/headgate/socket-path", `${socket}\n`);
    write(folder, ".git/headgate/hook-mark", "right\n");
    stage(folder, "new.ts", twice);
    expect(await commitAsync(folder)).toBe(1);
    expect(asked.map(({ url }) => url)).toEqual(["/git-hooks/pre-commit"]);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      surroundings: expect.objectContaining({ cwd: folder, HEADGATE_ACTOR: "ada" }),
      args: [],
      input: [],
    });
    rmSync(join(stateFolder(folder), "hook-mark"));
    expect(await commitAsync(folder)).toBe(1);
    expect(eventsOf(folder, "gate.refused")).toHaveLength(2);
  });

  it("a call with settings or texts of its own is not sent to the server", async () => {
    const folder = await hookedRepository();
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    write(folder, ".git/headgate/socket-path", `${socket}\n`);
    write(folder, ".git/headgate/hook-mark", ".\n");
    stage(folder, "new.ts", twice);
    for (const env of [{ HEADGATE_STORE: "sqlite:x.db" }, { HEADGATE_ACTOR: 'a"b' }]) {
      expect(await commitAsync(folder, env)).toBe(1);
    }
    expect(await commitAsync(folder, { HEADGATE_BYPASS: "why" })).toBe(0);
    expect(asked).toEqual([]);
    expect(eventsOf(folder, "gate.bypassed")).toMatchObject([{ data: { reason: "why" } }]);
  });

  it("sends every variable that tells who acts", () => {
    const source = readFileSync(
      join(import.meta.dirname, "../../../src/claims/actors/actor-harness.ts"),
      "utf8",
    );
    const named = [...source.matchAll(/(?:session|marker|pid): "([A-Z_]+)"/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(askedVariables).toEqual(expect.arrayContaining(named));
  });
});
