import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const place = async (protect: readonly string[]) => {
  const root = makeRepository(join(temporaryFolder(), "repo"));
  put(join(root, ".headgate/config.jsonc"), JSON.stringify({ gate: { protect } }));
  return { root, headgate: await openHeadgate({ repo: root, actor: "claude:s1" }) };
};

it("A08 what is protected is protected under every name that leads to it", async () => {
  const { root, headgate } = await place(["secrets/**"]);
  await using gate = headgate;
  put(join(root, "secrets/key.txt"), "x\n");
  symlinkSync("secrets", join(root, "alias"));
  symlinkSync("secrets/key.txt", join(root, "key.txt"));
  symlinkSync("alias", join(root, "again"));
  const codeOf = async (path: string) =>
    (await gate.gate.admit({ writes: [{ path, after: "y\n" }] })).verdict.reasons[0]?.code;
  expect(await codeOf("secrets/key.txt")).toBe("PATH_PROTECTED");
  for (const path of ["alias/key.txt", "key.txt", "again/key.txt", "alias/new.txt"]) {
    expect([path, await codeOf(path)]).toEqual([path, "PATH_LINK"]);
  }
  // The link itself is no way either: replacing it would be a write behind the rule's back.
  expect(await codeOf("alias")).toBe("PATH_LINK");
});

it("A09 a link that an agent made by other means leads nothing outside", async () => {
  const { root, headgate } = await place([]);
  await using gate = headgate;
  const outside = join(root, "../outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "passwd"), "old\n");
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "passwd"), join(root, "passwd"));
  for (const path of ["out/passwd", "out/new", "passwd"]) {
    const { verdict } = await gate.gate.admit({ writes: [{ path, after: "new\n" }] });
    expect([path, verdict.reasons[0]?.code]).toEqual([path, "PATH_LINK"]);
  }
  const patch = `diff --git a/l b/l
new file mode 120000
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+/etc/passwd
\\ No newline at end of file
`;
  const made = await gate.edit
    .edit({ operations: [{ do: "patch", patch }] })
    .catch((error) => error);
  expect(made).toMatchObject({ code: expect.stringMatching(/PATCH|USAGE|PATH/) });
});

it("A14 protection covers what does not exist yet", async () => {
  const { headgate } = await place([".env", "deploy/**"]);
  await using gate = headgate;
  for (const [path, code] of [
    [".env", "PATH_PROTECTED"],
    ["deploy/new/folder/x.yaml", "PATH_PROTECTED"],
    [".git/hooks/post-checkout", "PATH_GIT"],
    [".headgate/routing-overrides.json", "PATH_OWN"],
    [".headgate/local/runtime", "PATH_OWN"],
    [".HEADGATE/config.jsonc", "PATH_OWN"],
  ] as const) {
    const { verdict } = await gate.gate.admit({ writes: [{ path, before: null, after: "x\n" }] });
    expect([path, verdict.reasons[0]?.code]).toEqual([path, code]);
  }
});
