import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { runInside } from "./inside.ts";
import { type Ended, run } from "./program.ts";
import { makeRepository } from "./git-repository.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

export interface SetupTestPlace {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the real program in the repository, with a home and a PATH of its own. */
  headgate(...args: string[]): Promise<Ended>;
  /** A program on PATH that prints `says`. */
  install(name: string, says: string): void;
  read(path: string): string;
}

/** A repository, a home folder and a folder of programs, all empty of agent clients. */
export const setupPlace = (
  files: Readonly<Record<string, string>> = {},
  call: typeof runInside = run,
): SetupTestPlace => {
  const folder = temporaryFolder();
  const root = makeRepository(join(folder, "repository"));
  const [home, programs] = [join(folder, "home"), join(folder, "programs")];
  for (const made of [home, programs]) mkdirSync(made);
  for (const [path, content] of Object.entries(files)) put(join(root, path), content);
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    // As it is for people who use direnv, and in every `npm run`.
    PATH: `${root}/node_modules/.bin:${programs}:/usr/local/bin:/usr/bin:/bin`,
  };
  return {
    root,
    home,
    env,
    headgate: (...args) => call(args, { cwd: root, env }),
    install: (name, says) => {
      const file = put(join(programs, name), `#!/bin/sh\necho '${says}'\n`);
      chmodSync(file, 0o755);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
  };
};

/** Every file with its content and mode, `.git` included: what must be the same again afterwards. */
export const snapshot = (root: string): Record<string, string> => {
  const result: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        result[`${relative(root, path)}/`] = "";
        walk(path);
      } else {
        const mode = (statSync(path).mode & 0o777).toString(8);
        result[relative(root, path)] = `${mode} ${readFileSync(path).toString("base64")}`;
      }
    }
  };
  walk(root);
  return result;
};
