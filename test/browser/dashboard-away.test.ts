import { expect, it } from "vitest";
import { dashboardFor } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

describeWith({ platforms: ["linux"], browser: true }, "a dashboard whose server goes", () => {
  const kept = dashboardFor({ env: { HEADGATE_TOKEN: "ab".repeat(32) } });
  const renewed = dashboardFor({});

  it("says so, keeps what it showed, and goes on by itself when the server is back", async () => {
    const { scene } = kept;
    const { page } = await kept.open();
    await scene.run("codex:1", "claim", "src/before.ts");
    await page.getByRole("treeitem").filter({ hasText: "before.ts" }).waitFor();
    await scene.stopServer();
    await page.getByRole("alert").getByText("The server does not answer").waitFor();
    expect(await page.locator(".connection").innerText()).toBe("offline");
    expect(await page.getByRole("tree").innerText()).toContain("before.ts");
    // What happens without the server is there afterwards, too; nothing can be done until then.
    await scene.run("codex:2", "claim", "src/meanwhile.ts");
    await page.getByRole("treeitem").filter({ hasText: "before.ts" }).click();
    await page.getByRole("button", { name: "Release…" }).click();
    expect(await page.getByRole("button", { name: "Release", exact: true }).isDisabled()).toBe(
      true,
    );
    await page.keyboard.press("Escape");
    await scene.startServer();
    await page.locator(".connection.is-live").waitFor();
    await page.getByRole("treeitem").filter({ hasText: "meanwhile.ts" }).waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    // And the stream is a new one, not only the picture.
    await scene.run("codex:3", "claim", "src/afterwards.ts");
    await page.getByRole("treeitem").filter({ hasText: "afterwards.ts" }).waitFor();
    await page.context().close();
  });

  it("a server that started anew with another token asks for a new link", async () => {
    const { scene } = renewed;
    const { page } = await renewed.open();
    await scene.stopServer();
    await page.getByRole("alert").waitFor();
    await scene.startServer();
    await page.getByText("The server was started again").waitFor();
    // In the same tab: only what is behind the # changes.
    await page.goto(await scene.link());
    await page.locator(".connection.is-live").waitFor();
    expect(page.url()).toBe(`${scene.address}/#/now`);
    await page.context().close();
  });
});
