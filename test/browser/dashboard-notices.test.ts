import { expect, it } from "vitest";
import { dashboardFor } from "../helpers/dashboard.ts";
import { describeWith } from "../helpers/not-run.ts";

const img = "<img src=x onerror=alert(1)>";

const needs = { platforms: ["linux"], browser: true, inOrder: true } as const;

describeWith(needs, "notices on the dashboard", () => {
  const dashboard = dashboardFor({}, async ({ run }) => {
    await run("ada", "claim", "README.md");
    await run("claude:hold", "claim", "src/server.ts");
    await run("codex:want", "claim", "src/other.ts");
  });
  const inbox = async (actor: string) => {
    const { text } = await dashboard.scene.run(actor, "inbox", "--json");
    return (JSON.parse(text) as { notices: Record<string, string>[] }).notices;
  };

  it("N-04 N-06 a person writes to an agent, reads its reply and answers a request, by keyboard on a phone in the dark", async () => {
    const { page, problems } = await dashboard.open({
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
    });
    const panel = (name: string) => page.getByRole("region", { name, exact: true });
    await panel("Actors").getByRole("button", { name: "Write to claude:hold" }).press("Enter");
    const letter = page.getByRole("dialog", { name: "Write to claude:hold" });
    expect(await letter.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    // The field has the focus, and Enter sends.
    await letter.getByLabel("Message").waitFor();
    await page.keyboard.type(`keep login() ${img}`);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("sent to claude:hold").waitFor();
    await letter.waitFor({ state: "detached" });
    const [message] = await inbox("claude:hold");
    expect(message).toMatchObject({
      ...{ kind: "message", from: "ada", text: `keep login() ${img}` },
    });

    // The reply appears by itself, as text, and is answered from there.
    expect(await panel("For you").count()).toBe(0);
    const words = [`what for? ${img}`, "--reply-to", message!["id"]!];
    await dashboard.scene.run("claude:hold", "tell", "ada", ...words);
    await panel("For you").getByText(`what for? ${img}`).waitFor();
    await panel("For you").getByRole("button", { name: "Reply…" }).press("Enter");
    await letter.getByLabel("Message").fill("a release");
    await letter.getByRole("button", { name: "Send" }).press("Enter");
    await letter.waitFor({ state: "detached" });
    expect(await inbox("claude:hold")).toMatchObject([
      { text: "a release", replyTo: expect.stringMatching(/^nt_/) },
    ]);
    await panel("For you").getByRole("button", { name: "Mark as read" }).press("Enter");
    await panel("For you").waitFor({ state: "detached" });
    expect(await inbox("ada")).toEqual([]);

    // A request between two agents: the person answers in the place of its holder.
    await dashboard.scene.run("codex:want", "ask", "src/server.ts", `a hotfix ${img}`);
    await panel("Asked for").getByText(`a hotfix ${img}`).waitFor();
    await panel("Asked for").getByRole("button", { name: "Answer…" }).press("Enter");
    const answer = page.getByRole("dialog", { name: "Answer in the place of the holder?" });
    await answer.getByLabel("Text, for the asker").fill("take it");
    await answer.getByRole("button", { name: "yes" }).press("Enter");
    await answer.getByText("the next in line gets it").waitFor();
    await answer.getByRole("button", { name: "Answer", exact: true }).press("Enter");
    await panel("Asked for").waitFor({ state: "detached" });
    expect(await inbox("codex:want")).toMatchObject([
      { kind: "answer", from: "ada", text: "yes: take it", target: "src/server.ts" },
    ]);
    expect((await inbox("claude:hold")).at(-1)?.["text"]).toContain("your claim is released");
    expect((await dashboard.scene.run("codex:want", "claim", "src/server.ts")).code).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("N-04 a message that is refused is shown with its code, and its words stay in the field", async () => {
    const { page } = await dashboard.open();
    const actors = page.getByRole("region", { name: "Actors", exact: true });
    await actors.getByRole("button", { name: "Write to all…" }).click();
    const letter = page.getByRole("dialog", { name: "Write to all sessions" });
    const text = "é".repeat(1500);
    await letter.getByLabel("Message").fill(text);
    await letter.getByRole("button", { name: "Send" }).click();
    await letter.getByRole("alert").getByText("INPUT_TOO_LARGE").waitFor();
    expect(await letter.getByLabel("Message").inputValue()).toBe(text);
    expect(await inbox("codex:want")).toEqual([]);
    await letter.getByLabel("Message").fill("shorter");
    await letter.getByRole("button", { name: "Send" }).click();
    await letter.waitFor({ state: "detached" });
    expect(await inbox("codex:want")).toMatchObject([{ text: "shorter" }]);
    await page.context().close();
  });
});
