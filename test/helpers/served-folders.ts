/**
 * A running server for a repository of a test, which git's and the clients' hooks then ask. All servers of a
 * test file are one process: `headgate up` for each of them takes longer than what a scene asks it.
 * What `up` does besides (its lock, its ends) is the matter of test/surfaces/http/server.test.ts.
 */
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type LineWorker, startLineWorker } from "./line-worker.ts";
import { cleanEnvironment, programPath } from "./program.ts";
import { atFileEnd } from "./temporary-folder.ts";

const worker = join(import.meta.dirname, "served-folders-worker.ts");
let host: Promise<LineWorker> | undefined;

const startHost = (folder: string): Promise<LineWorker> => {
  const starting = startLineWorker([process.execPath, worker], { env: cleanEnvironment(folder) });
  atFileEnd(async () => {
    host = undefined;
    const started = await starting;
    const gone = once(started.process, "exit");
    started.process.stdin?.end();
    await gone;
  });
  return starting;
};

/** Until the test ends. What it runs with is what `headgate up` of a user without settings has. */
export const serveFolder = async (
  folder: string,
  more: Record<string, string> = {},
): Promise<void> => {
  host ??= startHost(folder);
  const { ask } = await host;
  const tell = async (command: object): Promise<void> => {
    const answer = await ask(command);
    if (answer?.ok !== true) throw new Error(`no server: ${answer?.message ?? "it has ended"}`);
  };
  const variables = { ...cleanEnvironment(join(folder, "..", "no-home")), ...more };
  const runtime = `${process.execPath}\n${programPath}\n`;
  await tell({ serve: folder, variables, runtime });
  onTestFinished(() => tell({ leave: folder }));
};
