import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { ClaimRequest, ClaimResult } from "../../../claims/index.ts";
import { usageError } from "../arguments.ts";
import { openRequests, printAsked } from "../asked.ts";
import { blockerLines, claimLines, rescueLines } from "../claim-lines.ts";
import { reportRefusal } from "../claim-refusal.ts";
import type { Command, CommandContext, Flags } from "../command.ts";
import { durationFlag, durationForm } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { withWaitingShown } from "../waiting-progress.ts";

const words = "headgate claim";

export const command: Command = {
  summary: "Claim files, folders or symbols before writing them",
  usage: ["claim TARGET… [--reason TEXT] [--ttl 15m] [--shared] [--wait 60s]"],
  description:
    "A claim is a right to write that ends by itself. Several targets are granted together or not at all. " +
    "What overlaps a claim of somebody else is refused, with who holds it, why, until when, and whether " +
    "they live. Claiming what you hold already renews it.\n" +
    "TARGET is a file, a folder with all below it, a glob ('src/**/*.ts'), a symbol (src/auth.ts#Auth.login), " +
    "a resource (name:dev-server) or a part of git (@git/index).",
  options: {
    shared: { type: "boolean", description: "Others may hold it shared too; nobody may write it" },
    ttl: {
      type: "string",
      value: "TIME",
      description: `How long it lasts without renewal, default 15m (${durationForm})`,
    },
    reason: { type: "string", value: "TEXT", description: "What for; others who want it see this" },
    wait: {
      type: "string",
      value: "TIME",
      description: "Wait in line this long instead of being refused at once",
    },
    priority: {
      type: "string",
      value: "N",
      description: "Place in line, -10 to 10: each step counts like 30s of waiting",
    },
    partial: { type: "boolean", description: "Take what is free; the rest is listed as refused" },
    for: {
      type: "string",
      value: "WHOM",
      choices: ["session"],
      description: "For all sub-agents of your session",
    },
    key: {
      type: "string",
      value: "KEY",
      description: "Safe repetition: the same key gives the first call's answer",
    },
  },
  examples: [
    ["headgate claim src/auth.ts --reason 'fix the login'", "one file, for 15 minutes"],
    ["headgate claim src/api docs/api.md --ttl 1h", "a folder and a file, both or none"],
    ["headgate claim 'src/**/*.test.ts' --shared", "read them undisturbed"],
    ["headgate claim name:dev-server --wait 5m", "wait in line for a resource"],
  ],
  exits: [
    [0, "granted; with --partial also when only some were"],
    [1, "refused: held by others, not free in time, or waiting in a circle"],
    [2, "not a target, a time, a number"],
    [130, "Ctrl-C while waiting; the place in line is given up"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals: targets, flags, output, signal } = context;
    if (targets.length === 0) throw usageError("name what to claim", words);
    const request = { targets, ...readFlags(flags), signal };
    await using headgate = await openFor(context, { readOnly: false });
    const { claims } = headgate;
    const mode = request.mode ?? "exclusive";
    const result = request.waitMs
      ? await withWaitingShown({ output, claims, targets, mode }, () => claims.claim(request))
      : await claims.claim(request);
    if (result.ok) {
      if (output.json) return reportGrant({ ...result, absent: [] }, context);
      const { notThereYet } = await import("../not-there-yet.ts");
      const absent = await notThereYet(headgate, result.claims);
      return reportGrant({ ...result, absent }, context);
    }
    const asked = await openRequests(claims);
    const nowMs = systemClock.wallMs();
    const extra = asked.length > 0 ? { asked } : {};
    const code = reportRefusal(result, { targets, isShared: mode === "shared" }, context, {
      nowMs,
      extra,
    });
    printAsked(asked, output);
    return code;
  },
};

const readFlags = (flags: Flags): Omit<ClaimRequest, "targets"> => {
  const ttlMs = durationFlag(flags, "ttl", {
    min: limits.claimTtlMsMin,
    max: limits.claimTtlMsMax,
    words,
  });
  const waitMs = durationFlag(flags, "wait", { min: 0, max: limits.claimWaitMsMax, words });
  const bound = limits.claimPriorityMax;
  const priority = flags.integer("priority", { min: -bound, max: bound });
  const [reason, key] = [flags.text("reason"), flags.text("key")];
  if (flags.has("partial") && waitMs) {
    throw usageError("--partial takes what is free now; it cannot --wait for the rest", words);
  }
  // The store would say so as well, but only after it was made.
  if (key !== undefined && (key === "" || key.length > limits.idempotencyKeyLengthMax)) {
    throw usageError(`--key has 1 to ${limits.idempotencyKeyLengthMax} characters`, words);
  }
  if (priority !== undefined && !waitMs) {
    throw usageError("--priority is a place in line; add --wait TIME", words);
  }
  return {
    ...(flags.has("shared") && { mode: "shared" as const }),
    ...(ttlMs !== undefined && { ttlMs }),
    ...(waitMs !== undefined && { waitMs }),
    ...(priority !== undefined && { priority }),
    ...(reason !== undefined && { reason }),
    ...(key !== undefined && { key }),
    ...(flags.has("partial") && { partial: true }),
    ...(flags.has("for") && { forSession: true }),
  };
};

type Granted = Extract<ClaimResult, { readonly ok: true }> & {
  readonly absent: readonly string[];
};

const reportGrant = (
  { ok, claims, downgraded, refused, rescued, waitedMs, asked, absent }: Granted,
  { positionals, output }: CommandContext,
): 0 => {
  output.object({
    ok,
    ...(positionals.length === 1 ? { claim: claims[0] } : { claims }),
    ...(downgraded && { downgraded }),
    ...(refused && { refused }),
    ...(rescued && { rescued }),
    ...(waitedMs !== undefined && { waitedMs }),
    ...(asked && { asked }),
  });
  const { style } = output;
  const shown = { style, nowMs: systemClock.wallMs() };
  for (const line of claimLines("claimed", claims, shown)) output.line(line);
  for (const target of downgraded ?? []) {
    output.line(`  ${showText(target)} was yours alone until now; others may claim it shared, too`);
  }
  for (const { target, blockers } of refused ?? []) {
    output.line(`${style.red("refused:")} ${showText(target)}`);
    for (const line of blockerLines(blockers, shown)) output.line(line);
  }
  for (const target of absent) output.line(`  ${showText(target)} does not exist yet`);
  for (const line of rescueLines(rescued ?? [], style)) output.line(line);
  printAsked(asked ?? [], output);
  return 0;
};
