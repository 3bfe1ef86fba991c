import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { ClaimFilter, ClaimList } from "../../../claims/index.ts";
import { withVias } from "../../claim-vias.ts";
import { usageError } from "../arguments.ts";
import { because, deadlineText } from "../claim-lines.ts";
import { claimTable } from "../claim-table.ts";
import type { Command, CommandContext, Flags } from "../command.ts";
import { showSpan } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { cutMiddle } from "../text-width.ts";
import { wrapText } from "../wrap-text.ts";

const words = "headgate claims";

export const command: Command = {
  summary: "Show who holds what and who waits",
  usage: [
    "claims [--mine | --actor ACTOR] [--target TARGET] [--shared | --exclusive] [--limit N]",
    "claims [--waiting] [--requests]",
  ],
  description:
    "Live claims, the oldest first: LEFT is the time until a claim ends unless it is renewed, LIFE what is " +
    "known about its holder. Then those who wait in line, then open requests to release. Long names are cut " +
    "to the width of the terminal (COLUMNS where there is none); --json has everything.",
  options: {
    mine: { type: "boolean", description: "Only your own" },
    actor: { type: "string", value: "ACTOR", description: "Only of this actor" },
    target: { type: "string", value: "TARGET", description: "Only what overlaps this target" },
    shared: { type: "boolean", description: "Only shared claims" },
    exclusive: { type: "boolean", description: "Only exclusive claims" },
    waiting: { type: "boolean", description: "Only those who wait" },
    requests: { type: "boolean", description: "Only open requests to release" },
    limit: {
      type: "string",
      value: "N",
      description: `At most N claims (default and most: ${limits.claimsListedMax})`,
    },
  },
  examples: [
    ["headgate claims", "everything"],
    ["headgate claims --mine", "what do I hold?"],
    ["headgate claims --target src/auth.ts", "who is on this file?"],
    ["headgate claims --waiting --requests --json", "for programs"],
  ],
  exits: [[0, "shown, also when there are none"]],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const filter = readFilter(flags);
    await using headgate = await openFor(context, { readOnly: true, evenIfMisconfigured: true });
    const actor = flags.has("mine") ? headgate.claims.actor.id : flags.text("actor");
    const list = await headgate.claims.list({ ...filter, ...(actor !== undefined && { actor }) });
    const ofActor = (one: ClaimList["requests"][number]) =>
      actor === undefined || one.holder === actor || one.asker === actor;
    const claims = await withVias(headgate, list.claims);
    const parts = partsOf(flags, { ...list, claims, requests: list.requests.filter(ofActor) });
    output.object(parts);
    print(parts, context, Object.keys(filter).length === 0 && actor === undefined);
    return 0;
  },
};

interface Parts {
  readonly claims?: ClaimList["claims"];
  /** More claims exist than `--limit` let through. */
  readonly cut?: boolean;
  readonly waiters?: ClaimList["waiters"];
  readonly requests?: ClaimList["requests"];
}

const partsOf = (flags: Flags, { claims, isCut, waiters, requests }: ClaimList): Parts => {
  const [waiting, asked] = [flags.has("waiting"), flags.has("requests")];
  if (!waiting && !asked) return { claims, cut: isCut, waiters, requests };
  return { ...(waiting && { waiters }), ...(asked && { requests }) };
};

const readFilter = (flags: Flags): ClaimFilter => {
  for (const [one, other] of [
    ["mine", "actor"],
    ["shared", "exclusive"],
  ] as const) {
    if (flags.has(one) && flags.has(other)) {
      throw usageError(`give --${one} or --${other}, not both`, words);
    }
  }
  const target = flags.text("target");
  const limit = flags.integer("limit", { min: 1, max: limits.claimsListedMax });
  return {
    ...(target !== undefined && { target }),
    ...(flags.has("shared") && { mode: "shared" as const }),
    ...(flags.has("exclusive") && { mode: "exclusive" as const }),
    ...(limit !== undefined && { limit }),
  };
};

/** What there is none of, of the parts that were asked for. */
const emptyText = ({ claims, waiters, requests }: Parts, isWhole: boolean): string => {
  if (claims !== undefined) return isWhole ? "nothing is claimed" : "no claim is like that";
  const none = [
    ...(waiters === undefined ? [] : ["nobody waits"]),
    ...(requests === undefined ? [] : ["nobody was asked to release anything"]),
  ];
  return none.join(", ");
};

const print = (parts: Parts, { output }: CommandContext, isWhole: boolean): void => {
  const { claims, cut, waiters = [], requests = [] } = parts;
  const { style, width, tableWidth } = output;
  const nowMs = systemClock.wallMs();
  if (claims !== undefined && claims.length > 0) {
    for (const line of claimTable(claims, { width, cutTo: tableWidth, style, nowMs }))
      output.line(line);
  }
  if (cut) output.line(style.dim("and more; narrow it with --target, --actor or --mine"));
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) output.line(style.bold(title));
    for (const line of lines) {
      const [first = "", ...more] = wrapText(line, width - 4);
      output.line(`  ${first}`);
      for (const one of more) output.line(`    ${one}`);
    }
  };
  section(
    "Waiting",
    waiters.map(({ position, actor, targets, mode, queuedAt, until, reason, liveness }) => {
      const what = targets.map((target) => short(target)).join(", ");
      const since = showSpan(nowMs - Date.parse(queuedAt));
      const left = showSpan(Date.parse(until) - nowMs);
      return (
        `${position}. ${short(actor)} for ${what} (${mode}) since ${since}, ` +
        `${left} left, ${liveness.state}${because(short(reason))}`
      );
    }),
  );
  section(
    "Asked to release",
    requests.map((one) => {
      const answered =
        one.answer === "none" ? "no answer yet" : one.answer + because(short(one.note));
      return (
        `${short(one.holder)} is asked by ${short(one.asker)} for ${short(one.target)} (${one.claim}) ` +
        `${deadlineText(one, nowMs)}${because(short(one.reason))}, ${answered}  ${one.id}`
      );
    }),
  );
  const count = (claims?.length ?? 0) + waiters.length + requests.length;
  if (count === 0 && !output.json) output.note(emptyText(parts, isWhole));
};

/** Lines break between words, so no word may be longer than a line. */
const short = (text: string): string => cutMiddle(showText(text, 4096), 60);
