import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { run } from "../helpers/program.ts";
import { put } from "../helpers/temporary-folder.ts";
import { layOutPlans, read, scriptedAgent } from "./scene.ts";

/** One plan of two tasks, which fail until `go` is there; their commits go through the user's hook. */
const projectWithHook = (hook: string): { root: string; plans: string } => {
  const write = (name: string) => ({
    name,
    files: name,
    run: `test -f ../go && echo x >> ${name}`,
    verify: `test -f ${name}`,
  });
  const place = layOutPlans([{ id: "01", tasks: [write("one.txt"), write("two.txt")] }]);
  const file = put(join(place.root, ".git/hooks/commit-msg"), `#!/bin/sh\n${hook}\n`);
  chmodSync(file, 0o755);
  return place;
};

describe("a commit-msg hook of the user's", () => {
  it.each([
    ["replaces the message", 'echo "Ticket 7" > "$1"', "Ticket 7"],
    ["writes one that begins with #", 'echo "#7 done" > "$1"', "#7 done"],
    ["writes a message with CRLF line ends", `printf 'Ticket 7\\r\\n\\r\\n' > "$1"`, "Ticket 7"],
    ["adds a paragraph", `printf '\\nSee the handbook.\\n' >> "$1"`, "two.txt"],
    ["adds a line to the trailers", `echo '[skip ci]' >> "$1"`, "two.txt"],
    ["makes every line end CRLF", `sed -i 's/$/\\r/' "$1"`, "two.txt"],
  ])(
    "L-02 %s: a run whose store was restored from before finds its commits, and makes none twice",
    async (_, hook, subject) => {
      const { root, plans } = projectWithHook(hook);
      const store = join(root, ".headgate/local/store.db");
      const older = join(root, "../older.db");
      const exec = ["--exec", ...scriptedAgent];
      expect(await run(["run", "start", plans, ...exec], { cwd: root })).toMatchObject({ code: 1 });
      copyFileSync(store, older);
      put(join(root, "../go"), "");
      expect(await run(["run", "retry"], { cwd: root })).toMatchObject({ code: 0 });
      const commits = git(root, "log", "--format=%H");
      expect(git(root, "log", "-1", "--format=%s").trim()).toBe(subject);
      for (const end of ["-wal", "-shm"]) rmSync(`${store}${end}`, { force: true });
      copyFileSync(older, store);
      const again = await run(["run", "retry"], { cwd: root });
      expect(again).toMatchObject({ code: 0 });
      expect(again.stderr.match(/its commit \w+ was there already/g)).toHaveLength(2);
      expect(git(root, "log", "--format=%H")).toBe(commits);
      expect(read(root, "one.txt") + read(root, "two.txt")).toBe("x\nx\n");
    },
  );

  it("L-01 leaves the message empty: the task is not committed, as with git commit", async () => {
    const { root, plans } = projectWithHook('printf "\\n" > "$1"');
    put(join(root, "../go"), "");
    const exec = ["--exec", ...scriptedAgent];
    const { code, stdout, stderr } = await run(["run", "start", plans, ...exec], { cwd: root });
    expect({ code, said: stdout + stderr }).toEqual({
      code: 1,
      said: expect.stringContaining("a hook left the commit message empty"),
    });
    expect(git(root, "rev-list", "--count", "HEAD")).toBe("1");
  });
});
