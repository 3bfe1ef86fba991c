import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { run } from "../helpers/program.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { planText } from "../runs/scene.ts";
import { asks } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { armRunner, key } from "./helpers/runner-spec.ts";
import { describeInNetwork } from "./helpers/suite.ts";

const wrong = "export const sum = (a, b) => a - b;";
const right = "export const sum = (a, b) => a + b;";

for (const client of [clients.claude, clients.codex]) {
  describeInNetwork(`${client.name} ${client.version}: runs`, [client], (network) => {
    it("L-01 a fresh client for each task edits under the run's claims, its work is verified and committed", async () => {
      const folder = temporaryFolder();
      const cwd = makeRepository(join(folder, "app"));
      git(cwd, "config", "user.name", "Ada");
      git(cwd, "config", "user.email", "ada@example.org");
      put(join(cwd, "sum.mjs"), `${wrong}\n`);
      const armed = await run(["init", "--yes", "--client", client.name], { cwd });
      expect(armed.code, armed.stderr).toBe(0);
      git(cwd, "add", ".");
      git(cwd, "commit", "-q", "-m", "begin", "--no-verify");
      const held = await run(["claim", "notes.md", "--as", "bob", "--ttl", "10m"], { cwd });
      expect(held.code).toBe(0);
      const place = { repo: cwd, home: "", address: "" };
      const test = client.write(place, "sum.test.mjs", 'import "./sum.mjs";\n');
      const steps = [
        // A client may tell its model of recent commits: the name alone would not do.
        [
          { when: "): SECOND TASK", ...asks(test) },
          asks(client.read(place, "sum.mjs") ?? client.shell("cat sum.mjs")),
        ],
        [
          { when: "a - b", ...asks(client.replace(place, "sum.mjs", wrong, right)) },
          { text: "Done." },
        ],
        // Somebody else's: the hook of the client refuses, also under the run.
        [asks(client.write(place, "notes.md", "mine now\n"))],
        [{ text: "Done.\nHEADGATE: fixed the sign was wrong" }],
      ];
      const { address, record } = await armRunner(folder, client, network(), steps);
      const verify = `node -e "import('./sum.mjs').then(({ sum }) => process.exit(sum(1, 2) - 3))"`;
      put(
        join(folder, "plans/01-PLAN.md"),
        planText({
          id: "01",
          front: ["agent: real"],
          tasks: [
            { name: "FIRST TASK", files: "sum.mjs", verify },
            { name: "SECOND TASK", files: "sum.test.mjs", verify: "node sum.test.mjs" },
          ],
        }),
      );
      const ended = await run(["run", "start", join(folder, "plans"), "--json", "--as", "ada"], {
        cwd,
        env: { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: key, SCRIPTED_KEY: key },
      });
      const { run: shown, agents, notes } = JSON.parse(ended.stdout);
      const told = readFileSync(record, "utf8");
      expect(shown, ended.stdout + ended.stderr).toMatchObject({
        state: "done",
        plans: [{ tasks: [{ state: "done" }, { state: "done" }] }],
      });
      expect(ended.code).toBe(0);
      expect(git(cwd, "show", "HEAD~1:sum.mjs")).toContain("a + b");
      expect(git(cwd, "show", "--name-only", "--format=%s", "HEAD").split("\n")).toEqual([
        "SECOND TASK",
        "",
        "sum.test.mjs",
      ]);
      expect(git(cwd, "status", "--porcelain")).toBe("");
      expect(existsSync(join(cwd, "notes.md"))).toBe(false);
      expect(told).toMatch(/claimed by bob|held by bob/);
      expect(notes).toMatchObject([{ kind: "fixed", text: "the sign was wrong" }]);
      expect(agents).toHaveLength(2);
      expect(shown.spent.inputTokens).toBeGreaterThan(100);
      expect(shown.spent.outputTokens).toBeGreaterThanOrEqual(10);
    });
  });
}
