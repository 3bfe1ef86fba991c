import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { openReviewers, type Reviewers } from "../../src/reviewers/index.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

export const shippedDocuments = resolve(import.meta.dirname, "../../src/reviewers");

export interface Project {
  readonly root: string;
  readonly agents: string;
  readonly manifest: string;
  open(documents?: string): Promise<Reviewers>;
  read(file: string): string;
  write(file: string, text: string): void;
  files(): string[];
  /** Every file with its text, folders below included. */
  tree(): [string, string][];
  entries(): Record<string, Record<string, string>>;
}

/** A project as a folder; nothing is in it yet. */
export const newProject = (root = temporaryFolder()): Project => {
  const agents = join(root, ".claude/agents");
  const manifest = join(root, ".headgate/reviewers.json");
  return {
    ...{ root, agents, manifest },
    open: (documents) =>
      openReviewers({
        worktree: root,
        localDir: stateFolder(root),
        ...(documents !== undefined && { documents }),
      }),
    read: (file) => readFileSync(join(agents, file), "utf8"),
    write: (file, text) => writeFileSync(join(agents, file), text),
    files: () => (existsSync(agents) ? readdirSync(agents).toSorted() : []),
    tree: () =>
      readdirSync(agents, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .toSorted()
        .map((path) => [relative(agents, path), readFileSync(path, "utf8")]),
    entries: () => JSON.parse(readFileSync(manifest, "utf8")).reviewers,
  };
};

/** The documents as another Headgate would ship them. */
export const otherDocuments = (
  change: (text: string, domain: string) => string,
  domain: string,
): string => {
  const folder = temporaryFolder();
  for (const part of ["domains", "roster", "contract.md"]) {
    cpSync(join(shippedDocuments, part), join(folder, part), { recursive: true });
  }
  const path = join(folder, "domains", `${domain}.md`);
  writeFileSync(path, change(readFileSync(path, "utf8"), domain));
  return folder;
};

/** A project with the two reviewers of game-simulation. */
export const gameProject = async (root?: string): Promise<Project> => {
  const project = newProject(root);
  await (await project.open()).generate({ domains: ["game-simulation"] });
  return project;
};

export const kernel = "fd-simulation-kernel";
export const systems = "fd-game-systems";

/** Documents in which both reviewers of game-simulation got a new focus. */
export const newerDocuments = (): string =>
  otherDocuments(
    (text) =>
      text
        .replace("You run the kernel at 15", "You always run the kernel at 15")
        .replace("You simulate the newcomer", "You always simulate the newcomer"),
    "game-simulation",
  );
