import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeWith } from "../helpers/not-run.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { attachStrace } from "../helpers/strace.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { temporariesIn } from "./state-operations.ts";

const slowCalls = ["openat", "fcntl", "pread64", "write", "fsync", "close", "rename", "statx"];

describeWith({ platforms: ["linux"], programs: ["strace"] }, "state: calls that take long", () => {
  it.each(slowCalls)(
    "S-02 no update is lost while %s is slow for one of the writers",
    async (call) => {
      const folder = temporaryFolder();
      const file = put(join(folder, "state.json"), '{"count":0}');
      const [slow, ...others] = await Promise.all([
        startStateWorker(),
        startStateWorker(),
        startStateWorker(),
      ]);
      onTestFinished(async () => {
        await Promise.all([slow, ...others].map((worker) => worker!.end()));
      });
      const inject = `${call}:delay_enter=4000`;
      const log = join(temporaryFolder(), "trace");
      const tracer = await attachStrace(slow!.pid, { calls: [call], inject, log });
      const answers = await Promise.all([
        slow!.ask({ op: "json", folder, times: 5 }),
        others[0]!.ask({ op: "json", folder, times: 40 }),
        others[1]!.ask({ op: "json-later", folder, times: 20 }),
      ]);
      await tracer.detach();
      expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ count: 65 });
      expect(temporariesIn(folder)).toEqual([]);
    },
  );
});
