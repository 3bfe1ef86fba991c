import { inject } from "vitest";
import { freshDatabase } from "./postgres.ts";

/** The address of the PostgreSQL that all files of this run share; the first to ask starts it. */
export const findSharedPostgres = async (): Promise<string> => {
  const answer = await fetch(`${inject("services")}/postgres`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`PostgreSQL did not start: ${text}`);
  return text;
};

/** The address of a new empty database on it. */
export const freshSharedDatabase = async (): Promise<string> =>
  freshDatabase(await findSharedPostgres());
