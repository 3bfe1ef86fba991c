/**
 * T-06: an allowed change to a file that no parser could read is an event, as every other gap in the judgements is:
 * `status` and `headgate events --kind judgement.missed` list it.
 */
import { limits } from "../base/limits.ts";
import type { Headgate } from "../compose.ts";
import type { Reason } from "../gate/index.ts";

export const noteMissed = async (
  { events }: Pick<Headgate, "events">,
  { notes, actor }: { readonly notes: readonly Reason[]; readonly actor: string },
): Promise<void> => {
  for (const { path, message } of missedIn(notes).slice(0, missedMax)) {
    const why = message.slice(0, wordsMax).toWellFormed();
    const data = { what: "file", where: path.slice(0, limits.pathBytesMax), why };
    await events.append({ kind: "judgement.missed", actor, data });
  }
};

export const missedIn = (notes: readonly Reason[]): Reason[] =>
  notes.filter(({ code }) => code === "NOT_JUDGEABLE");

const missedMax = 20;
const wordsMax = 500;
