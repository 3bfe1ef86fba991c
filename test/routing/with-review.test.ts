import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { committer } from "./scene.ts";

describe("routing in the object graph", () => {
  it("R-10 openHeadgate().routing works, and a broken file does not keep a review from its view", async () => {
    const root = makeRepository(join(temporaryFolder(), "app"));
    const variables = { PATH: process.env["PATH"], HOME: root, ...committer };
    const environment = { ...systemEnvironment(), variables, cwd: root };
    await using headgate = await openHeadgate({ repo: root, environment, actor: "user:ada" });
    const { routing } = headgate;
    expect(await routing.view()).toEqual({ overrides: [], canaries: [], precision: [] });
    const made = await routing.propose({
      reviewer: "game-design",
      action: "exclude",
      reason: "no game",
    });
    if (!made.ok) throw new Error("unexpected");
    await routing.approve({ id: made.proposal.id });
    expect(await routing.apply(made.proposal.id)).toMatchObject({ done: true });
    expect(await routing.view()).toMatchObject({
      overrides: [{ reviewer: "game-design", action: "exclude" }],
      canaries: [{ reviewer: "game-design", needed: 18, shadowProbability: 1 }],
    });
    put(join(root, ".headgate/routing-overrides.json"), "[");
    expect(await routing.view()).toMatchObject({
      overrides: [],
      problem: expect.stringContaining("malformed"),
    });
    await using looking = await openHeadgate({ repo: root, environment, readOnly: true });
    expect((await looking.routing.status()).canaries).toHaveLength(1);
    expect(git(root, "rev-list", "--count", "HEAD")).toBe("2");
  });
});
