import { expect, it } from "vitest";
import { playScene } from "../../../scripts/dashboard-scene.ts";
import { accessOf, dashboardFor } from "../../helpers/dashboard.ts";
import { describeWith } from "../../helpers/not-run.ts";

/** Each page with a text that it shows once its data is there. */
const pages = [
  ["now", "ledger.ts"],
  ["timeline", "src/billing/ledger.ts"],
  ["refusals", "DUPLICATE_SYMBOL"],
  ["reviews", "Reviews"],
  ["routing", "headgate routing propose"],
  ["runs", "headgate run start"],
  ["profile", "framework:npm:express"],
  ["health", "Claude Code"],
] as const;

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

describeWith({ platforms: ["linux"], browser: true }, "every page", () => {
  const dashboard = dashboardFor({}, playScene);

  it.each(Object.entries(sizes))(
    "shows its data without an error and names all that a screen reader meets, on a %s",
    async (_, viewport) => {
      const { page, problems } = await dashboard.open({ viewport });
      for (const [name, text] of pages) {
        await page.goto(`${dashboard.scene.address}/#/${name}`);
        await page.locator("main").getByText(text).first().waitFor();
        const found = await accessOf(page);
        const whole = { h1: 1, unnamed: [], landmarks: 2, tooWide: false };
        expect({ name, ...found }).toEqual({ name, ...whole });
      }
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );
});
