/**
 * An act that is a person's, wanted by another: the refusal with the line to type, and an event by which `status`
 * shows it to people. The refusal holds, whether the event could be written or not.
 */
import { type PersonAct, personNeeded } from "../claims/index.ts";
import type { Headgate } from "../compose.ts";
import type { HeadgateError } from "../errors.ts";

export const askPerson = async (
  { events, claims }: Pick<Headgate, "events" | "claims">,
  act: PersonAct,
  why: string,
): Promise<HeadgateError> => {
  await noteWanted(events, act, { actor: claims.actor.id, why });
  return personNeeded(act, why);
};

/** The request alone, where another refuses. */
export const noteWanted = async (
  events: Pick<Headgate["events"], "append">,
  { what, line }: PersonAct,
  by: { readonly actor: string; readonly why: string },
): Promise<void> => {
  try {
    await events.append({
      ...{ kind: "person.needed", actor: by.actor, subject: what },
      data: { what, line: line.slice(0, wantedLineMax).toWellFormed(), why: by.why.slice(0, 200) },
    });
  } catch {
    // The store may be away or full.
  }
};

/** A longer line cannot be approved: no page shows all of it. */
export const wantedLineMax = 2000;
