import { chmodSync, copyFileSync, cpSync, rmSync } from "node:fs";
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
  putHook(place.root, hook);
  return place;
};

const putHook = (root: string, hook: string): void =>
  chmodSync(put(join(root, ".git/hooks/commit-msg"), `#!/bin/sh\n${hook}\n`), 0o755);

describe("a commit-msg hook of the user's", () => {
  it("L-02 whatever it makes of the message: a run whose store was restored from before finds its commits, and makes none twice", async () => {
    const { root, plans } = projectWithHook(":");
    const exec = ["--exec", ...scriptedAgent];
    expect(await run(["run", "start", plans, ...exec], { cwd: root })).toMatchObject({ code: 1 });
    const failed = join(root, "../failed");
    cpSync(root, failed, { recursive: true });
    put(join(root, "../go"), "");
    for (const [name, hook, subject] of [
      ["replaces it", 'echo "Ticket 7" > "$1"', "Ticket 7"],
      ["writes one that begins with #", 'echo "#7 done" > "$1"', "#7 done"],
      ["writes one with CRLF line ends", `printf 'Ticket 7\\r\\n\\r\\n' > "$1"`, "Ticket 7"],
      ["adds a paragraph", `printf '\\nSee the handbook.\\n' >> "$1"`, "two.txt"],
      ["adds a line to the trailers", `echo '[skip ci]' >> "$1"`, "two.txt"],
      ["makes every line end CRLF", `sed -i 's/$/\\r/' "$1"`, "two.txt"],
    ] as const) {
      rmSync(root, { recursive: true });
      cpSync(failed, root, { recursive: true });
      putHook(root, hook);
      expect(await run(["run", "retry"], { cwd: root }), name).toMatchObject({ code: 0 });
      const commits = git(root, "log", "--format=%H");
      expect(git(root, "log", "-1", "--format=%s").trim(), name).toBe(subject);
      const store = ".git/headgate/store.db";
      for (const end of ["-wal", "-shm"]) rmSync(join(root, `${store}${end}`), { force: true });
      copyFileSync(join(failed, store), join(root, store));
      const again = await run(["run", "retry"], { cwd: root });
      expect(again, name).toMatchObject({ code: 0 });
      expect(again.stderr.match(/its commit \w+ was there already/g), name).toHaveLength(2);
      expect(git(root, "log", "--format=%H"), name).toBe(commits);
      expect(read(root, "one.txt") + read(root, "two.txt"), name).toBe("x\nx\n");
    }
  });

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
