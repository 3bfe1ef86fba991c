/** Document 001, improvement 4: whatever a person's or a machine's git settings say, the change is the same. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { createWritingGit } from "../../src/git/writing-git.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { applyNow, committed, committer, overridesPath, type Place, routingIn } from "./scene.ts";

const program = (path: string, text: string): string => {
  put(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
};

/** Settings that a person may have, or an attacker may have put there; every program leaves a trace. */
const hostileSettings = (folder: string): { file: string; trace: string } => {
  const trace = join(folder, "trace");
  const evil = program(join(folder, "evil"), `echo "$0 $*" >>${trace}; cat >/dev/null; exit 1`);
  const attributes = join(folder, "attributes");
  // Not for all files: git itself filters those whose times are too close to tell whether they changed.
  put(attributes, "*.json filter=evil diff=evil text=auto\n");
  const file = join(folder, "gitconfig");
  const set = (name: string, value: string) => git(folder, "config", "--file", file, name, value);
  for (const name of ["core.fsmonitor", "core.pager", "core.editor", "core.askPass"]) {
    set(name, evil);
  }
  for (const name of ["diff.external", "gpg.program", "filter.evil.clean", "filter.evil.smudge"]) {
    set(name, evil);
  }
  for (const name of ["commit-tree", "update-ref", "hash-object", "rev-parse", "log"]) {
    set(`alias.${name}`, `!${evil}`);
  }
  set("filter.evil.required", "true");
  set("core.attributesFile", attributes);
  set("core.autocrlf", "true");
  set("core.safecrlf", "true");
  set("color.ui", "always");
  set("log.showSignature", "true");
  set("log.follow", "true");
  set("trailer.separators", "=");
  set("i18n.commitEncoding", "ISO-8859-1");
  set("i18n.logOutputEncoding", "UTF-16");
  set("commit.cleanup", "strip");
  set("commit.template", "/nowhere");
  return { file, trace };
};

describe("document 001, improvement 4 Explicit session isolation: git settings", () => {
  const newScene = async (): Promise<Place> => ({
    root: makeRepository(join(temporaryFolder(), "app")),
    ...(await openScope(await backends[0]!.place())),
  });
  const gitWith = (root: string, more: Record<string, string>) => (cwd: string) => {
    const variables = { ...process.env, ...committer, ...more };
    return createWritingGit({
      cwd,
      actor: "user:ada",
      environment: { ...systemEnvironment(), variables, cwd: root },
    });
  };

  it("R-13 improvement 4: aliases, fsmonitor, pager, filters, external diff and encodings change nothing and run nothing", async () => {
    const scene = await newScene();
    const { file, trace } = hostileSettings(temporaryFolder());
    const hostile = { gitIn: gitWith(scene.root, { GIT_CONFIG_GLOBAL: file }) };
    const routing = await routingIn(scene, hostile);
    const reason = "Übermäßig laut, 雑音";
    expect(await applyNow(routing, "fd-noisy", { reason })).toMatchObject({
      done: true,
      change: { left: [] },
    });
    expect(git(scene.root, "log", "-1", "--format=%B")).toContain(reason);
    expect(git(scene.root, "cat-file", "commit", "HEAD")).not.toMatch(/^encoding/m);
    expect(committed(scene.root)?.overrides).toMatchObject([{ agent: "fd-noisy", reason }]);
    await routing.revert({ reviewer: "fd-noisy" });
    await routing.unblock("fd-noisy");
    await applyNow(routing, "fd-quiet");
    // The proof sees all three, and so does a rebuild of a lost store.
    expect(await routing.verify()).toEqual({ ok: true, commits: 3, disagreements: [] });
    const lost = await openScope(await backends[0]!.place());
    const again = await routingIn({ root: scene.root, ...lost }, hostile);
    expect(await again.verify()).toMatchObject({ ok: false });
    expect(await again.rebuild()).toMatchObject({ commits: 3, added: 3 });
    expect(await again.verify()).toMatchObject({ ok: true });
    expect(existsSync(trace) ? readFileSync(trace, "utf8") : "").toBe("");
    expect(git(scene.root, "status", "--porcelain")).toBe("");
  });

  it("improvement 4: variables of an outer git (a hook, a rebase) do not move the change elsewhere", async () => {
    const scene = await newScene();
    const other = makeRepository(join(temporaryFolder(), "other"));
    const before = git(other, "rev-parse", "HEAD");
    const routing = await routingIn(scene, {
      gitIn: gitWith(scene.root, {
        GIT_DIR: join(other, ".git"),
        GIT_WORK_TREE: other,
        GIT_INDEX_FILE: join(other, ".git/index"),
        GIT_OBJECT_DIRECTORY: join(other, ".git/objects"),
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.hooksPath",
        GIT_CONFIG_VALUE_0: "/nowhere",
        GIT_EXTERNAL_DIFF: "/nowhere",
      }),
    });
    expect(await applyNow(routing, "fd-noisy")).toMatchObject({ done: true });
    expect(committed(scene.root)?.overrides).toMatchObject([{ agent: "fd-noisy" }]);
    expect(git(other, "rev-parse", "HEAD")).toBe(before);
    expect(git(other, "status", "--porcelain")).toBe("");
  });

  it("R-13 hooks run with the person's own settings, and a paragraph that one adds hides no trailer", async () => {
    const scene = await newScene();
    const { root } = scene;
    const file = join(temporaryFolder(), "gitconfig");
    git(root, "config", "--file", file, "log.showSignature", "true");
    const seen = join(temporaryFolder(), "seen");
    program(
      join(root, ".git/hooks/commit-msg"),
      `git config log.showSignature >${seen}; printf '\\nSee the handbook.\\n' >>"$1"`,
    );
    const routing = await routingIn(scene, { gitIn: gitWith(root, { GIT_CONFIG_GLOBAL: file }) });
    await applyNow(routing, "fd-noisy");
    expect(readFileSync(seen, "utf8")).toBe("true\n");
    expect(git(root, "log", "-1", "--format=%B")).toMatch(/Headgate-Op: .*[^]*See the handbook\./);
    expect(await routing.verify()).toMatchObject({ ok: true, commits: 1 });
    const lost = await openScope(await backends[0]!.place());
    expect(await (await routingIn({ root, ...lost })).rebuild()).toMatchObject({ added: 1 });
  });

  it("R-13 a hook that replaces the whole message loses nothing that a lost store is rebuilt from", async () => {
    const scene = await newScene();
    const { root } = scene;
    program(join(root, ".git/hooks/commit-msg"), `echo 'Ticket 7' >"$1"`);
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    expect(git(root, "log", "-1", "--format=%s")).toBe("Ticket 7");
    expect(await routing.verify()).toMatchObject({ ok: true, commits: 1 });
    const lost = await openScope(await backends[0]!.place());
    const again = await routingIn({ root, ...lost });
    expect(await again.rebuild()).toMatchObject({ added: 1 });
    expect(await again.verify()).toMatchObject({ ok: true, commits: 1 });
  });

  it("R-02 a file that git checks out with CRLF is not taken for the user's own, and keeps its line ends", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    git(root, "config", "core.autocrlf", "true");
    await applyNow(routing, "fd-noisy");
    const file = join(root, overridesPath);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(await applyNow(routing, "fd-quiet")).toMatchObject({ change: { left: [] } });
    expect(readFileSync(file, "utf8")).toMatch(/fd-quiet[^]*\r\n$/);
    expect(git(root, "cat-file", "blob", `HEAD:${overridesPath}`)).not.toContain("\r");
    expect(git(root, "status", "--porcelain")).toBe("");
    // A change of one's own is left, CRLF or not.
    writeFileSync(file, readFileSync(file, "utf8").replace("noise", "my words"));
    expect(await routing.revert({ reviewer: "fd-quiet" })).toMatchObject({
      change: { left: ["worktree"] },
    });
    expect(readFileSync(file, "utf8")).toContain("my words");
  });
});
