/** The words of the set-up: what a client needs in which file, and what is planned for it. */
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import type { Files } from "../../base/files.ts";
import type { HookHarness } from "../hooks/index.ts";
import type { RepositoryKind } from "./hook-tables.ts";

export type ClientName = HookHarness;

/** What Headgate wants in one file, as functions of the file's text. None of them touches the disk. */
export interface FilePart {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** Absent: it belongs to all clients. */
  readonly client?: ClientName;
  /** Of a new file; default 0644. */
  readonly mode?: number;
  /** Code that comes with Headgate: a person is told of it, not shown all of it. */
  readonly isPackaged?: true;
  /** Nothing of ours is missing or outdated. */
  isDone(text: string | undefined): boolean;
  /** With ours; the text has none of it. Throws SetupRefusal where there is no room for it. */
  add(text: string | undefined): string;
  /** Without ours, every other byte kept. What stood in `before` stays, even if it is empty now. */
  strip(text: string, before?: string): string;
  /** Nothing is left but what a new file of ours begins with. */
  isBlank(text: string): boolean;
}

/** Why one file cannot be set up; the others can. */
export interface SetupProblem {
  readonly path: string;
  readonly client?: ClientName;
  readonly message: string;
  readonly remedy: string;
}

export class SetupRefusal extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** One file that will change; `after` undefined: it goes. */
export interface PlannedFile {
  readonly path: string;
  readonly client?: ClientName;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly mode?: number;
  readonly isPackaged?: true;
  /** What uninstall restores; undefined: there was no file. */
  readonly original: Buffer | undefined;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly problems: readonly SetupProblem[];
}

export interface SetupPlace {
  readonly root: string;
  readonly localDir: string;
  readonly environment: Environment;
  readonly files: Files;
}

/** A `.git` file, or a folder with a `HEAD`; an empty one is not git's. */
export const repositoryKind = ({
  root,
  files,
}: Pick<SetupPlace, "root" | "files">): RepositoryKind => {
  const isGit = files.statFollowing(join(root, ".git"))?.isFile();
  return isGit || files.stat(join(root, ".git/HEAD")) ? "git" : "folder";
};

export interface PartOptions {
  /** Claude Code asks the server itself, at this port, instead of starting the shim. */
  readonly httpPort?: number;
}

/** One agent client: a file of clients/. */
export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** On PATH: it is installed. */
  readonly programs: readonly string[];
  /** Below the home folder: it is installed. */
  readonly homePaths: readonly string[];
  /** In the repository: it is used here. */
  readonly repositoryPaths: readonly string[];
  /** Where its hooks stand; what `doctor` and `status` look at. */
  readonly hookPath: string;
  /** Another client reads the same file. */
  readonly sharesHooks?: true;
  /** The oldest version in which a refusal was seen to hold. */
  readonly testedFrom?: string;
  /** What a person must do once, because no file can. */
  readonly once?: string;
  parts(place: Pick<SetupPlace, "root" | "files">, options: PartOptions): readonly FilePart[];
}
