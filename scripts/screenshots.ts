/** `npm run screenshots`: the dashboard's pictures in docs/images, from real processes in a real browser. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Page } from "playwright-core";
import { playRouting, playRuns } from "./dashboard-scene-decisions.ts";
import { openScene, playScene } from "./dashboard-scene.ts";

const target = process.argv[2] ?? resolve(import.meta.dirname, "../docs/images");
const sizeMax = 200 * 1024;

interface Shot {
  readonly name: string;
  readonly page: string;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly before?: (page: Page) => Promise<void>;
}

const scrubBack = async (page: Page): Promise<void> => {
  await page.waitForSelector(".time-slider");
  await page.locator(".time-slider").fill("640");
  await page.locator("h1").click();
  await page.waitForTimeout(600);
};
const openClaim = async (page: Page): Promise<void> => {
  await page.locator("[role=treeitem]", { hasText: "ledger.ts" }).click();
  await page.getByRole("button", { name: "Take over…" }).click();
};
const openAnswer = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Answer…" }).click();
  await page.getByRole("button", { name: "later" }).click();
};
const openProposal = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^Approve the proposal for accessibility/ }).click();
};

const shots: readonly Shot[] = [
  { name: "now-light", page: "now", theme: "light" },
  { name: "now-dark", page: "now", theme: "dark" },
  { name: "take-over", page: "now", theme: "light", before: openClaim },
  { name: "answer", page: "now", theme: "light", before: openAnswer },
  { name: "timeline", page: "timeline", theme: "light", before: scrubBack },
  { name: "refusals", page: "refusals", theme: "dark" },
  { name: "reviews", page: "reviews", theme: "light" },
  { name: "routing", page: "routing", theme: "light" },
  { name: "approve", page: "routing", theme: "dark", before: openProposal },
  { name: "runs", page: "runs", theme: "light" },
  { name: "profile", page: "profile", theme: "light" },
  { name: "health", page: "health", theme: "dark" },
  { name: "phone-now", page: "now", theme: "light", width: 390, height: 844 },
  { name: "phone-runs", page: "runs", theme: "light", width: 390, height: 844 },
  { name: "phone-refusals", page: "refusals", theme: "dark", width: 390, height: 844 },
];

const folder = mkdtempSync(join(tmpdir(), "headgate-shots-"));
const scene = await openScene({ folder });
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;
const browser = await chromium.launch({
  executablePath: browsers.find((name) => existsSync(name)) ?? browsers[0],
  args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
});
try {
  await playScene(scene);
  await playRouting(scene);
  await playRuns(scene);
  mkdirSync(target, { recursive: true });
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC" });
  const page = await context.newPage();
  await page.goto(await scene.link());
  await page.waitForSelector("[role=treeitem]");
  for (const shot of shots) {
    const { width = 1280, height = 800 } = shot;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: shot.theme ?? "light" });
    await page.goto(`${scene.address}/#/${shot.page}`);
    await page.reload();
    await page.waitForSelector(".connection.is-live");
    await page.waitForTimeout(1500);
    await shot.before?.(page);
    await page.waitForTimeout(300);
    const path = join(target, `${shot.name}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${shot.name}.png ${Math.round(size / 1024)} KB`);
    if (size > sizeMax) throw new Error(`${path} is larger than ${sizeMax} bytes`);
  }
} finally {
  await browser.close();
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
}
