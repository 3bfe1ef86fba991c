import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWith } from "../helpers/not-run.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace, callsBetweenMarkers } from "../helpers/strace.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { orderViolations } from "../helpers/write-order.ts";
import { type StateOperation, stateOperations } from "./state-operations.ts";

const durable = stateOperations.filter(({ op }) => !["write-normal", "write-cache"].includes(op));
const byName = new Map(stateOperations.map((operation) => [operation.op, operation]));
const programs = ["strace", "eatmydata"];

describeWith({ platforms: ["linux"], programs }, "state: order of writes and syncs", () => {
  const violationsOf = async (operation: StateOperation, before: readonly string[] = []) => {
    const root = temporaryFolder();
    const folder = mkdtempSync(join(root, "case-"));
    operation.prepare(folder);
    const log = join(root, "trace");
    const worker = await startStateWorker(before);
    const calls = ["access", "write", "fsync", "fdatasync", "rename", "link"];
    const tracer = await attachStrace(worker.pid, { calls, log });
    const answer = await worker.ask({ op: operation.op, folder });
    await tracer.detach();
    await worker.end();
    expect(answer).toEqual({ ok: true });
    return orderViolations(callsBetweenMarkers(log), { folder });
  };

  it.each(durable.map((operation) => [operation.op, operation] as const))(
    "S-01 %s: write, sync of the file, rename, sync of the folder",
    async (_name, operation) => {
      expect(await violationsOf(operation)).toEqual([]);
    },
  );

  it("S-01 the check is red when the syncs are swallowed", async () => {
    for (const operation of durable) {
      expect(await violationsOf(operation, ["eatmydata"])).toEqual([
        "the content was not synced",
        "the folder was not synced behind the rename",
      ]);
    }
  });

  it("S-01 the weaker classes leave out exactly what they say", async () => {
    expect(await violationsOf(byName.get("write-normal")!)).toEqual([
      "the folder was not synced behind the rename",
    ]);
    expect(await violationsOf(byName.get("write-cache")!)).toEqual([
      "the content was not synced",
      "the folder was not synced behind the rename",
    ]);
  });
});
