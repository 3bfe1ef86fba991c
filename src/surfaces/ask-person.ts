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
  const { what, line } = act;
  try {
    await events.append({
      ...{ kind: "person.needed", actor: claims.actor.id, subject: what },
      data: { what, line: line.slice(0, 500).toWellFormed(), why: why.slice(0, 200) },
    });
  } catch {
    // The store may be away or full.
  }
  return personNeeded(act, why);
};
