import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireFreshBuild } from "../../helpers/fresh-build.ts";
import { programPath } from "../../helpers/program.ts";
import { git } from "../../helpers/git-repository.ts";
import { environmentOf } from "./hooked-repository.ts";
import { session, sharedCheckout, type SharedCheckout } from "./shared-checkout.ts";

requireFreshBuild();

const place = (): Promise<SharedCheckout> =>
  sharedCheckout({ "f.txt": "1\n2\n3\n", "g.txt": "1\n", "src/m.txt": "m\n" });

/** The client's shell tool: its hook before, the command, whatever happens then, its hook after. */
const bash = ({ folder }: SharedCheckout, who: string, command: string) => {
  const env = environmentOf(folder, session(who));
  const hook = (event: string): void => {
    const call = {
      ...{ session_id: who, cwd: folder, hook_event_name: event, tool_name: "Bash" },
      ...{ tool_use_id: "t1", tool_input: { command }, tool_response: {} },
    };
    const input = JSON.stringify(call);
    const options = { cwd: folder, env, input, encoding: "utf8" } as const;
    const done = spawnSync(process.execPath, [programPath, "hook", "claude"], options);
    expect(done).toMatchObject({ status: 0, stderr: "" });
  };
  hook("PreToolUse");
  const done = spawnSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" });
  return { done, end: () => hook("PostToolUse") };
};

const write = "sed -i 's/2/two/' f.txt && echo new > n.txt && git mv src lib";

describe("a command of a session, beside another session at work", () => {
  it("N-01 N-02 what it writes and commits in one line is its own", async () => {
    const here = await place();
    await here.edit("s2", "g.txt", "1\ntheirs\n");
    const { done, end } = bash(here, "s1", `${write} && git add -A && git commit -qm One`);
    expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining("left uncommitted") });
    end();
    expect(here.head("f.txt")).toBe("1\ntwo\n3\n");
    expect([here.head("n.txt"), here.head("lib/m.txt")]).toEqual(["new\n", "m\n"]);
    expect([here.head("src/m.txt"), here.head("g.txt")]).toEqual([undefined, "1\n"]);
    expect(git(here.folder, "status", "--porcelain")).toBe("M g.txt");
  });

  it("N-01 what it writes is its own, whoever looks at the files while it runs", async () => {
    const here = await place();
    await here.edit("s2", "g.txt", "1\ntheirs\n");
    await here.edit("s1", "own.txt", "own\n");
    const { done, end } = bash(here, "s1", write);
    expect(done.status).toBe(0);
    expect(here.commitAll("s2")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("an unknown author"),
    });
    end();
    for (const path of ["f.txt", "n.txt", "lib/m.txt"]) {
      expect(await here.authors(path)).toEqual([session("s1")]);
    }
    expect(here.commitAll("s1")).toMatchObject({ code: 0, stderr: "" });
    expect(git(here.folder, "status", "--porcelain")).toBe("");
  });

  it("N-01 lines of another that it moves are not its own, whoever looks while it runs", async () => {
    const here = await place();
    await here.edit("s2", "theirs.txt", "their first\ntheir second\n");
    await here.edit("s3", "g.txt", "3\n");
    const { done, end } = bash(here, "s1", "cat theirs.txt > x.txt && rm theirs.txt");
    expect(done.status).toBe(0);
    here.commitAll("s3");
    end();
    expect(readFileSync(join(here.folder, "x.txt"), "utf8")).toContain("their first");
    // The lines have no author; the session only made the file.
    expect(await here.authors("x.txt")).toContain("");
  });
});
