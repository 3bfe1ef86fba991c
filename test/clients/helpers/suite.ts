import { existsSync } from "node:fs";
import { afterAll, beforeAll, vi } from "vitest";
import { describeWith } from "../../helpers/not-run.ts";
import type { Client } from "./client.ts";
import { clients } from "./clients.ts";
import { type LoneNetwork, makeLoneNetwork } from "./lone-network.ts";

// A client burns up to seven seconds of a core before it says a word.
vi.setConfig({ testTimeout: 600_000 });

/** A group of tests in a network of its own, on the "not run" list where there can be none. */
export const describeInNetwork = (
  title: string,
  needed: readonly Client[],
  tests: (network: () => LoneNetwork) => void,
): void => {
  const missing = needed.filter(({ program }) => !existsSync(program)).map(({ name }) => name);
  const programs = ["unshare", "nsenter", "ip", "git", ...missing];
  describeWith({ platforms: ["linux"], root: true, programs }, title, () => {
    let network: LoneNetwork | undefined;
    beforeAll(async () => {
      network = await makeLoneNetwork();
    });
    afterAll(() => network?.close());
    tests(() => network!);
  });
};

/** The same, for each client, or for some. */
export const describeEachClient = (
  title: string,
  tests: (client: Client, network: () => LoneNetwork) => void,
  some: readonly Client[] = Object.values(clients),
): void => {
  for (const client of some) {
    const name = `${client.name} ${client.version}: ${title}`;
    describeInNetwork(name, [client], (network) => tests(client, network));
  }
};
