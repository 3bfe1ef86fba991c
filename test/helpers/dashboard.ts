import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openScene, type Scene, type SceneOptions } from "../../scripts/dashboard-scene.ts";
import { launchBrowser } from "./browser.ts";
import { requireFreshBuild } from "./fresh-build.ts";

requireFreshBuild();

export interface Dashboard {
  readonly scene: Scene;
  readonly browser: Browser;
  /** A new browser session that came in by a link, with what went wrong in it. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
}

/** One repository, server and browser for all tests of a file. */
export const dashboardFor = (
  { prepareMs = 120_000, ...options }: Partial<SceneOptions> & { readonly prepareMs?: number },
  prepare: (scene: Scene) => Promise<void> = async () => {},
): Dashboard => {
  let scene: Scene | undefined;
  let browser: Browser | undefined;
  let folder = "";
  beforeAll(async () => {
    folder = realpathSync.native(mkdtempSync(join(tmpdir(), "headgate-test-")));
    scene = await openScene({ folder, ...options });
    [browser] = await Promise.all([launchBrowser(), prepare(scene)]);
  }, prepareMs);
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    get scene() {
      return scene!;
    },
    get browser() {
      return browser!;
    },
    open: async (contextOptions = {}) => {
      const context = await browser!.newContext({ timezoneId: "UTC", ...contextOptions });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const problems = watch(page);
      await page.goto(await scene!.link());
      await page.locator(".connection.is-live").waitFor();
      return { page, problems };
    },
  };
};

/** Everything that a browser complains about: errors, blocked content, failed requests, dialogs. */
export const watch = (page: Page): string[] => {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("requestfailed", (request) => {
    // A question that is not interesting any more is called off.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
  });
  return problems;
};

/** What a screen reader and a narrow window make of the page. */
export const accessOf = async (page: Page): Promise<object> =>
  (await page.evaluate(`({
        h1: document.querySelectorAll("h1").length,
        unnamed: [...document.querySelectorAll("button, a, input, [role=tree], [role=listbox]")]
          .filter((one) => one.checkVisibility() && !(one.innerText?.trim() ||
            one.getAttribute("aria-label") || one.labels?.[0]?.textContent?.trim()))
          .map((one) => one.outerHTML.slice(0, 100)),
        landmarks: document.querySelectorAll("main, nav").length,
        tooWide: document.documentElement.scrollWidth > innerWidth ||
          document.querySelector("main").scrollWidth > document.querySelector("main").clientWidth,
      })`)) as object;
