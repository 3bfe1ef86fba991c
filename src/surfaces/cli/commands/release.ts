import { systemClock } from "../../../base/clock.ts";
import { isId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Answer, ReleaseRequest } from "../../../claims/index.ts";
import type { Headgate } from "../../../compose.ts";
import { HeadgateError } from "../../../errors.ts";
import { usageError } from "../arguments.ts";
import { claimLines, clockTime, deadlineText } from "../claim-lines.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { durationFlag, durationForm, showSpan } from "../duration.ts";
import { openFor } from "../open-for.ts";

const words = "headgate release";
const withinDefaultMs = 5 * 60_000;

export const command: Command = {
  summary: "Give claims back, or keep only a part",
  usage: [
    "release CLAIM|TARGET…",
    "release --all",
    "release CLAIM|TARGET --keep TARGET [--keep TARGET …]",
    "release --ask CLAIM [--reason TEXT] [--within 5m]",
    "release --answer REQUEST [--defer 10m [--reason TEXT] | --keep TARGET …]",
  ],
  description:
    "Whoever waits in line gets what becomes free at once. Releasing what has ended already is fine. With " +
    "--keep only the named parts of a claim are kept, under the same fence.\n" +
    "--ask tells the holder of a claim that you need it; the holder reads it with its next tool call, in " +
    "`headgate inbox` and in `headgate claims` (`headgate ask TARGET` is the same for a target). --answer is the reply: releasing by default, or --defer, or --keep. Nothing " +
    "is taken from a living holder, whatever the deadline.",
  options: {
    all: { type: "boolean", description: "Everything you hold" },
    keep: {
      type: "string",
      value: "TARGET",
      multiple: true,
      description: "Keep only this part of the claim; may be repeated",
    },
    ask: { type: "string", value: "CLAIM", description: "Ask the holder of this claim (cl_…)" },
    reason: { type: "string", value: "TEXT", description: "Why you ask, or why you defer" },
    within: {
      type: "string",
      value: "TIME",
      description: `By when you need it, default 5m (${durationForm})`,
    },
    answer: { type: "string", value: "REQUEST", description: "Answer this request (rq_…)" },
    defer: { type: "string", value: "TIME", description: "Answer: not before this time" },
  },
  examples: [
    ["headgate release src/auth.ts", "by target, as it was claimed"],
    ["headgate release --all", "everything you hold"],
    ["headgate release src --keep src/auth.ts", "only the file is still needed"],
    ["headgate release --ask cl_01k5f8m2q3x7v9b4tz --reason 'hotfix'", "ask its holder"],
    ["headgate release --answer rq_01k5f8m2q3x7v9b4tz --defer 10m", "not yet"],
  ],
  exits: [
    [0, "released, asked, answered; a claim that has ended already is also fine"],
    [1, "the claim is another actor's; nothing was changed"],
    [2, "not one thing to do, or --keep names what is not inside the claim"],
    [4, "no such claim or request"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const action = chooseAction(context);
    await using headgate = await openFor(context, { readOnly: false, evenIfMisconfigured: true });
    return await action(headgate);
  },
};

type Action = (headgate: Headgate) => Promise<ExitCode>;

/** Everything about the words is checked before anything is opened. */
const chooseAction = (context: CommandContext): Action => {
  const { positionals, flags } = context;
  const chosen = ["ask", "answer", "all"].filter((name) => flags.has(name));
  if (chosen.length + Math.min(1, positionals.length) !== 1) {
    throw usageError("name what to release, or one of --all, --ask, --answer", words);
  }
  const allowed = allowedWith[chosen[0] ?? "names"] ?? [];
  for (const name of ["keep", "reason", "within", "defer"]) {
    if (!flags.has(name) || allowed.includes(name)) continue;
    const with_ = Object.keys(allowedWith).filter((one) => allowedWith[one]?.includes(name));
    const text = with_.map((one) => (one === "names" ? "a claim" : `--${one}`)).join(" or ");
    throw usageError(`--${name} goes with ${text}`, words);
  }
  if (flags.has("ask")) return ask(context);
  if (flags.has("answer")) return answer(context);
  return flags.has("keep") ? narrow(context) : release(context);
};

const allowedWith: Readonly<Record<string, readonly string[]>> = {
  names: ["keep"],
  all: [],
  ask: ["reason", "within"],
  answer: ["keep", "defer", "reason"],
};

const release =
  ({ positionals, flags, output }: CommandContext): Action =>
  async (headgate) => {
    const { claims } = headgate;
    // Looking first: where nothing was ever claimed, nothing is created.
    const isEmpty = (await headgate.storeIfAny()) === undefined;
    await refuseUnknown(headgate, positionals);
    const { released } = isEmpty
      ? { released: [] }
      : await claims.release(flags.has("all") ? { all: true } : { claims: positionals });
    output.object({ ok: true, released });
    for (const { target, id } of released.slice(0, shownMax)) {
      output.line(`${output.style.green("released")} ${showText(target, 4096)}  ${id}`);
    }
    if (released.length > shownMax) {
      output.line(`and ${released.length - shownMax} more: ${released.length} claims in all`);
    }
    if (released.length === 0) output.line("nothing to release");
    return 0;
  };

/** --json has them all. */
const shownMax = 20;

/** Throws CLAIM_UNKNOWN for an id that neither a live claim nor a recent event has. */
const refuseUnknown = async (
  { claims, events }: Headgate,
  names: readonly string[],
): Promise<void> => {
  const ids = names.filter((name) => name.startsWith("cl_"));
  if (ids.length === 0) return;
  const live = new Set((await claims.list({ ids })).claims.map(({ id }) => id));
  const unknown = ids.filter((id) => !live.has(id));
  if (unknown.length === 0) return;
  const { events: ended } = await events.page({ last: limits.eventPageMax, kind: "claim.*" });
  const known = new Set(ended.map(({ subject }) => subject));
  const [missing] = unknown.filter((id) => !known.has(id));
  if (missing === undefined) return;
  throw new HeadgateError("CLAIM_UNKNOWN", `there is no claim ${showText(missing)}`, {
    data: { claim: missing },
  });
};

const narrow = (context: CommandContext): Action => {
  const { positionals, flags, output } = context;
  const [name = "", ...more] = positionals;
  if (more.length > 0) throw usageError("--keep narrows one claim at a time", words);
  return async ({ claims: room }) => {
    const { claims } = await room.narrow(name, flags.texts("keep"));
    output.object({ ok: true, claims });
    const shown = { style: output.style, nowMs: systemClock.wallMs() };
    for (const line of claimLines("kept", claims, shown)) output.line(line);
    return 0;
  };
};

const ask = (context: CommandContext): Action => {
  const { flags, output } = context;
  const id = flags.text("ask") ?? "";
  if (!isId("claim", id)) {
    throw usageError(
      `--ask takes the id of a claim (cl_…), as \`headgate check TARGET\` shows it; got "${showText(id)}"`,
      words,
    );
  }
  const bounds = { min: 1000, max: limits.releaseRequestMsMax, words };
  const withinMs = durationFlag(flags, "within", bounds) ?? withinDefaultMs;
  const reason = flags.text("reason") ?? "";
  return async ({ claims }) => {
    const request = await claims.ask(id, { reason, withinMs });
    output.object({ ok: true, request });
    const { target, holder } = request;
    output.line(
      `${output.style.green("asked")} ${showText(holder)} to release ${showText(target, 4096)} ` +
        `within ${showSpan(withinMs)}  ${request.id}`,
    );
    return 0;
  };
};

const answer = (context: CommandContext): Action => {
  const { flags, output } = context;
  const id = flags.text("answer") ?? "";
  const given = readAnswer(context);
  return async ({ claims }) => {
    const request = await claims.answer(id, given);
    output.object({ ok: true, request });
    output.line(
      `${output.style.green(request.answer)}: ${showText(request.asker)} was answered about ` +
        `${showText(request.target, 4096)}${answerDetail(request)}`,
    );
    return 0;
  };
};

const answerDetail = (request: ReleaseRequest): string => {
  if (request.answer === "narrowed") return `; kept ${showText(request.note)}`;
  if (request.answer !== "deferred") return "";
  return `; due ${deadlineText(request, systemClock.wallMs())}, at ${clockTime(request.deadline)}`;
};

const readAnswer = ({ flags }: CommandContext): Answer => {
  const bounds = { min: 1000, max: limits.releaseRequestMsMax, words };
  const forMs = durationFlag(flags, "defer", bounds);
  const keep = flags.texts("keep");
  if (forMs !== undefined && keep.length > 0) {
    throw usageError("answer with --defer or with --keep, not both", words);
  }
  const note = flags.text("reason");
  if (note !== undefined && forMs === undefined) {
    throw usageError("--reason explains --defer; without it the claim is released", words);
  }
  if (forMs !== undefined) return { kind: "defer", forMs, ...(note !== undefined && { note }) };
  return keep.length > 0 ? { kind: "narrow", keep } : { kind: "release" };
};
