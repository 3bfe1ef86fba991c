import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { armClients, replaceShim } from "./helpers/arm-client.ts";
import { asks, type Client, type Place } from "./helpers/client.ts";
import {
  createNormaliser,
  nameOf,
  type Payload,
  readPayloads,
  recordingShim,
} from "./helpers/recorded-payloads.ts";
import { makeStage, type Steps } from "./helpers/stage.ts";
import { describeEachClient } from "./helpers/suite.ts";

/** Written again by HEADGATE_RECORD=1; replayed in the fast suite by test/surfaces/hooks-recorded.test.ts. */
const fixtures = resolve(import.meta.dirname, "../fixtures/hooks-recorded");

/** What only this client has. */
const special = ({ name }: Client, { repo }: Place): Steps => {
  if (name === "codex") {
    const patch = `*** Begin Patch
*** Update File: a.ts
@@
-export const a = 2;
+export const a = 3;
*** Add File: c.ts
+export const c = 1;
*** Delete File: old.ts
*** Update File: from.ts
*** Move to: to.ts
@@
-export const from = 1;
+export const to = 1;
*** End Patch
`;
    return [asks({ name: "apply_patch", input: patch })];
  }
  if (name === "claude") {
    const file = join(repo, "n.ipynb");
    return [
      asks({ name: "Read", input: { file_path: file } }),
      asks({
        name: "NotebookEdit",
        input: {
          notebook_path: file,
          cell_id: "one",
          new_source: "print(2)",
          edit_mode: "replace",
        },
      }),
      asks({
        name: "Agent",
        input: {
          description: "Write a file",
          prompt: "You are the helper.",
          subagent_type: "general-purpose",
          run_in_background: false,
        },
      }),
    ];
  }
  return [];
};

/** By the fixture's name; the second of a name is `name-2`. */
const numbered = (payloads: readonly Payload[]): [string, Payload][] => {
  const count = new Map<string, number>();
  return payloads.map((payload) => {
    const name = nameOf(payload);
    const number = (count.get(name) ?? 0) + 1;
    count.set(name, number);
    return [number > 1 ? `${name}-${number}` : name, payload];
  });
};

const notebook = JSON.stringify({
  cells: [
    { cell_type: "code", id: "one", metadata: {}, outputs: [], execution_count: null, source: "1" },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

describeEachClient("recorded payloads", (client, network) => {
  it("hands its hooks the payloads that are kept as fixtures", async () => {
    const stage = makeStage(network(), {
      "a.ts": "export const a = 1;\n",
      "old.ts": "export {};\n",
      "from.ts": "export const from = 1;\n",
      "n.ipynb": notebook,
    });
    const seen = join(temporaryFolder(), "seen");
    mkdirSync(seen);
    await armClients(stage, client);
    replaceShim(stage.repo, recordingShim(seen));
    const run = await stage.run(client, (place) => {
      const read = client.read(place, "a.ts");
      const main = [
        read && asks(read),
        asks(client.write(place, "b.ts", "export const b = 2;\n")),
        asks(client.replace(place, "a.ts", "export const a = 1;", "export const a = 2;")),
        asks(client.shell("true")),
        ...special(client, place),
        { text: "done" },
      ];
      const helper = [asks(client.write(place, "d.ts", "export const d = 1;\n")), { text: "done" }];
      return { main, agents: { "You are the helper.": helper } };
    });
    const normal = createNormaliser({ [stage.repo]: "/repo", [run.place.home]: "/home/dev" });
    const folder = join(fixtures, client.name);
    const payloads = numbered(readPayloads(seen).map(normal));
    if (process.env["HEADGATE_RECORD"]) {
      rmSync(folder, { recursive: true, force: true });
      for (const [name, payload] of payloads) {
        put(join(folder, `${name}.json`), `${JSON.stringify(payload, null, 2)}\n`);
      }
    }
    expect(Object.fromEntries(payloads)).toEqual(
      Object.fromEntries(
        readdirSync(folder).map((name) => [
          name.replace(/\.json$/, ""),
          JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown,
        ]),
      ),
    );
  });
});
