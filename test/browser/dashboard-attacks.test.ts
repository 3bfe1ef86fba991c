import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { launchBrowser } from "../helpers/browser.ts";
import { dashboardFor, watch } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

const img = "<img src=x onerror=alert(1)>";
const script = "<script>alert(1)</script>";

describeWith({ platforms: ["linux"], browser: true }, "attacks on the dashboard", () => {
  const dashboard = dashboardFor({}, async (scene) => {
    await scene.run("mallory", "claim", `src/${img}.ts`, "--reason", script);
    await scene.run(`codex:${img}`, "claim", `name:x`, "--reason", "javascript:alert(1)");
    await scene.run("mallory", "claim", "src/safe.ts", "--reason", "\u001b[31m\u202egnp.exe");
    await scene.write("claude:evil", `src/${img}.json`, `{ "${script}": ${img}\n`);
    const hostile = `import subprocess\n\nsubprocess.run("x " + "${script}" + y, shell=True)\n`;
    writeFileSync(join(scene.root, `${img}.py`), hostile);
    await scene.run("mallory", "review", "--runner", "none");
    scene.go("waiter", "claim", `src/${img}.ts`, "--wait", "10m", "--reason", script);
  });

  it("C05 E07 names, reasons, actors and contents are shown as text on every page, and run nowhere", async () => {
    const { page, problems } = await dashboard.open();
    await page
      .getByRole("treeitem")
      .filter({ hasText: `${img}.ts` })
      .waitFor();
    expect(await page.getByRole("tree").innerText()).toContain(script);
    for (const name of ["now", "timeline", "refusals", "reviews", "profile", "health"]) {
      await page.goto(`${dashboard.scene.address}/#/${name}`);
      await page.locator("h1").waitFor();
      if (name === "refusals") await page.locator(".diff-line").first().waitFor();
      if (name === "reviews") await page.locator(".finding").getByText(`${img}.py`).waitFor();
      if (name === "timeline") await page.getByRole("option").first().waitFor();
      expect(await page.locator("main").innerText()).not.toBe("");
      const foreign = await page.evaluate(
        "[...document.querySelectorAll('img, script, iframe, object, embed, base, form[action]')]" +
          ".map((one) => one.getAttribute('src'))",
      );
      expect(foreign).toEqual(["/assets/main.js", "/icon.svg"]);
    }
    await page.goto(`${dashboard.scene.address}/#/refusals`);
    await page.locator(".diff-line").first().waitFor();
    expect(await page.locator(".refusal-detail").innerText()).toContain(`"${script}": ${img}`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("C05 what reorders or hides text is made visible", async () => {
    const { page } = await dashboard.open();
    const text = async () => page.locator("main").innerText();
    await page.getByRole("treeitem").first().waitFor();
    expect(await text()).toContain("\\u001b[31m\\u202egnp.exe");
    expect(await text()).not.toMatch(/[\u202a-\u202e]|\p{Cc}\[/u);
    await page.context().close();
  });

  it("E07 no script but the page's own can run in it, and no text becomes markup", async () => {
    const { page } = await dashboard.open();
    const tried = await page.evaluate(`(() => {
      const attempt = (work) => { try { return String(work()); } catch (error) { return error.name; } };
      const inline = document.createElement("script");
      return [
        attempt(() => { inline.text = "window.ran = true"; document.head.append(inline); return window.ran; }),
        attempt(() => { document.body.insertAdjacentHTML("beforeend", "<b>x</b>"); return "markup"; }),
        attempt(() => { document.createElement("script").src = "https://evil.example/x.js"; return "address"; }),
        attempt(() => { const link = document.createElement("div"); link.setAttribute("onclick", "window.ran = 1"); link.click(); return window.ran; }),
      ];
    })()`);
    expect(tried).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
    const sent = await page.evaluate(
      "fetch('http://127.0.0.1:9/steal').then(() => 'sent', (error) => error.name)",
    );
    expect(sent).toBe("TypeError");
    await page.context().close();
  });

  it("C08 a link works once, and its key is worth nothing afterwards or elsewhere", async () => {
    const link = /http:\S+#key=[0-9a-f]{32}/.exec(dashboard.scene.printed())![0];
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.locator(".connection.is-live").waitFor();
    expect(page.url()).toBe(`${dashboard.scene.address}/#/now`);
    expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
    const second = await (await dashboard.browser.newContext()).newPage();
    await second.goto(link);
    await second.getByText("This link was used already").waitFor();
    // The page's secret opens the dashboard's addresses only.
    const statuses = await page.evaluate(`Promise.all([
      ["GET", "/api/now"], ["POST", "/api/shutdown"], ["POST", "/api/sign-in/keys"],
      ["POST", "/hooks/claude"], ["POST", "/mcp"], ["POST", "/api/x/../shutdown"],
      ["POST", "/api/%73hutdown"], ["POST", "/api//shutdown"],
    ].map(([method, path]) => fetch(path, {
      method,
      headers: {
        authorization: "Bearer " + sessionStorage.getItem("headgate.secret"),
        "content-type": "application/json",
      },
      ...(method === "POST" && { body: "{}" }),
    }).then(({ status }) => status)))`);
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 404]);
    await context.close();
    await second.context().close();
  });

  it("E02 E04 E07 a page of another origin can neither frame it, nor act, nor sign in with a guess", async () => {
    const target = dashboard.scene.address;
    const evil = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>evil</title><body>");
    });
    evil.listen(0, "127.0.0.1");
    await once(evil, "listening");
    onTestFinished(() => void evil.close());
    const before = await dashboard.scene.run("ada", "claims", "--json");
    const page = await dashboard.browser.newPage();
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const outcome = await page.evaluate(`(async () => {
      const attempt = (work) => work().then((text) => text, () => "refused");
      const post = (path, type, body) => attempt(() => fetch("${target}" + path, {
        method: "POST", credentials: "include", headers: { "content-type": type }, body,
        mode: type === "text/plain" ? "no-cors" : "cors",
      }).then((answer) => answer.type === "opaque" ? "refused" : answer.status));
      const frame = document.createElement("iframe");
      frame.src = "${target}/";
      const loaded = new Promise((done) => frame.addEventListener("load", done));
      document.body.append(frame);
      await loaded;
      return [
        await post("/api/actions/release", "application/json", '{"claim":"x","fence":1}'),
        await post("/api/actions/release", "text/plain", '{"claim":"x","fence":1}'),
        await post("/api/sign-in", "application/json", '{"key":"guess"}'),
        await post("/api/sign-in", "text/plain", '{"key":"guess"}'),
      ];
    })()`);
    expect(outcome).toEqual(["refused", "refused", "refused", "refused"]);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed!.evaluate("document.querySelector('#page') === null")).toBe(true);
    const after = await dashboard.scene.run("ada", "claims", "--json");
    const ids = (text: string) => text.match(/cl_\w+/g)?.toSorted();
    expect(ids(after.text)).toEqual(ids(before.text));
    await page.context().close();
  });

  it("E01 a rebound name gets neither the page nor its files nor a way in", async () => {
    const browser = await launchBrowser({ "rebound.example": "127.0.0.1" });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const problems = watch(page);
    for (const path of ["/", "/assets/main.js", "/api/now"]) {
      const answer = await page.goto(`http://rebound.example:${dashboard.scene.port}${path}`);
      expect(answer?.status()).toBe(403);
    }
    const key = new URL(await dashboard.scene.link()).hash.slice("#key=".length);
    const status = await page.evaluate(
      `fetch("/api/sign-in", { method: "POST", headers: { "content-type": "application/json" }, body: '{"key":"${key}"}' }).then((answer) => answer.status, () => "blocked")`,
    );
    expect([403, "blocked"]).toContain(status);
    expect(problems.join()).not.toContain("secret");
  });
});
