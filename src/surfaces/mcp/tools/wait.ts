import * as v from "valibot";
import { systemClock } from "../../../base/clock.ts";
import { mode, targets, waitMs } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";
import { checkAnswer, checkOutput } from "./check.ts";

const defaultMs = 60_000;

export const waitTool = defineTool({
  name: "wait",
  title: "Wait until targets are free",
  description:
    "Wait until nobody else holds the targets, at most waitMs (default 60000, at most 110000). It stands in " +
    "no line and takes nothing: somebody else may be faster afterwards. To write, use claim with waitMs, " +
    "which stands in line. Call again to wait longer; clear says whether they are free now.",
  annotations: looking,
  input: v.strictObject({
    targets,
    mode,
    waitMs: waitMs("Milliseconds, at most 110000; default 60000."),
  }),
  output: { ...checkOutput, waitedMs: v.optional(v.number()) },
  run: async (args, call) => {
    const { signal } = call;
    const totalMs = args.waitMs ?? defaultMs;
    const startMs = systemClock.monoMs();
    const state = await call.withProgress({ message: "waiting until it is free", totalMs }, () =>
      call.looker.claims.waitUntilClear(args.targets, {
        mode: args.mode ?? "exclusive",
        waitMs: totalMs,
        signal,
      }),
    );
    const { structured, text } = checkAnswer(state);
    const waitedMs = Math.round(systemClock.monoMs() - startMs);
    return { structured: { ...structured, waitedMs }, text };
  },
});
