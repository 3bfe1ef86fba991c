import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a test file asks for what all files of a run share. */
    services: string;
  }
}

let postgres: Promise<PostgresServer> | undefined;

/** Answers with the address of the one PostgreSQL of this run, started when the first file asks. */
const services = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
  // Without fsync: crashes of the machine are not part of these tests, crashes of processes are.
  postgres ??= startPostgres({ fsync: "off" });
  postgres.then(
    (server) => response.end(server.url()),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

export const setup = async (project: TestProject): Promise<void> => {
  await new Promise<void>((listening) => services.listen(0, "127.0.0.1", listening));
  const { port } = services.address() as AddressInfo;
  project.provide("services", `http://127.0.0.1:${port}`);
};

export const teardown = async (): Promise<void> => {
  services.close();
  await (await postgres?.catch(() => undefined))?.dispose();
};
