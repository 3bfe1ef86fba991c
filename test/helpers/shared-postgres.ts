import { inject } from "vitest";
import { freshDatabase } from "./postgres.ts";

/** The address of a new empty database on the PostgreSQL that all files of this run share. */
export const freshSharedDatabase = async (): Promise<string> => {
  const answer = await fetch(`${inject("services")}/postgres`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`PostgreSQL did not start: ${text}`);
  return freshDatabase(text);
};
