import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository } from "../../../src/git/repository.ts";
import { readSubject, type Subject, type SubjectRequest } from "../../../src/review/index.ts";
import { git, initRepository } from "../../helpers/git-repository.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

export interface SubjectPlace {
  readonly root: string;
  write(path: string, content: string | Uint8Array): void;
  mode(path: string, mode: number): void;
  git(...args: string[]): string;
  /** Everything staged and committed; the commit's id. */
  commit(message?: string): string;
  read(request?: SubjectRequest & { readonly cwd?: string }): Promise<Subject>;
  /** As git itself prints it, not trimmed. */
  raw(...args: string[]): Buffer;
}

export const emptyPlace = (root = temporaryFolder()): SubjectPlace => ({
  root,
  write: (path, content) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  },
  mode: (path, mode) => chmodSync(join(root, path), mode),
  git: (...args) => git(root, ...args),
  commit: (message = "Change") => {
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--allow-empty", "--message", message);
    return git(root, "rev-parse", "HEAD");
  },
  read: async ({ cwd, ...request } = {}) =>
    readSubject(request, {
      repository: await findRepository(root),
      ...(cwd !== undefined && { cwd: join(root, cwd) }),
    }),
  raw: (...args) => execFileSync("git", args, { cwd: root, env: { PATH: process.env["PATH"] } }),
});

export const newRepository = (): SubjectPlace => {
  const place = emptyPlace();
  initRepository(place.root);
  return place;
};
