import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of a real PostgreSQL, started once per run. */
    postgres: string;
  }
}

let server: PostgresServer | undefined;

export const setup = async (project: TestProject): Promise<void> => {
  // Without fsync: crashes of the machine are not part of these tests, crashes of processes are.
  server = await startPostgres({ fsync: "off" });
  project.provide("postgres", server.url());
};

export const teardown = async (): Promise<void> => {
  await server?.dispose();
};
