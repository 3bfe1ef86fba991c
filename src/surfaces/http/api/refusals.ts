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
import type { DiffLine, RefusalDiffAnswer, RefusalsAnswer, RefusalView } from "./shapes.ts";

export const addRefusals = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/refusals", async (context) => {
    const { before, limit } = context.req.query();
    const answer = await readBackwards(headgate.events, {
      before: wholeNumber(before, "before", { min: 1 }),
      limit: wholeNumber(limit, "limit", { min: 1, max: limits.dashboardRowsMax }) ?? 50,
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

const readBackwards = async (
  log: EventLog,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<RefusalsAnswer> => {
  const found: Event[] = [];
  let [end, head, more] = [before, 0, true];
  while (more && found.length <= limit) {
    const range = {
      last: limits.dashboardRowsMax,
      ...(end !== undefined && { before: end }),
    };
    const page = await log.page({ kind: "gate.refused", ...range });
    found.push(...page.events.filter(({ actor }) => !isDoctor(actor ?? "")).toReversed());
    more = page.events.length === limits.dashboardRowsMax;
    end = page.events[0]?.seq;
    ({ head } = page);
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1)?.seq ?? null;
  return {
    refusals: shown.map(refusalView),
    before: found.length > limit ? last : null,
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
