/** T-04: what only a person may do is asked for, and a person answers on the dashboard. Real program, server and git. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { inAgentShell } from "../helpers/agent-shell.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { run } from "../helpers/program.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

interface Wanted {
  readonly id: string;
  readonly actor: string;
  readonly what: string;
  readonly line: string;
}

describeWith({ platforms: ["linux"] }, "requests to a person", () => {
  it("T-04 an approved command passes once, for its session only; a declined one never", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "shop"));
    put(join(cwd, "y.py"), "def total():\n    return 1\n");
    git(cwd, "add", ".");
    git(cwd, "commit", "--quiet", "--message", "y");
    const init = await run(["init", "--yes", "--client", "claude"], { cwd });
    expect(init, init.stderr).toMatchObject({ code: 0 });
    const up = await run(["up", "--detach", "--json"], { cwd });
    onTestFinished(async () => void (await run(["up", "--stop"], { cwd })));
    const { address, dashboard } = JSON.parse(up.stdout) as { address: string; dashboard: string };
    const agent = (line: string, session = "s2") => inAgentShell(line, { cwd, session });

    // An agent gets no link that makes it a person.
    const own = await agent("headgate up --detach --json");
    expect(JSON.parse(own.stdout)).not.toHaveProperty("dashboard");

    const post = async (path: string, body: object, secret?: string) => {
      const headers = {
        "content-type": "application/json",
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      };
      const answer = await fetch(`${address}${path}`, {
        ...{ method: "POST", headers, body: JSON.stringify(body) },
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const key = dashboard.split("#key=")[1];
    const { secret } = (await post("/api/sign-in", { key })).body as { secret: string };
    const wanted = async (): Promise<Wanted[]> => {
      const answer = await fetch(`${address}/api/now`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      return ((await answer.json()) as { personNeeded: Wanted[] }).personNeeded;
    };
    const answer = async (word: "approve" | "decline", what: string) => {
      const found = (await wanted()).find((one) => one.what === what);
      expect(found, what).toBeDefined();
      return post(`/api/actions/person-${word}`, { id: found?.id ?? "" }, secret);
    };

    // By force from another session.
    expect(await run(["claim", "y.py", "--as", "ada"], { cwd })).toMatchObject({ code: 0 });
    const take = "headgate transfer y.py --to claude:s2 --force";
    expect(await agent(take)).toMatchObject({ code: 1 });
    const [asked] = await wanted();
    expect(asked).toMatchObject({ actor: "claude:s2", what: "transfer --force" });
    // Programs with the token do not answer for a person.
    const program = await run(["status", "--json"], { cwd });
    expect(program.stdout).toContain(asked?.line);
    const bearer = readFileSync(join(cwd, ".git/headgate/token"), "utf8").trim();
    const refused = await post("/api/actions/person-approve", { id: asked?.id }, bearer);
    expect(refused).toMatchObject({ status: 401, body: { code: "HTTP_TOKEN_REFUSED" } });
    expect(await agent(take)).toMatchObject({ code: 1 });
    expect(await answer("approve", "transfer --force")).toMatchObject({ status: 200 });
    expect(await wanted()).toEqual([]);
    expect(await agent(take, "s3")).toMatchObject({ code: 1 });
    const passed = await agent(take);
    expect(passed, passed.stderr).toMatchObject({ code: 0 });
    expect(await agent(`${take} --reason again`)).toMatchObject({ code: 1 });
    expect(await agent(take)).toMatchObject({ code: 1 });
    const heard = await agent("headgate inbox --json");
    expect(heard.stdout).toContain("A person approved transfer --force");
    expect(await agent("headgate release --all")).toMatchObject({ code: 0 });

    // All hooks of one git command are one use.
    const twice = "printf 'def total():\\n    return 2\\n' >> y.py; git add y.py; ";
    const commit = "HEADGATE_BYPASS='I want' git commit --quiet -m twice; exit $?";
    expect(await agent(twice + commit)).toMatchObject({ code: 1 });
    expect(await answer("approve", "HEADGATE_BYPASS")).toMatchObject({ status: 200 });
    const bypassed = await agent(commit);
    expect(bypassed, bypassed.stderr).toMatchObject({ code: 0 });
    expect(
      await agent(`printf 'def total():\\n    return 3\\n' >> y.py; git add y.py; ${commit}`),
    ).toMatchObject({ code: 1 });

    // The hook of the tool asks for the whole text, and lets that very text pass.
    const shell = async (command: string) => {
      const input = JSON.stringify({
        ...{ session_id: "s2", hook_event_name: "PreToolUse", cwd, tool_name: "Bash" },
        tool_input: { command },
      });
      return (await run(["hook", "claude"], { cwd, input })).code;
    };
    expect(await shell("headgate uninstall --yes")).toBe(2);
    expect(await answer("approve", "uninstall")).toMatchObject({ status: 200 });
    expect(await shell("headgate uninstall --yes; rm -f y.py")).toBe(2);
    expect(await shell("headgate uninstall --yes")).toBe(0);
    expect(await shell("headgate uninstall --yes")).toBe(2);
    // Never to be another.
    expect(await shell("headgate release y.py --as claude:s1")).toBe(2);
    expect((await wanted()).map(({ line }) => line).join()).not.toContain("--as");

    for (const { what } of await wanted()) {
      expect(await answer("decline", what), what).toMatchObject({ status: 200 });
    }
    expect(await wanted()).toEqual([]);
    expect(await shell("headgate uninstall --yes")).toBe(2);
  });
});
