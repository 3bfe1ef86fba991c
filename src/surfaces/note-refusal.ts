/**
 * Every refusal is told in the same way, whoever asked and by whatever way: one `gate.refused` event with
 * the reason and the remedy, and the change that was refused, kept for a person to look at. The refusal
 * stands, whether it could be written down or not: nothing here ever fails it.
 */
import { limits } from "../base/limits.ts";
import type { Headgate } from "../compose.ts";
import type { EditResult } from "../edit/index.ts";
import { HeadgateError } from "../errors.ts";
import type { Reason } from "../gate/index.ts";
import type { RefusedChange } from "./kept-refusals.ts";
import { noteMissed } from "./note-missed.ts";

/** Where it is written down. */
export type RefusalPlace = Pick<Headgate, "events" | "repository">;

export interface Refused {
  readonly actor: string;
  /** What was used: a client's tool, a command, an MCP tool. */
  readonly tool: string;
  readonly reason: Reason;
  /** A client's own hook asked: nothing else proves that the client runs it. */
  readonly hook?: true;
  /** Asked for only here, where reading it may fail without harm. */
  change?(): RefusedChange | undefined;
}

export const noteRefusal = async (
  { events, repository }: RefusalPlace,
  refused: Refused,
): Promise<void> => {
  const { actor, tool, reason } = refused;
  const { code, path, symbol, message, remedy } = reason;
  try {
    const kept = await keep(repository.localDir, refused);
    await events.append({
      kind: "gate.refused",
      actor,
      data: {
        code,
        path: path.slice(0, limits.pathBytesMax),
        tool: tool.slice(0, 100),
        ...(refused.hook && { hook: true }),
        ...(symbol !== undefined && { symbol: symbol.slice(0, limits.targetSymbolBytesMax) }),
        message: message.slice(0, wordsMax).toWellFormed(),
        remedy: remedy.slice(0, wordsMax).toWellFormed(),
        ...(kept !== undefined && { kept }),
      },
    });
  } catch {
    // The store may be away or full.
  }
};

/** Makes an edit; a refusal by the gate or by a claim is noted, and so is what could not be judged. Who only looks is refused nothing. */
export const notingRefusal = async (
  place: RefusalPlace,
  asked: { readonly actor: string; readonly tool: string; readonly dryRun?: boolean | undefined },
  edit: () => Promise<EditResult>,
): Promise<EditResult> => {
  const { actor, tool, dryRun } = asked;
  const note = async (reason: Reason | undefined, diff: string): Promise<void> => {
    if (!reason || dryRun) return;
    await noteRefusal(place, { actor, tool, reason, change: () => ({ path: reason.path, diff }) });
  };
  try {
    const result = await edit();
    if (!result.ok && !others.has(result.code)) await note(result.reasons[0], result.diff);
    if (result.ok && !dryRun) await noteMissed(place, { notes: result.notes, actor });
    return result;
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code.startsWith("PATH_")) {
      const { code, message, remedy, data } = error.toJSON();
      const path = typeof data["path"] === "string" ? data["path"] : "";
      await note({ code, path, message, remedy }, "");
    }
    throw error;
  }
};

/** Said by the person, by the command that checks, and by later edits; the gate had no objection. */
const others: ReadonlySet<string> = new Set([
  "EDIT_NOT_APPROVED",
  "EDIT_VERIFY_FAILED",
  "UNDO_CONFLICT",
]);

/** Of the reason, in the event. */
const wordsMax = 1000;

const keep = async (localDir: string, refused: Refused): Promise<string | undefined> => {
  const { keepRefusal } = await import("./kept-refusals.ts");
  try {
    const change = refused.change?.();
    return change && keepRefusal(localDir, change);
  } catch {
    // A full disk must not keep the refusal itself from being written down.
    return undefined;
  }
};
