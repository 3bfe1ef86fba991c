import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { browsers, hasProgram } from "./not-run.ts";

/** Ended with the test. */
export const startBrowser = async (hosts: Record<string, string> = {}): Promise<Browser> => {
  const browser = await launchBrowser(hosts);
  onTestFinished(() => browser.close());
  return browser;
};

/** A real Chromium without a window; `hosts` maps names to addresses as a hostile name server would. */
export const launchBrowser = async (hosts: Record<string, string> = {}): Promise<Browser> => {
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  return chromium.launch({
    executablePath: `/usr/bin/${browsers.find(hasProgram) ?? browsers[0]}`,
    args: [
      // Chromium's own sandbox refuses root, which the fault tests need.
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(", ")}`] : []),
    ],
  });
};
