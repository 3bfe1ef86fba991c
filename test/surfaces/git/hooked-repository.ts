import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { findRepository } from "../../../src/git/repository.ts";
import { installGitHooks } from "../../../src/surfaces/git/index.ts";
import { copyRepository, git, makeRepository } from "../../helpers/git-repository.ts";
import { programPath, withoutProgress } from "../../helpers/program.ts";
import { serveFolder } from "../../helpers/served-folders.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

export interface Done {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What git and headgate get here: nothing of this machine's settings or sessions. */
export const environmentOf = (home: string, actor = "ada"): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "no-config"),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  HEADGATE_ACTOR: actor,
});

const spawned = (
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Done => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { code: status, stdout, stderr: withoutProgress(stderr) };
};

/** The real git, whose hooks run the real program. */
export const gitAs = (
  actor: string,
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Done => spawned("git", args, cwd, { ...environmentOf(cwd, actor), ...env });

const started = (
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
) =>
  new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: "ignore" });
    child.on("error", reject).on("close", resolve);
  });

/** Its exit code, while others do the same. */
export const gitAsync = (
  actor: string,
  cwd: string,
  args: readonly string[],
  more: Record<string, string> = {},
) => started("git", args, cwd, { ...environmentOf(cwd, actor), ...more });

export const headgateAsync = (actor: string, cwd: string, ...args: string[]) =>
  started(process.execPath, [programPath, ...args], cwd, environmentOf(cwd, actor));

export const headgateAs = (actor: string, cwd: string, ...args: string[]): Done =>
  spawned(process.execPath, [programPath, ...args], cwd, environmentOf(cwd, actor));

export const eventsOf = (
  cwd: string,
  kind: string,
): { kind: string; actor: string; subject: string; data: Record<string, unknown> }[] =>
  headgateAs("ada", cwd, "events", "--json", "--kind", kind)
    .stdout.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

export const heldBy = (actor: string, cwd: string): string[] =>
  (
    JSON.parse(headgateAs(actor, cwd, "claims", "--json").stdout) as {
      claims: { actor: string; target: string }[];
    }
  ).claims
    .filter((claim) => claim.actor === actor)
    .map(({ target }) => target);

export const write = (folder: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

export const read = (folder: string, path: string): string =>
  readFileSync(join(folder, path), "utf8");

/** Armed as `headgate init` does it: the folder, and where the program is. */
export const arm = (folder: string): void => {
  write(folder, ".git/headgate/runtime", `${process.execPath}\n${programPath}\n`);
  write(folder, ".headgate/.gitignore", "/local/\n");
};

export const twoFunctions = `export function one(): number {
  return 1;
}

export function two(): number {
  return 2;
}
`;

/** A repository with `a.txt` and `code.ts` committed, then armed and hooked. */
export const hookedRepository = async (
  prepare: (folder: string) => void = () => {},
): Promise<string> => {
  const folder = copyRepository(join(temporaryFolder(), "repo"), "two functions", (template) => {
    makeRepository(template);
    write(template, "code.ts", twoFunctions);
    write(template, ".headgate/.gitignore", "/local/\n");
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "Two");
  });
  arm(folder);
  prepare(folder);
  await install(folder);
  return folder;
};

/** The same with a server for the hooks to ask: a commit then costs a quarter. */
export const servedRepository = async (
  ...parts: Parameters<typeof hookedRepository>
): Promise<string> => {
  const folder = await hookedRepository(...parts);
  await serveFolder(folder);
  return folder;
};

export const repositoryOf = (folder: string) =>
  findRepository(folder, {
    environment: { ...environmentParts, variables: environmentOf(folder), cwd: folder },
  });

const environmentParts = {
  home: "/nowhere",
  temporary: "/tmp",
  host: "here",
  platform: process.platform,
};

export const environmentFor = (folder: string, extra: Record<string, string> = {}) => ({
  ...environmentParts,
  variables: { ...environmentOf(folder), ...extra },
  cwd: folder,
});

export const install = async (folder: string) =>
  installGitHooks(await repositoryOf(folder), { environment: environmentFor(folder) });
