/** Servers of several repositories in one process, told by lines which; see served-folders.ts. */
import { createInterface } from "node:readline";
import type * as environments from "../../src/base/environment.ts";
import type * as compose from "../../src/compose.ts";
import type * as gate from "../../src/gate/index.ts";
import type * as structure from "../../src/structure/index.ts";
import type * as locks from "../../src/surfaces/http/server-lock.ts";
import type * as servers from "../../src/surfaces/http/server.ts";

// The built modules start in a third of the time of the sources.
const built = (path: string) => import(new URL(`../../dist/${path}.js`, import.meta.url).href);
const { systemEnvironment }: typeof environments = await built("base/environment");
const { openHeadgate }: typeof compose = await built("compose");
const { newNamesShelf }: typeof gate = await built("gate/index");
const { Analyser }: typeof structure = await built("structure/index");
const { startServer }: typeof servers = await built("surfaces/http/server");
const { publishServer, withdrawServer }: typeof locks = await built("surfaces/http/server-lock");

interface Command {
  readonly serve?: string;
  readonly variables?: Record<string, string>;
  readonly runtime?: string;
  readonly leave?: string;
}

/** Parsers know no repository. */
const analyser = new Analyser();
const ends = new Map<string, () => Promise<void>>();

const serve = async (folder: string, { variables = {}, runtime = "" }: Command): Promise<void> => {
  const environment = { ...systemEnvironment(), variables, cwd: folder };
  const shelf = newNamesShelf();
  const shared = async () => ({ analyser, shelf });
  const headgate = await openHeadgate({ repo: folder, environment, shared });
  const { localDir } = headgate.repository;
  const { pid } = process;
  const server = await startServer({
    ...{ headgate, environment, pid, port: 0, version: "test" },
    onDefect: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const { token, mark, socket, state } = server;
  publishServer(localDir, { token, mark, socket, runtime, port: state.port });
  ends.set(folder, async () => {
    withdrawServer(localDir, server);
    await server.close();
    await headgate.close();
  });
};

const obey = async (command: Command): Promise<void> => {
  if (command.serve !== undefined) return serve(command.serve, command);
  await ends.get(command.leave ?? "")?.();
};

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await obey(JSON.parse(line) as Command).then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, message: String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await analyser.close();
