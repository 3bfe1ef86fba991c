/** The place of the demo: a temporary repository, set up as `headgate init` does it, with its server. */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { writeInPlace } from "../../base/open-file.ts";
import { launcherText, launcherVariable } from "../../claims/index.ts";
import { createWritingGit, gitEnvironment } from "../../git/index.ts";
import { systemProcesses } from "../../base/processes.ts";
import { HeadgateError } from "../../errors.ts";
import { findServer } from "../http/find-server.ts";
import { packageRoot } from "../setup/packaged.ts";
import { ownFile, sharedFiles } from "./sources.ts";

export interface Stage {
  readonly root: string;
  /** Called as Claude Code is, because a client's process is known by its name: its death must be seen. */
  readonly agentProgram: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Opens the page in one browser. */
  readonly dashboard: string;
  run(...args: readonly string[]): Promise<string>;
}

export const makeStage = async (options: {
  readonly root: string;
  readonly agents: number;
  readonly node: string;
  readonly environment: Environment;
}): Promise<Stage> => {
  const { root, agents, node, environment } = options;
  const own = Array.from({ length: agents }, (_, index) => ownFile(index + 1));
  for (const [path, text] of Object.entries(sharedFiles)) put(join(root, path), text);
  for (const { path, text } of own) put(join(root, path), text);
  // The demo plays its agents, also where an agent has started it.
  const launched = { ...identity, [launcherVariable]: launcherText({ plays: "agents" }) };
  const env = { ...gitEnvironment(environment), ...launched };
  const program = [node, join(packageRoot(), "bin/headgate.js")] as const;
  const run = async (argv: readonly [string, ...string[]]): Promise<string> => {
    const result = await systemProcesses.run(argv, {
      ...{ cwd: root, env, timeoutMs: 120_000, outputBytesMax: 8 * 1024 * 1024 },
    });
    if (result.ended === "exit" && result.code === 0) return result.stdout.toString("utf8");
    const why = result.ended === "exit" ? lastWords(result.stderr) : result.ended;
    throw new HeadgateError("DEMO_FAILED", `${argv.slice(0, 3).join(" ")}: ${why}`);
  };
  const variables = { ...environment.variables, ...launched };
  const git = createWritingGit({
    ...{ cwd: root, actor: "headgate-demo", environment: { ...environment, variables } },
  });
  await git.run({ args: ["init", "--quiet", "--initial-branch=main"] });
  await git.run({ args: ["add", "--all"] });
  await git.run({ args: ["commit", "--quiet", "--message=A small shop"] });
  const headgate = (...args: readonly string[]): Promise<string> => run([...program, ...args]);
  await headgate("init", "--yes", "--client", "claude", "--no-git-hooks");
  await headgate("up", "--detach");
  const client = join(root, ".git/headgate/demo/claude.mjs");
  put(client, `import ${JSON.stringify(pathToFileURL(program[1]).href)};\n`);
  const server = await findServer(join(root, ".git/headgate"));
  const dashboard = await server?.dashboard();
  if (!server || dashboard === undefined)
    throw new HeadgateError("DEMO_FAILED", "the demo's server does not answer");
  return { root, agentProgram: [node, client], env, dashboard, run: headgate };
};

/** Without the lines of progress, on one line. */
const lastWords = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line !== "" && !/ … \d+ s$/.test(line))
    .map((line) => line.trim())
    .join(" ");

/** Commits need a name; the demo's are nobody's. */
const identity = {
  GIT_AUTHOR_NAME: "headgate demo",
  GIT_AUTHOR_EMAIL: "demo@localhost",
  GIT_COMMITTER_NAME: "headgate demo",
  GIT_COMMITTER_EMAIL: "demo@localhost",
};

const put = (path: string, text: string): void => {
  systemFiles.makeDirectory(dirname(path), 0o755);
  writeInPlace(systemFiles, path, { text, mode: 0o644 });
};
