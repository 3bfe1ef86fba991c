import { expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { gitAs, hookedRepository, write } from "./hooked-repository.ts";

/** On a branch of that name, which is left again with nothing run. */
const branch = (folder: string, name: string, path: string, content = "x\n"): void => {
  const off = ["-c", "core.hooksPath=/nowhere"];
  git(folder, ...off, "switch", "--quiet", "--create", name);
  write(folder, path, content);
  git(folder, "add", "--force", path);
  git(folder, ...off, "commit", "--quiet", "--message", name);
  git(folder, ...off, "switch", "--quiet", "-");
};

it("T-01 a checkout that brings a file of ours which is not this release's, or state, says so at once", async () => {
  const folder = await hookedRepository();
  branch(folder, "shim", ".headgate/hook", "#!/bin/sh\necho hostile\n");
  branch(folder, "state", ".headgate/local/runtime", "/bin/sh\n");
  const shim = gitAs("ada", folder, ["checkout", "--quiet", "shim"]);
  expect(shim).toEqual({
    ...{ code: 0, stdout: "" },
    stderr:
      "headgate: note: .headgate/hook is not this release's: it was changed, or another release wrote it\n",
  });
  gitAs("ada", folder, ["checkout", "--quiet", "-"]);
  const state = gitAs("ada", folder, ["checkout", "--quiet", "state"]);
  expect(state.code).toBe(0);
  expect(state.stderr).toMatch(
    /^headgate: git tracks \.headgate\/local in [^\n]*\n {2}→ [^\n]*\[STATE_TRACKED\]\n$/,
  );
});

it("T-07 a checkout that takes Headgate's hooks out of a client's settings names the command that renews them", async () => {
  const folder = await hookedRepository((place) => {
    const files = [{ path: ".claude/settings.json", original: null, written: "0".repeat(64) }];
    const manifest = { version: 1, files, folders: [] };
    write(place, ".git/headgate/installed.json", JSON.stringify(manifest));
  });
  branch(folder, "bare", ".claude/settings.json", "{}\n");
  const { code, stderr } = gitAs("ada", folder, ["checkout", "--quiet", "bare"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^headgate: note: Claude Code: the hooks in \.claude\/settings\.json are gone {2}\(headgate init\)\n$/,
  );
});

it("a checkout that changes nothing of ours ends in the shell", async () => {
  const folder = await hookedRepository();
  branch(folder, "code", "more.ts");
  branch(folder, "ours", ".mcp.json", "{}\n");
  write(folder, ".git/headgate-hook", "echo ran >&2\n");
  const checkout = (name: string) => gitAs("ada", folder, ["checkout", "--quiet", name]).stderr;
  expect(checkout("code")).toBe("");
  expect(gitAs("ada", folder, ["checkout", "--quiet", "--", "more.ts"]).stderr).toBe("");
  expect(checkout("ours")).toBe("ran\n");
});
