import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./client.ts";
import type { Stage } from "./stage.ts";

const shimPath = ".git/headgate/hook";

/** `headgate init`, as a user runs it. */
export const armClients = async (stage: Stage, ...clients: Client[]): Promise<void> => {
  const names = clients.flatMap(({ name }) => ["--client", name]);
  const { code, stdout, stderr } = await stage.headgate("init", "--yes", ...names);
  if (code !== 0) throw new Error(`init ended with ${code}: ${stdout}${stderr}`);
};

/** Puts another program in the place of the shim, to see what the client makes of it. */
export const replaceShim = (repo: string, script: string): void => {
  const path = join(repo, shimPath);
  readFileSync(path);
  rmSync(path);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};
