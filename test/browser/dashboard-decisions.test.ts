import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { playRouting, playRuns, scriptedAgent } from "../../scripts/dashboard-scene-decisions.ts";
import { accessOf, dashboardFor } from "../helpers/dashboard.ts";
import { git } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put } from "../helpers/temporary-folder.ts";

const browsers = { platforms: ["linux"], browser: true, inOrder: true } as const;

const accessible = { h1: 1, unnamed: [], landmarks: 2, tooWide: false };

const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};
const panel = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

const eventsOf = async (
  { scene }: ReturnType<typeof dashboardFor>,
  kind: string,
): Promise<{ actor: string; subject: string; data: Record<string, unknown> }[]> => {
  const { text } = await scene.run("ada", "events", "--kind", kind, "--json");
  return text
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
};

describeWith(browsers, "the dashboard's Routing page", () => {
  const dashboard = dashboardFor({}, playRouting);
  const log = () => git(dashboard.scene.root, "log", "--format=%s").split("\n");
  const open = async () => {
    const opened = await dashboard.open();
    await goTo(opened.page, "Routing");
    return opened;
  };

  it("shows patterns, proposals, overrides, the watch with its chart, and what is blocked", async () => {
    const { page, problems } = await open();
    await panel(page, "Proposals").getByText("floor P1").waitFor();
    expect(await panel(page, "Proposals").innerText()).toMatch(
      /safety[\s\S]*guarded[\s\S]*codex:a90f/,
    );
    expect(await panel(page, "Overrides").innerText()).toMatch(
      /game-design[\s\S]*excluded[\s\S]*there is no game in a shop · by ada · [0-9a-f]{10}/,
    );
    expect(await panel(page, "Watch on game-design").innerText()).toMatch(
      /monitoring[\s\S]*9 shadow reviews, 0 losses[\s\S]*alarm at 20/,
    );
    await page
      .getByRole("img", { name: /e-process of game-design/ })
      .locator("canvas")
      .waitFor();
    expect(await panel(page, "Patterns").innerText()).toMatch(
      /accessibility[\s\S]*12 of 12 findings dismissed/,
    );
    expect(await panel(page, "Not proposed again").innerText()).toContain("api-compatibility");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("has names for everything, and fits a phone", async () => {
    const { page } = await dashboard.open({ viewport: { width: 390, height: 844 } });
    await goTo(page, "Routing");
    await panel(page, "Proposals").waitFor();
    expect(await accessOf(page)).toEqual(accessible);
    await page.getByRole("button", { name: "Approve the proposal for safety…" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await accessOf(page)).toEqual(accessible);
    await page.context().close();
  });

  it("a proposal is approved and applied after it was said what will happen: events and one commit", async () => {
    const { page, problems } = await open();
    const button = page.getByRole("button", { name: "Approve the proposal for accessibility…" });
    await button.click();
    const dialog = page.getByRole("dialog", { name: "Approve and apply this proposal?" });
    await dialog.getByText("only its findings of P2 and worse").waitFor();
    expect(await dialog.innerText()).toMatch(
      /Proposed by[\s\S]*claude:7d31[\s\S]*12 of 12 findings[\s\S]*One commit[\s\S]*routing-overrides\.json/,
    );
    const before = log();
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(log()).toEqual(before);
    expect(await eventsOf(dashboard, "routing.approved")).toHaveLength(1);
    await button.click();
    await dialog.getByRole("button", { name: "Approve and apply" }).click();
    await page.getByRole("status").getByText("accessibility: floor P2").waitFor();
    await panel(page, "Overrides").getByText("accessibility").waitFor();
    expect((await eventsOf(dashboard, "routing.approved")).at(-1)).toMatchObject({
      ...{ actor: "ada", subject: "accessibility" },
    });
    expect((await eventsOf(dashboard, "routing.applied")).at(-1)).toMatchObject({
      ...{ actor: "ada", subject: "accessibility" },
    });
    expect(log().length).toBe(before.length + 1);
    expect(git(dashboard.scene.root, "show", "HEAD:.headgate/routing-overrides.json")).toContain(
      "accessibility",
    );
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("a guarded reviewer's name is typed once more; what the repository refuses is shown with its remedy", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Approve the proposal for safety…" }).click();
    const dialog = page.getByRole("dialog");
    const both = dialog.getByRole("button", { name: "Approve and apply" });
    expect(await both.isDisabled()).toBe(true);
    await dialog.getByLabel(/type safety to confirm/).fill("safely");
    expect(await both.isDisabled()).toBe(true);
    await dialog.getByLabel(/type safety to confirm/).fill("safety");
    git(dashboard.scene.root, "checkout", "--quiet", "--detach");
    const before = log();
    await both.click();
    const alert = dialog.getByRole("alert");
    await alert.getByText("ROUTING_").waitFor();
    expect((await alert.innerText()).split("\n").length).toBeGreaterThan(1);
    expect(log()).toEqual(before);
    // Approved it is, and can be applied where that is possible.
    git(dashboard.scene.root, "checkout", "--quiet", "main");
    await dialog.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Apply the proposal for safety…" }).click();
    await page
      .getByRole("dialog", { name: "Apply this proposal?" })
      .getByRole("button", { name: "Apply", exact: true })
      .click();
    await panel(page, "Overrides").getByText("safety").waitFor();
    await page.context().close();
  });

  it("who proposed it does not approve it, here neither", async () => {
    const { page } = await open();
    const wish = ["--action", "sample", "--every", "3", "--reason", "slow"];
    await dashboard.scene.run("ada", "routing", "propose", "concurrency", ...wish);
    await page.getByRole("button", { name: "Approve the proposal for concurrency…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve only" }).click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.getByText("proposed it itself").waitFor();
    expect(await alert.innerText()).toContain("ROUTING_REFUSED");
    const { text } = await dashboard.scene.run("ada", "routing", "status", "--json");
    expect(text).toMatch(/"reviewer":\s*"concurrency"[^}]*"state":\s*"proposed"/);
    await page.context().close();
  });

  it("an override is reverted by a commit and blocked; unblocking asks, too", async () => {
    const { page, problems } = await open();
    const before = log();
    await page.getByRole("button", { name: "Revert the override of game-design…" }).click();
    const dialog = page.getByRole("dialog", { name: "Revert this override?" });
    await dialog.getByText("not proposed again until you unblock it").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(log()).toEqual(before);
    await page.getByRole("button", { name: "Revert the override of game-design…" }).click();
    await dialog.getByLabel("Reason, for the commit").fill("a game was added");
    await dialog.getByRole("button", { name: "Revert", exact: true }).click();
    const blocked = panel(page, "Not proposed again");
    await blocked.getByText("game-design").waitFor();
    await panel(page, "Watch on game-design").waitFor({ state: "detached" });
    expect(log().length).toBe(before.length + 1);
    expect((await eventsOf(dashboard, "routing.reverted")).at(-1)).toMatchObject({
      ...{ actor: "ada", subject: "game-design" },
    });
    await page.getByRole("button", { name: "Unblock game-design…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unblock", exact: true }).click();
    await blocked.getByText("game-design").waitFor({ state: "detached" });
    expect((await eventsOf(dashboard, "routing.unblocked")).at(-1)).toMatchObject({
      ...{ actor: "ada", subject: "game-design" },
    });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describeWith(browsers, "the dashboard's Runs page", () => {
  let finish = "";
  const dashboard = dashboardFor({}, async (scene) => {
    ({ finish } = await playRuns(scene));
  });
  const open = async () => {
    const opened = await dashboard.open();
    await goTo(opened.page, "Runs");
    return opened;
  };
  const stateOf = async (name: string): Promise<string | undefined> => {
    const { text } = await dashboard.scene.run("ada", "run", "list", "--json");
    const { runs } = JSON.parse(text) as { runs: { name: string; state: string }[] };
    return runs.find((one) => one.name === name)?.state;
  };

  it("shows plans and tasks, what agents ask and do, and what can be done next", async () => {
    const { page, problems } = await open();
    await panel(page, "rate-limits").getByText("1 agent at work").waitFor();
    expect(await panel(page, "rate-limits").innerText()).toMatch(
      /running[\s\S]*1 of 3 tasks done[\s\S]*count requests[\s\S]*refuse the rest[\s\S]*task\.done/,
    );
    const printed = panel(page, "rate-limits").getByRole("log", {
      name: "Output of plan 01, task 2",
    });
    await printed.getByText("Writing src/limits/refuse.ts").waitFor();
    await panel(page, "release-notes").getByText("Output of the last agent").click();
    await panel(page, "release-notes").getByText("plan 01, task 2: nothing was printed").waitFor();
    expect(await panel(page, "currencies").innerText()).toMatch(
      /needs-decision[\s\S]*Round yen to whole numbers[\s\S]*repaired on the way/,
    );
    expect(await panel(page, "release-notes").innerText()).toMatch(/done[\s\S]*2 of 2 tasks done/);
    expect(await panel(page, "release-notes").getByRole("button").count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("has names for everything, fits a phone, and its dialogs work by keyboard alone", async () => {
    const { page, problems } = await dashboard.open({ viewport: { width: 390, height: 844 } });
    await goTo(page, "Runs");
    await panel(page, "currencies").waitFor();
    expect(await accessOf(page)).toEqual(accessible);
    const button = panel(page, "currencies").getByRole("button", { name: "Leave out plan 02…" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Leave this plan out?" });
    await dialog.waitFor();
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    expect(await accessOf(page)).toEqual(accessible);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
      "Leave out plan 02…",
    );
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("a question is answered: asked first, kept with the run, and an event", async () => {
    const { page, problems } = await open();
    const run = panel(page, "currencies");
    await run.getByRole("button", { name: "Answer c2…" }).click();
    const dialog = page.getByRole("dialog", { name: "Answer this question?" });
    expect(await dialog.getByRole("button", { name: "Answer", exact: true }).isDisabled()).toBe(
      true,
    );
    await dialog.getByLabel("Answer").fill("whole <b>numbers</b>");
    await dialog.getByRole("button", { name: "Answer", exact: true }).click();
    await run.getByText("answered: “whole <b>numbers</b>”").waitFor();
    expect((await eventsOf(dashboard, "run.answered")).at(-1)).toMatchObject({
      ...{ actor: "ada", data: { note: "c2" } },
    });
    const { text } = await dashboard.scene.run("ada", "run", "list", "--json");
    const { runs } = JSON.parse(text) as { runs: { id: string; name: string }[] };
    const id = runs.find(({ name }) => name === "currencies")?.id ?? "";
    const status = await dashboard.scene.run("ada", "run", "status", id, "--json");
    expect(status.text).toContain("whole <b>numbers</b>");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("a plan is left out, and stopped tasks are opened again", async () => {
    const { page, problems } = await open();
    const run = panel(page, "currencies");
    await run.getByRole("button", { name: "Try again…" }).click();
    await page.getByRole("dialog").getByText("Nothing is started from here.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Try again", exact: true }).click();
    await page.getByRole("status").getByText("1 task opened again").waitFor();
    await run.getByRole("button", { name: "Try again…" }).waitFor({ state: "detached" });
    await run.getByRole("button", { name: "Leave out plan 02…" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave this plan out?" });
    await dialog.getByText("“the cart”").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await eventsOf(dashboard, "run.plan.skipped")).toEqual([]);
    await run.getByRole("button", { name: "Leave out plan 02…" }).click();
    await dialog.getByRole("button", { name: "Leave out", exact: true }).click();
    await run.getByRole("button", { name: "Leave out plan 02…" }).waitFor({ state: "detached" });
    expect((await eventsOf(dashboard, "run.plan.skipped")).at(-1)).toMatchObject({
      ...{ actor: "ada", data: { plan: "02" } },
    });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("what is refused is shown with its code and remedy: somebody carries the run out", async () => {
    const { root } = dashboard.scene;
    const text = '---\nplan: "01"\n---\n# Slow\n\n## Task: t\n- files: t.txt\n- verify: `true`\n\n';
    const go = join(root, "../go-on");
    put(join(root, "../slow/01-PLAN.md"), `${text}RUN: while [ ! -f ${go} ]; do sleep 0.1; done\n`);
    const { page } = await open();
    const name = "working <b>hard</b>";
    const flags = ["--name", name, "--yes", "--exec", "sh", "-c", "exit 3"];
    await dashboard.scene.run("ada", "run", "start", join(root, "../slow"), ...flags);
    const run = panel(page, name);
    await run.getByRole("button", { name: "Leave out plan 01…" }).click();
    const { text: list } = await dashboard.scene.run("ada", "run", "list", "--json");
    const { runs } = JSON.parse(list) as { runs: { id: string; name: string }[] };
    const id = runs.find((one) => one.name === name)?.id ?? "";
    dashboard.scene.go("ada", "run", "resume", id, "--yes", "--exec", ...scriptedAgent);
    await expect.poll(() => stateOf(name)).toBe("running");
    await page.getByRole("dialog").getByRole("button", { name: "Leave out", exact: true }).click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.getByText("RUN_BUSY").waitFor();
    expect((await alert.innerText()).split("\n").length).toBeGreaterThan(1);
    writeFileSync(go, "");
    await expect.poll(() => stateOf(name)).not.toBe("running");
    await page.context().close();
  });

  it("a run is paused: it finishes its task, starts no other, and says who asked", async () => {
    const { page, problems } = await open();
    const run = panel(page, "rate-limits");
    await run.getByRole("button", { name: "Pause…" }).click();
    await page.getByRole("dialog", { name: "Pause this run?" }).getByText("1 agent").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
    await run.getByText("pausing").waitFor();
    expect((await eventsOf(dashboard, "run.pause")).at(-1)).toMatchObject({
      ...{ actor: "ada", data: { wanted: "soon" } },
    });
    writeFileSync(finish, "");
    await run.locator(".panel-head").getByText("paused", { exact: true }).waitFor();
    expect(await stateOf("rate-limits")).toBe("paused");
    expect(await run.innerText()).toMatch(/2 of 3 tasks done/);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
