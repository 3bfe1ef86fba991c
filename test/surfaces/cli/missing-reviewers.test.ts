import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWith } from "../../helpers/not-run.ts";
import { runInside } from "../../helpers/inside.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

const service = JSON.stringify({
  ...{ name: "orders", private: true, scripts: { start: "node src/store.js" } },
  dependencies: { express: "^4.18.0", cors: "^2.8.0" },
});

const servicePlace = async () => {
  const place = await scriptedPlace([says("safety", report("safety", []))], { call: runInside });
  place.edit("package.json", service);
  return place;
};

describe("reviewers that the project's domains have and the project lacks", () => {
  it("A-01 init and status name them with the command; once they are made, nobody does", async () => {
    const { json, run } = await servicePlace();
    const { missingReviewers } = await json(["init", "--client", "claude", "--yes"]);
    expect(missingReviewers.length).toBeGreaterThan(0);
    expect((await json(["status"])).missingReviewers).toEqual(missingReviewers);
    const { stdout } = await run(["status"]);
    expect(stdout).toContain(
      `${missingReviewers.length} for this project (web-api) not made yet: ${missingReviewers.join(", ")}  (headgate reviewers generate)`,
    );
    expect((await run(["reviewers", "generate"])).code).toBe(0);
    expect((await json(["status"])).missingReviewers).toEqual([]);
    expect((await run(["status"])).stdout).not.toContain("not made yet");
  });

  it("A-01 a review that nobody watches names them and makes none", async () => {
    const { cwd, run } = await servicePlace();
    const { stderr } = await run(["review", "--reviewers", "safety"]);
    expect(stderr).toMatch(/for this project \(web-api\) not made yet: \w/);
    expect(stderr).toContain("→ make them with: headgate reviewers generate");
    expect(existsSync(join(cwd, ".claude/agents"))).toBe(false);
  });
});

describeWith(
  { platforms: ["linux"], programs: ["python3"] },
  "a review at a terminal, where reviewers are missing",
  () => {
    const args = ["review", "--reviewers", "safety"];
    const env = { SCRIPTED_KEY: "sk-dummy" };

    it("A-01 asks once; a no is kept, and status keeps to it", async () => {
      const { cwd, json, run } = await servicePlace();
      const first = openTerminal(args, { cwd, env });
      await first.shows("Make them now?");
      first.type("n\r");
      await first.shows("Verdict:");
      await first.ended;
      const second = openTerminal(args, { cwd, env });
      await second.shows("Verdict:");
      await second.ended;
      expect(second.screen()).not.toContain("not made yet");
      expect((await run(["status"])).stdout).not.toContain("not made yet");
      expect((await json(["status"])).missingReviewers).toEqual([]);
    });

    it("A-01 a yes makes them before anybody is asked", async () => {
      const { cwd, json } = await servicePlace();
      const terminal = openTerminal(args, { cwd, env });
      await terminal.shows("Make them now?");
      terminal.type("y\r");
      await terminal.shows("Verdict:");
      await terminal.ended;
      expect(existsSync(join(cwd, ".claude/agents"))).toBe(true);
      expect((await json(["status"])).missingReviewers).toEqual([]);
    });
  },
);
