/** Servers of several repositories in one process, told by lines which; see served-folders.ts. */
import { createInterface } from "node:readline";

// The built modules start in a third of the time of the sources.
const built = (path: string) => import(new URL(`../../dist/${path}.js`, import.meta.url).href);
const { openHeadgate }: typeof import("../../src/compose.ts") = await built("compose");
const { startServer }: typeof import("../../src/surfaces/http/server.ts") =
  await built("surfaces/http/server");
const { publishServer, withdrawServer }: typeof import("../../src/surfaces/http/server-lock.ts") =
  await built("surfaces/http/server-lock");
const { systemEnvironment }: typeof import("../../src/base/environment.ts") =
  await built("base/environment");

interface Command {
  readonly serve?: string;
  readonly variables?: Record<string, string>;
  readonly runtime?: string;
  readonly leave?: string;
}

const ends = new Map<string, () => Promise<void>>();

const serve = async (folder: string, { variables = {}, runtime = "" }: Command): Promise<void> => {
  const environment = { ...systemEnvironment(), variables, cwd: folder };
  const headgate = await openHeadgate({ repo: folder, environment });
  const { localDir } = headgate.repository;
  const { pid } = process;
  const server = await startServer({
    ...{ headgate, environment, pid, port: 0, version: "test" },
    onDefect: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const { token, mark, state } = server;
  publishServer(localDir, { token, mark, runtime, port: state.port });
  ends.set(folder, async () => {
    withdrawServer(localDir);
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
