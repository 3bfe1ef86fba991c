import { join } from "node:path";
import { expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import { armClients } from "./helpers/arm-client.ts";
import { asks } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { makeStage } from "./helpers/stage.ts";
import { describeEachClient } from "./helpers/suite.ts";

const files = {
  "legal.ts": "export const a = 1;\n",
  "duplicate.ts": "export class Counter {\n  count(): number {\n    return 1;\n  }\n}\n",
  "syntax.ts": "export const half = (): number => {\n  return 1;\n};\n",
  "claimed.ts": "export const mine = 1;\n",
};

/** What the model asks for, in order; the number is the step. */
const legal = 1;
const duplicate = 2;
const syntax = 3;
const claimed = 4;
const stale = 5;

describeEachClient("what is refused", (client, network) => {
  it.each([
    ["without a server", false],
    ["with a running server", true],
  ])(
    "a legal edit lands; a duplicate, broken syntax, a claimed file and a stale overwrite do not, and the " +
      "model is told why, %s",
    async (_title, hasServer) => {
      const stage = makeStage(network(), files);
      // Copilot's command line runs the hooks of both: each edit is asked about twice.
      const isTwice = client.name === "copilot" && hasServer;
      await armClients(stage, client, ...(isTwice ? [clients.claude] : []));
      if (hasServer) await stage.up();
      else stage.forbidServer();
      const claim = await stage.headgate("claim", "claimed.ts", "--as", "ada", "--ttl", "10m");
      expect(claim).toMatchObject({ code: 0 });
      const go = join(stage.repo, "../go");

      const run = await stage.start(client, (place) => {
        const reads = Object.keys(files).map((file) => client.read(place, file));
        return [
          reads[0] ? asks(...reads) : asks(client.shell("true")),
          asks(
            client.replace(place, "legal.ts", "export const a = 1;", "export const a = 2;"),
            client.write(place, "stale.ts", "export const seen = 1;\n"),
          ),
          asks(
            client.replace(
              place,
              "duplicate.ts",
              "    return 1;\n  }\n",
              "    return 1;\n  }\n  count(): number {\n    return 2;\n  }\n",
            ),
          ),
          asks(client.replace(place, "syntax.ts", "  return 1;\n};", "  return 1;\n")),
          asks(
            client.replace(place, "claimed.ts", "export const mine = 1;", "export const mine = 2;"),
          ),
          { ...asks(client.write(place, "stale.ts", "export const seen = 2;\n")), untilFile: go },
          { text: "done" },
        ];
      });
      await run.reached(stale);
      // Somebody else, past every gate, after the client saw it.
      stage.put("stale.ts", "export const seen = 1;\nexport const other = 1;\n");
      put(go);
      const { code, stdout, stderr } = await run.ended;
      expect(code, stdout + stderr).toBe(0);

      expect(stage.isServed()).toBe(hasServer);
      const told = (step: number) => run.toldAfter(step) ?? `nothing: ${stdout}${stderr}`;
      expect(told(legal)).not.toContain("refused");
      expect(stage.file("legal.ts")).toBe("export const a = 2;\n");
      expect(told(duplicate)).toMatch(
        /Headgate refused this \S+: DUPLICATE_SYMBOL duplicate\.ts#Counter\.count/,
      );
      expect(told(syntax)).toMatch(/Headgate refused this \S+: SYNTAX_ERROR syntax\.ts/);
      expect(told(claimed)).toMatch(/Headgate refused this \S+: CLAIM_CONFLICT claimed\.ts/);
      expect(told(claimed)).toContain("ada");
      for (const file of ["duplicate.ts", "syntax.ts", "claimed.ts"] as const) {
        expect(stage.file(file)).toBe(files[file]);
      }
      expect(stage.file("stale.ts")).toContain("other");
      expect(told(stale)).toMatch(staleRefusal[client.name]);
    },
  );
});

/** Some clients look themselves before they ask anybody. */
const staleRefusal = {
  claude: /STALE_VIEW|modified since read/,
  codex: /Headgate refused this \S+: STALE_VIEW stale\.ts/,
  // Its tool creates new files only.
  copilot: /STALE_VIEW|already exists/,
  gemini: /Headgate refused this \S+: STALE_VIEW stale\.ts/,
  opencode: /STALE_VIEW|modified since/,
  qwen: /STALE_VIEW|modified since|has changed/,
};
