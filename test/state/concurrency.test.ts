import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startStateWorker } from "../helpers/state-worker.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

describe("state files under several processes", () => {
  const runAll = async (commands: readonly { op: string; times: number }[], folder: string) => {
    const started = await Promise.all(commands.map(() => startStateWorker()));
    onTestFinished(async () => {
      await Promise.all(started.map((worker) => worker.end()));
    });
    return Promise.all(started.map((worker, index) => worker.ask({ ...commands[index], folder })));
  };

  it("S-02 eight processes count in one JSON file and no update is lost", async () => {
    const folder = temporaryFolder();
    const commands = Array.from({ length: 8 }, (_, index) => ({
      op: index % 4 === 3 ? "json-later" : "json",
      times: index % 4 === 3 ? 25 : 100,
    }));
    const answers = await runAll(commands, folder);
    expect(answers).toEqual(commands.map(() => ({ ok: true })));
    const text = readFileSync(join(folder, "state.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ count: 650 });
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("S-02 eight processes that create one file at the same time: exactly one wins", async () => {
    const folder = temporaryFolder();
    const commands = Array.from({ length: 8 }, () => ({ op: "create-exclusive", times: 1 }));
    for (let round = 0; round < 3; round += 1) {
      const place = join(folder, String(round));
      put(join(place, ".keep"));
      const answers = await runAll(commands, place);
      const winners = answers.filter((answer) => answer?.ok);
      expect(winners).toHaveLength(1);
      const others = answers.filter((answer) => !answer?.ok).map((answer) => answer?.code);
      expect(new Set(others)).toEqual(new Set(["STATE_CHANGED"]));
      expect(readdirSync(place)).toEqual([".keep", "state.json"]);
    }
  });
});
