import { limits } from "../../../base/limits.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { usageError } from "../arguments.ts";
import { eventLine } from "../event-line.ts";
import { openFor } from "../open-for.ts";
import { command as prune } from "./events-prune.ts";
import { command as verify } from "./events-verify.ts";

const lastDefault = 50;

export const command: Command = {
  summary: "Show, follow, verify or prune the event log",
  usage: [
    "events [--last N | --since CURSOR] [--kind GLOB] [--follow]",
    "events verify [--head SEQ:HASH] [--onward]",
    "events prune (--keep-days N | --before CURSOR) --yes",
  ],
  description:
    "Every change that Headgate makes is one line here, in the order of the commits, numbered without " +
    "gaps. The number is the cursor: pass the last one you saw as --since to get what came after it. " +
    `Without --since or --last the newest ${lastDefault} are shown. Reading creates nothing.`,
  options: {
    follow: { type: "boolean", short: "f", description: "Go on with new events until Ctrl-C" },
    since: { type: "string", value: "CURSOR", description: "Only events after this number" },
    last: {
      type: "string",
      value: "N",
      description: `The newest N events (default ${lastDefault}, at most ${limits.eventPageMax})`,
    },
    kind: { type: "string", value: "GLOB", description: "Only kinds that match: server.*" },
  },
  examples: [
    ["headgate events", `the newest ${lastDefault}`],
    ["headgate events --follow --kind 'server.*'", "watch servers start and stop"],
    ["headgate events --since 120 --json", "everything after number 120, one JSON object per line"],
    ["headgate events verify", "check that nothing was removed or altered"],
  ],
  exits: [
    [0, "shown, also when there are none; --follow ended by Ctrl-C"],
    [2, "the cursor is not one of this log"],
    [3, "events right after the cursor were pruned"],
    [69, "the store cannot be read"],
  ],
  positionalsMax: 0,
  subcommands: { verify, prune },
  run: async (context) => {
    const { flags, output } = context;
    const since = flags.integer("since", { min: 0, max: Number.MAX_SAFE_INTEGER });
    const last = flags.integer("last", { min: 1, max: limits.eventPageMax });
    if (since !== undefined && last !== undefined) {
      throw usageError("give --since or --last, not both", "headgate events");
    }
    await using headgate = await openFor(context, { readOnly: true, evenIfMisconfigured: true });
    const kind = flags.text("kind");
    const filter = kind === undefined ? {} : { kind };
    let cursor = 0;
    let count = 0;
    const show = (page: Awaited<ReturnType<typeof headgate.events.page>>): void => {
      for (const event of page.events) {
        output.line(eventLine(event, output.style));
        output.object(event);
      }
      count += page.events.length;
      cursor = page.cursor;
    };
    if (since === undefined) {
      show(await headgate.events.page({ last: last ?? lastDefault, ...filter }));
    } else {
      for (let more = true, from = since; more && !context.signal.aborted; from = cursor) {
        const page = await headgate.events.page({ since: from, ...filter });
        show(page);
        more = page.cursor < page.head && page.cursor > from;
      }
    }
    if (flags.has("follow")) {
      return await follow(context, headgate.events, { since: cursor, ...filter });
    }
    if (count === 0) {
      output.note(cursor === 0 && since === undefined ? "no events yet" : "no such events");
    }
    return 0;
  },
};

const follow = async (
  { output, signal }: CommandContext,
  events: Awaited<ReturnType<typeof openFor>>["events"],
  query: { readonly since: number; readonly kind?: string },
): Promise<ExitCode> => {
  for await (const event of events.follow({ ...query, signal })) {
    output.line(eventLine(event, output.style));
    output.object(event);
  }
  // Ctrl-C is how following ends, so it is not an interruption.
  return 0;
};
