import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { playScene } from "../../scripts/dashboard-scene.ts";
import { dashboardFor } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

const needs = { platforms: ["linux"], browser: true, inOrder: true } as const;

describeWith(needs, "the dashboard", () => {
  const dashboard = dashboardFor({}, playScene);
  const { open } = dashboard;
  const row = (page: Page, text: string) => page.getByRole("treeitem").filter({ hasText: text });
  const go = async (page: Page, name: string): Promise<void> => {
    await page
      .getByRole("link", { name: new RegExp(`^${name}\\b`) })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  };
  const eventsOf = async (kind: string) => {
    const { text } = await dashboard.scene.run("ada", "events", "--kind", kind, "--json");
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { actor: string; data: Record<string, unknown> });
  };

  it("Now: actors with their life, claims as a tree with symbols, waiters, requests, refusals", async () => {
    const { page, problems } = await open();
    await row(page, "invoice.ts#Invoice.refund").waitFor();
    const tree = await page.getByRole("tree").innerText();
    for (const text of ["ledger.ts", "claude:7d31", "refund flow", "**/*.stories.tsx", "shared"]) {
      expect(tree).toContain(text);
    }
    const panel = (name: string) => page.getByRole("region", { name, exact: true });
    expect(await panel("Actors").innerText()).toMatch(/codex:a90f\s+3 claims[\s\S]*alive/);
    expect(await panel("Waiting").innerText()).toMatch(
      /claude:e5c8[\s\S]*src\/billing\/ledger\.ts[\s\S]*claude:7d31/,
    );
    expect(await panel("Asked for").innerText()).toContain("CHANGELOG.md");
    expect(await panel("Refused").innerText()).toMatch(
      /DUPLICATE_SYMBOL[\s\S]*src\/money\.ts#round/,
    );
    expect(await page.locator(".summary").innerText()).toMatch(/14\s+claims/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Now: a new claim and a new refusal appear by themselves", async () => {
    const { page, problems } = await open();
    await row(page, "ledger.ts").waitFor();
    expect(await row(page, "fresh.ts").count()).toBe(0);
    await dashboard.scene.run("codex:live", "claim", "src/fresh.ts", "--reason", "just now");
    await row(page, "fresh.ts").waitFor();
    expect(await row(page, "fresh.ts").innerText()).toContain("codex:live");
    await dashboard.scene.write("claude:live", "src/broken.json", "{ oops");
    await page.getByRole("region", { name: "Refused" }).getByText("src/broken.json").waitFor();
    await dashboard.scene.run("codex:live", "release", "--all");
    await row(page, "fresh.ts").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("an action asks first, then is done and told in events of the dashboard's user", async () => {
    const { page, problems } = await open();
    await dashboard.scene.run("codex:held", "claim", "src/held.ts");
    await row(page, "held.ts").click();
    await page.getByRole("button", { name: "Release…" }).click();
    const dialog = page.getByRole("dialog", { name: "Release somebody else's claim?" });
    await dialog.waitFor();
    // Nothing has happened yet, and going back changes nothing.
    await dialog.getByRole("button", { name: "Back" }).click();
    expect((await dashboard.scene.run("ada", "check", "src/held.ts")).code).toBe(1);
    await page.getByRole("button", { name: "Release…" }).click();
    await page.getByLabel("Reason, for the event log").fill("it hangs");
    await page.getByRole("button", { name: "Release", exact: true }).click();
    await page.getByRole("status").getByText("released src/held.ts").waitFor();
    await row(page, "held.ts").waitFor({ state: "detached" });
    expect((await dashboard.scene.run("ada", "check", "src/held.ts")).code).toBe(0);
    expect((await eventsOf("claim.transferred")).at(-1)).toMatchObject({
      actor: "ada",
      data: { target: "src/held.ts", from: "codex:held", forced: true, reason: "it hangs" },
    });
    expect((await eventsOf("claim.released")).at(-1)).toMatchObject({ actor: "ada" });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("a claim that changed hands meanwhile is not taken: the fence that was seen counts", async () => {
    const { page } = await open();
    await dashboard.scene.run("codex:swap", "claim", "src/swap.ts");
    await row(page, "swap.ts").click();
    await page.getByRole("button", { name: "Take over…" }).click();
    await dashboard.scene.run("codex:swap", "transfer", "src/swap.ts", "--to", "cursor:other");
    await page.getByRole("button", { name: "Take over", exact: true }).click();
    await page.getByRole("alert").getByText("has changed hands").waitFor();
    const { text } = await dashboard.scene.run("ada", "claims", "--json");
    expect(text).toContain("cursor:other");
    await page.context().close();
  });

  it("N-06 what the dashboard's user was asked for can be answered", async () => {
    const { page, problems } = await open();
    await page.getByRole("button", { name: "Answer…" }).click();
    const dialog = page.getByRole("dialog", { name: "Answer this request?" });
    expect(await dialog.getByRole("button", { name: "Answer", exact: true }).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole("button", { name: "later" }).click();
    await dialog.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByRole("status").getByText("deferred").waitFor();
    expect((await eventsOf("claim.answered")).at(-1)).toMatchObject({
      actor: "ada",
      data: { answer: "deferred", asker: "claude:e5c8" },
    });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Timeline: going back shows who held what then", async () => {
    const { scene } = dashboard;
    await scene.run("codex:past", "claim", "src/past.ts", "--reason", "long ago");
    const then = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 30));
    await scene.run("codex:past", "release", "--all");
    const { page, problems } = await open();
    await page.goto(`${scene.address}/#/timeline?at=${encodeURIComponent(then)}`);
    await page.getByRole("option").filter({ hasText: "src/past.ts" }).waitFor();
    expect(await page.getByRole("region", { name: "Just before" }).innerText()).toContain(
      "claim.granted",
    );
    await page.getByRole("button", { name: "Now", exact: true }).click();
    await page
      .getByRole("option")
      .filter({ hasText: "src/past.ts" })
      .waitFor({ state: "detached" });
    await page.getByRole("option").filter({ hasText: "src/billing/ledger.ts" }).waitFor();
    // To the very left: before anything was claimed. By keyboard, as a slider is used.
    await page.getByRole("slider", { name: "Time" }).press("Home");
    await page.getByText("Nothing was held").waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Refusals: reason, remedy and the change that was refused", async () => {
    const { page, problems } = await open();
    await go(page, "Refusals");
    await page.getByRole("option").filter({ hasText: "SYNTAX_ERROR" }).last().click();
    const detail = page.getByRole("region", { name: "SYNTAX_ERROR" });
    await detail.getByText("What to do").waitFor();
    expect(await detail.innerText()).toContain("src/billing/tax.ts");
    const lines = await detail.locator(".diff-line.is-added").allInnerTexts();
    expect(lines.join("\n")).toContain("return { net + round(net * rate);");
    expect(await detail.locator(".diff-line.is-removed").count()).toBe(1);
    await page.getByRole("searchbox", { name: "Filter" }).fill("duplicate");
    await page.getByRole("region", { name: "DUPLICATE_SYMBOL" }).waitFor();
    expect(await page.getByRole("option").count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Refusals: those of headgate edit are shown like those of hooks", async () => {
    const { page, problems } = await open();
    await go(page, "Refusals");
    const add = ["--code", "export function round(): number { return 0; }", "--yes"];
    await dashboard.scene.run("codex:edit", "edit", "add", "src/money.ts", ...add);
    await page.getByRole("option").filter({ hasText: "codex:edit" }).click();
    const detail = page.getByRole("region", { name: "DUPLICATE_SYMBOL" });
    await detail.getByText("by headgate edit add").waitFor();
    await detail.locator(".diff-line.is-added").filter({ hasText: "return 0" }).waitFor();
    expect(await detail.innerText()).toMatch(/src\/money\.ts#round[\s\S]*What to do/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Profile, Health, and the pages that have nothing yet", async () => {
    const { page, problems } = await open();
    await go(page, "Profile");
    await page.getByRole("heading", { name: "web-api" }).waitFor();
    expect(await page.innerText("main")).toContain("framework:npm:express");
    // The mark is there before the page is opened.
    const way = page.getByRole("link", { name: /Health/ });
    expect(await way.getByText("problem").textContent()).toContain("problem");
    await go(page, "Health");
    const clients = page.getByRole("region", { name: "Agent clients" });
    await clients.waitFor();
    expect(await clients.innerText()).toMatch(/Claude Code[\s\S]*seen[\s\S]*Codex[\s\S]*problem/);
    expect(await page.innerText("main")).toContain("hooks in .claude/settings.json");
    for (const [name, text] of [
      ["Routing", "headgate routing propose"],
      ["Runs", "headgate run start"],
    ] as const) {
      await go(page, name);
      await page.locator("main").getByText(text).waitFor();
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Reviews: verdict, reviewers, findings; accept and dismiss ask first and are events", async () => {
    const { page, problems } = await open();
    await go(page, "Reviews");
    const detail = page.getByRole("region", { name: "working tree" });
    await detail.getByText("a shell command is put together").waitFor();
    expect(await detail.innerText()).toMatch(
      /not-reviewed[\s\S]*static[\s\S]*scripts\/export\.py:8/,
    );
    const finding = (text: string) => detail.getByRole("listitem").filter({ hasText: text });
    await finding("forEach").getByRole("button", { name: "Dismiss…" }).click();
    const dialog = page.getByRole("dialog", { name: "Dismiss this finding?" });
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await dashboard.scene.run("ada", "findings", "list", "--json")).text).not.toContain(
      '"dismissed"',
    );
    await finding("forEach").getByRole("button", { name: "Dismiss…" }).click();
    await dialog.getByLabel("Why").selectOption("deprioritized");
    await dialog.getByLabel("Note").fill("after the release");
    await dialog.getByRole("button", { name: "Dismiss", exact: true }).click();
    await finding("forEach").getByText("dismissed").waitFor();
    await finding("shell command").getByRole("button", { name: "Accept…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept", exact: true }).click();
    await finding("shell command").getByText("accepted").waitFor();
    expect((await eventsOf("finding.dismissed")).at(-1)).toMatchObject({ actor: "ada" });
    expect((await eventsOf("finding.accepted")).at(-1)).toMatchObject({ actor: "ada" });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("works by keyboard alone", async () => {
    const { page } = await open();
    const tree = page.getByRole("tree");
    await row(page, "ledger.ts").waitFor();
    await tree.focus();
    const active = async () => {
      const id = await tree.getAttribute("aria-activedescendant");
      return page.locator(`[id="${id}"]`);
    };
    await page.keyboard.press("Home");
    const before = await page.getByRole("treeitem").count();
    expect(await (await active()).getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => page.getByRole("treeitem").count()).toBeLessThan(before);
    await expect.poll(async () => (await active()).getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => page.getByRole("treeitem").count()).toBe(before);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    // The focus is inside, and comes back.
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("tree");
    await page.context().close();
  });

  it("is dark or light as the system is, or as the button says, and remembers it", async () => {
    const { page } = await open({ colorScheme: "dark" });
    const brightness = async (): Promise<number> =>
      Number(
        await page.evaluate(
          "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)",
        ),
      );
    expect(await brightness()).toBeLessThan(150);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(brightness).toBeGreaterThan(600);
    await page.getByRole("button", { name: /^Colours: system/ }).click();
    await page.getByRole("button", { name: /^Colours: light/ }).click();
    await expect.poll(brightness).toBeLessThan(150);
    await page.reload();
    await page.getByRole("button", { name: /^Colours: dark/ }).waitFor();
    expect(await brightness()).toBeLessThan(150);
    await page.context().close();
  });

  it("a tab that was reloaded stays in; a copy of its address does not get in", async () => {
    const { page } = await open();
    expect(page.url()).not.toContain("key");
    await page.reload();
    await row(page, "ledger.ts").waitFor();
    const other = await (await dashboard.browser.newContext()).newPage();
    await other.goto(page.url());
    await other.getByRole("heading", { name: "Headgate is running" }).waitFor();
    await other.context().close();
    await page.context().close();
  });

  it("says so where nothing fits", async () => {
    const { page } = await open();
    await page.getByRole("searchbox", { name: "Filter by path or actor" }).fill("no such thing");
    await page.getByText("Nothing fits").waitFor();
    expect(await page.getByRole("treeitem").count()).toBe(0);
    await page.context().close();
  });
});
