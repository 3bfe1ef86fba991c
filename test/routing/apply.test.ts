import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { applyNow, committed, inWorktree, overridesPath, type Place, routingIn } from "./scene.ts";

describe.each(backends)("R-01 applying an override with $name", ({ place: newPlace }) => {
  const newScene = async (): Promise<Place> => ({
    root: makeRepository(join(temporaryFolder(), "app")),
    ...(await openScope(await newPlace())),
  });

  it("R-01 file, commit, modification and canary come together, with the trailer", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const outcome = await applyNow(routing, "fd-noisy");
    expect(outcome).toMatchObject({ done: true, change: { kind: "apply", left: [] } });
    expect(committed(scene.root)).toMatchObject({
      version: 1,
      overrides: [
        { agent: "fd-noisy", action: "exclude", reason: "noise", created_by: "user:ada" },
      ],
    });
    expect(inWorktree(scene.root)).toEqual(committed(scene.root));
    expect(git(scene.root, "status", "--porcelain", "--", ".headgate/routing-overrides.json")).toBe(
      "",
    );
    expect(
      git(scene.root, "log", "-1", "--format=%an <%ae> %(trailers:key=Headgate-Op,valueonly)"),
    ).toMatch(/^Grace <grace@example.org> op_\w{18}/);
    const status = await routing.status();
    expect(status.overrides).toMatchObject([
      { reviewer: "fd-noisy", commit: git(scene.root, "rev-parse", "HEAD"), vanished: false },
    ]);
    expect(status.canaries).toMatchObject([
      { reviewer: "fd-noisy", state: "MONITORING", shadows: 0, needed: 18 },
    ]);
    expect(await routing.verify()).toMatchObject({ ok: true, commits: 1 });
  });

  it("R-02 the user's staged and unstaged work is as it was, to the byte", async () => {
    const scene = await newScene();
    const { root } = scene;
    writeFileSync(join(root, "staged.txt"), "staged\n");
    git(root, "add", "staged.txt");
    writeFileSync(join(root, "a.txt"), "unstaged\n");
    const before = git(root, "ls-files", "--stage", "--debug");
    expect(await applyNow(await routingIn(scene), "fd-noisy")).toMatchObject({ done: true });
    const others = git(root, "ls-files", "--stage", "--debug", "--", "a.txt", "staged.txt");
    expect(others).toBe(before);
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe(overridesPath);
    expect(git(root, "diff", "--name-only")).toBe("a.txt");
    expect(git(root, "diff", "--cached", "--name-only")).toBe("staged.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("unstaged\n");
  });
});
