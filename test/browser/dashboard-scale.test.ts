import { expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { dashboardFor } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

const count = 10_000;

/** A busy machine answers late. */
const late = { timeout: 20_000 };

describeWith({ platforms: ["linux"], programs: ["chromium"] }, "the dashboard with much", () => {
  const dashboard = dashboardFor({}, async ({ root }) => {
    await using headgate = await openHeadgate({ repo: root, actor: "many" });
    for (let from = 0; from < count; from += 64) {
      const targets = Array.from({ length: Math.min(64, count - from) }, (_, index) => {
        const n = from + index;
        return `gen/d${n % 40}/e${n % 7}/file-${String(n).padStart(5, "0")}.ts`;
      });
      await headgate.as(`codex:${from % 12}`).claims.claim({ targets, ttlMs: 3_600_000 });
    }
  });

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
    await expect
      .poll(async () => Number(await items.first().getAttribute("aria-setsize")), late)
      .toBe(1);
    await expect.poll(async () => items.first().innerText(), late).toMatch(/gen\s*10000/);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.getByRole("searchbox", { name: "Filter by path or actor" }).fill("file-07777");
    await page.getByText("file-07777.ts").waitFor();
    await expect.poll(async () => items.count(), late).toBeLessThan(5);
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
