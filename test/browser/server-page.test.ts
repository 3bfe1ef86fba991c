import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startBrowser } from "../helpers/browser.ts";
import { describeWith } from "../helpers/not-run.ts";
import { run, startServer } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** A page of somebody else on this computer, which tries what a browser lets it try. */
const hostilePage = async (script: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>evil</title><body><script>${script}</script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
};

describeWith({ platforms: ["linux"], browser: true }, "the server in a browser", () => {
  it("says what to do to whoever comes without a link, without any error or blocked content", async () => {
    const { port } = await startServer({ cwd: temporaryFolder() });
    const browser = await startBrowser();
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => problems.push(request.url()));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("heading", { name: "Headgate is running" }).waitFor();
    expect(await page.innerText("main")).toContain("headgate up");
    // The style sheet counts: without it the text would run over the whole window.
    expect((await page.locator(".sign-in-panel").boundingBox())!.width).toBeLessThan(900);
    expect(problems).toEqual([]);
  });

  it("E02 E04 E05 E06 E07 a page of another origin can neither read nor change anything", async () => {
    const cwd = temporaryFolder();
    const { port } = await startServer({ cwd });
    const target = `http://127.0.0.1:${port}`;
    const url = await hostilePage(`
      const attempt = (name, work) => work().then((text) => name + ": " + text, () => name + ": refused");
      const json = { "content-type": "application/json", authorization: "Bearer guess" };
      window.outcome = Promise.all([
        attempt("read", () => fetch("${target}/health").then((answer) => answer.text())),
        attempt("read with token", () => fetch("${target}/api/status", { headers: json }).then((a) => a.text())),
        attempt("blind post", () => fetch("${target}/api/shutdown",
          { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body: "{}" }).then((a) => a.type)),
        attempt("json post", () => fetch("${target}/api/shutdown", { method: "POST", headers: json, body: "{}" }).then((a) => a.text())),
        attempt("stream", () => new Promise((done, fail) => {
          const source = new EventSource("${target}/api/events/stream");
          source.onmessage = () => done("message");
          source.onerror = () => { source.close(); fail(); };
        })),
      ]);
      const frame = document.createElement("iframe");
      frame.src = "${target}/";
      document.body.append(frame);`);
    const browser = await startBrowser();
    const page = await browser.newPage();
    await page.goto(url);
    expect(await page.evaluate("window.outcome")).toEqual([
      "read: refused",
      "read with token: refused",
      // By the cross-origin-resource-policy header; that nothing happened is checked below.
      "blind post: refused",
      "json post: refused",
      "stream: refused",
    ]);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed!.evaluate("document.body?.innerText ?? ''")).not.toContain("Headgate");
    await expect
      .poll(async () => JSON.parse((await run(["status", "--json"], { cwd })).stdout).server)
      .toMatchObject({ running: true, port });
  });

  it("E01 a name that a hostile name server points at this computer gets nothing", async () => {
    const { port } = await startServer({ cwd: temporaryFolder() });
    const browser = await startBrowser({ "rebound.example": "127.0.0.1" });
    const page = await browser.newPage();
    const answer = await page.goto(`http://rebound.example:${port}/`);
    expect(answer?.status()).toBe(403);
    expect(await answer?.json()).toMatchObject({ code: "HTTP_HOST_REFUSED" });
  });
});
