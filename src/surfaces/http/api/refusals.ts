/** GET /api/refusals…: what the gate refused, the newest first, and the change it refused. */
import { structuredPatch } from "diff";
import { limits } from "../../../base/limits.ts";
import type { EventLog } from "../../../compose-events.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Event } from "../../../store/index.ts";
import { type KeptRefusal, readRefusal } from "../../kept-refusals.ts";
import { isDoctor } from "../../setup/doctor/canary.ts";
import { wholeNumber } from "../query.ts";
import type { ApiContext, App } from "./context.ts";
import { eventsIn, logBounds, windowSize } from "./event-window.ts";
import type { DiffLine, RefusalDiffAnswer, RefusalsAnswer, RefusalView } from "./shapes.ts";

export const addRefusals = (app: App, { headgate, clock }: ApiContext): void => {
  app.get("/api/refusals", async (context) => {
    const { before, limit } = context.req.query();
    const answer = await readBackwards(headgate.events, {
      before: wholeNumber(before, "before", { min: 1 }),
      limit: wholeNumber(limit, "limit", { min: 1, max: limits.dashboardRowsMax }) ?? 50,
      isLate: deadline(clock.monoMs() + limits.dashboardBudgetMs, () => clock.monoMs()),
    });
    return context.json(answer);
  });
  app.get("/api/refusals/diff", (context) => {
    const kept = readRefusal(headgate.repository.localDir, context.req.query("id") ?? "");
    if (!kept) throw new HeadgateError("HTTP_NOT_FOUND", "this change is not kept any more");
    const answer: RefusalDiffAnswer = {
      path: kept.path,
      lines: diffLines(kept),
      isCut: kept.isCut,
    };
    return context.json(answer);
  });
};

const deadline = (endMs: number, nowMs: () => number) => (): boolean => nowMs() > endMs;

/**
 * Goes back through the log window by window: refusals are rare, and a log may be long. What was found
 * until the budget is used up is answered, with the place to go on from.
 */
const readBackwards = async (
  log: EventLog,
  options: {
    readonly before: number | undefined;
    readonly limit: number;
    readonly isLate: () => boolean;
  },
): Promise<RefusalsAnswer> => {
  const { oldest, head } = await logBounds(log);
  const found: Event[] = [];
  let end = Math.min(options.before ?? head + 1, head + 1);
  while (end > oldest && found.length < options.limit) {
    const since = Math.max(oldest - 1, end - 1 - windowSize);
    const refusals = await eventsIn(log, "gate.refused", { since, end });
    found.push(...refusals.filter(({ actor }) => !isDoctor(actor ?? "")).toReversed());
    end = since + 1;
    if (options.isLate()) break;
  }
  const shown = found.slice(0, options.limit);
  const reached = found.length > shown.length ? (shown.at(-1)?.seq ?? end) : end;
  return {
    refusals: shown.map(refusalView),
    before: reached > oldest ? reached : null,
    head,
  };
};

export const refusalView = ({ seq, at, actor, data }: Event): RefusalView => {
  const { code, path, symbol, tool, message, remedy, kept } = data;
  return {
    seq,
    at,
    actor: actor ?? "",
    code: textOf(code),
    path: textOf(path),
    ...(typeof symbol === "string" && { symbol }),
    tool: textOf(tool),
    message: textOf(message),
    remedy: textOf(remedy),
    ...(typeof kept === "string" && { kept }),
  };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const diffLines = ({ before, after, firstLine, hunks }: KeptRefusal): DiffLine[] => {
  if (hunks) return hunkLines(hunks);
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const patch = structuredPatch("", "", text(before), text(after), "", "", {
    context: 3,
    maxEditLength: 5_000,
  });
  if (!patch) return wholeBlocks({ before, after, firstLine });
  return patch.hunks.flatMap(({ oldStart, newStart, lines }, index) => {
    let old = firstLine + oldStart - 1;
    let now = firstLine + newStart - 1;
    const shown = lines.map((line): DiffLine => {
      const rest = line.slice(1);
      if (line.startsWith("+")) return { kind: "added", text: rest, now: now++ };
      if (line.startsWith("-")) return { kind: "removed", text: rest, old: old++ };
      return { kind: "same", text: rest, old: old++, now: now++ };
    });
    return index === 0 ? shown : [{ kind: "gap" as const, text: "" }, ...shown];
  });
};

const hunkLines = (hunks: readonly string[]): DiffLine[] => {
  let [old, now] = [1, 1];
  return hunks.flatMap((line, index): DiffLine[] => {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (start) {
      [old, now] = [Number(start[1]), Number(start[2])];
      return index === 0 ? [] : [{ kind: "gap", text: "" }];
    }
    const text = line.slice(1);
    if (line.startsWith("+")) return [{ kind: "added", text, now: now++ }];
    if (line.startsWith("-")) return [{ kind: "removed", text, old: old++ }];
    return line.startsWith("\\") ? [] : [{ kind: "same", text, old: old++, now: now++ }];
  });
};

/** Too different to be compared line by line. */
const wholeBlocks = ({
  before,
  after,
  firstLine,
}: Pick<KeptRefusal, "before" | "after" | "firstLine">): DiffLine[] => [
  ...before.map((text, index): DiffLine => ({ kind: "removed", text, old: firstLine + index })),
  ...after.map((text, index): DiffLine => ({ kind: "added", text, now: firstLine + index })),
];
