import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { addClaims, addEvents } from "../../scripts/many-events.ts";
import { dashboardFor } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

const count = 10_000;

/** A busy machine answers late. */

const browsers = { platforms: ["linux"], browser: true } as const;

describeWith(browsers, "the dashboard with many claims", () => {
  const dashboard = dashboardFor({}, ({ root }) => addClaims(root, count));

  it("10,000 claims: the document stays small, whatever is scrolled to, folded or looked for", async () => {
    const { page, problems } = await dashboard.open();
    const tree = page.getByRole("tree");
    const items = page.getByRole("treeitem");
    await items.first().waitFor();
    expect(await page.locator(".tree-panel .count").first().innerText()).toBe("10,000");
    const nodes = async () => Number(await page.evaluate("document.querySelectorAll('*').length"));
    expect(await nodes()).toBeLessThan(2500);
    const total = Number(await items.first().getAttribute("aria-setsize"));
    expect(total).toBeGreaterThan(count);

    const answers: string[] = [];
    page.on("response", (answer) => answers.push(new URL(answer.url()).pathname));
    await tree.focus();
    await page.keyboard.press("End");
    await page
      .locator(`[aria-posinset="${total}"]`)
      .getByText(/file-\d+\.ts/)
      .waitFor();
    expect(await nodes()).toBeLessThan(2500);
    // One jump asks for what is in sight, not for everything above it.
    expect(answers.filter((path) => path === "/api/claims").length).toBeLessThan(6);

    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    await expect.poll(async () => Number(await items.first().getAttribute("aria-setsize"))).toBe(1);
    await expect.poll(async () => items.first().innerText()).toMatch(/gen\s*10000/);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.getByRole("searchbox", { name: "Filter by path or actor" }).fill("file-07777");
    await page.getByText("file-07777.ts").waitFor();
    await expect.poll(async () => items.count()).toBeLessThan(5);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("10,000 claims: the past is shown in windows, too", async () => {
    const { page, problems } = await dashboard.open();
    await page.getByRole("link", { name: "Timeline" }).click();
    const options = page.getByRole("option");
    await options.first().waitFor();
    expect(Number(await options.first().getAttribute("aria-setsize"))).toBe(count);
    await page.getByRole("listbox").focus();
    await page.keyboard.press("End");
    await page
      .locator(`[aria-posinset="${count}"]`)
      .getByText(/file-\d+\.ts/)
      .waitFor();
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(2500);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

const eventCount = 1_000_000;

describeWith(browsers, "the dashboard with a long log", () => {
  const dashboard = dashboardFor({ prepareMs: 300_000 }, ({ root }) => addEvents(root, eventCount));
  const nodes = async (page: Page) =>
    Number(await page.evaluate("document.querySelectorAll('*').length"));
  /** Everything that was asked for, with how many bytes came and how long it took. */
  const answersOf = (page: Page) => {
    const answers: { path: string; bytes: number; ms: number }[] = [];
    page.on("requestfinished", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/") || pathname === "/api/events/stream") return;
      const { responseEnd, requestStart } = request.timing();
      const note = async (): Promise<void> => {
        const { responseBodySize: bytes } = await request.sizes();
        answers.push({ path: pathname, bytes, ms: responseEnd - requestStart });
      };
      void note();
    });
    return answers;
  };
  const expectSmall = (answers: ReturnType<typeof answersOf>): void => {
    expect(answers.length).toBeGreaterThan(0);
    for (const { path, bytes, ms } of answers) {
      expect({ path, isSmall: bytes < 200_000, isSoon: ms < 5_000 }).toEqual({
        ...{ path, isSmall: true, isSoon: true },
      });
    }
  };

  it("1,000,000 events: refusals come in pages, from the newest to the very first", async () => {
    const { page, problems } = await dashboard.open();
    const answers = answersOf(page);
    await page.getByRole("link", { name: "Refusals" }).click();
    const newest = page.getByRole("option").first();
    await newest.waitFor();
    expect(await newest.innerText()).toContain("SYNTAX_ERROR");
    const list = page.getByRole("listbox");
    await list.focus();
    const detail = page.locator(".refusal-detail");
    await expect
      .poll(
        async () => {
          await list.press("End");
          return detail.innerText();
        },
        { timeout: 120_000 },
      )
      .toMatch(/refusal 0\n/);
    expect(Number(await page.getByRole("option").last().getAttribute("aria-setsize"))).toBe(200);
    expect(await nodes(page)).toBeLessThan(1500);
    expectSmall(answers);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("1,000,000 events: the timeline goes to either end and stays small", async () => {
    const { page, problems } = await dashboard.open();
    const answers = answersOf(page);
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByText(/1,000,00\d events in the log/).waitFor();
    const before = page.getByRole("region", { name: "Just before" });
    await before.getByText("edit.applied").first().waitFor();
    await page.getByRole("slider", { name: "Time" }).press("Home");
    await before.getByText("scope.created").waitFor();
    expect(await nodes(page)).toBeLessThan(1500);
    expectSmall(answers);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
