/** The part of the object graph that looks at files' contents; compose.ts loads it when it is needed. */
import { join } from "node:path";
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import { createGit, listWorktrees, type Repository } from "./git/index.ts";
import { runToItsEnd } from "./base/processes.ts";
import { pythonLibraries } from "./base/python-libraries.ts";
import type { Claims } from "./claims/index.ts";
import type { Config } from "./config/index.ts";
import { type Editor, type HistoryPlace, openEditor, openHistory } from "./edit/index.ts";
import {
  answered,
  callArguments,
  goCalls,
  configuredEdits,
  configuredPolicy,
  type Gate,
  imports,
  type Mined,
  mineHistory,
  type MineOptions,
  type MineSummary,
  type NamesShelf,
  newNamesShelf,
  type OpenEnd,
  openGate,
  openGuard,
  openProjectNames,
  openSeenFiles,
  type Policy,
  projectFiles,
  type ProjectNames,
  references,
  type SeenFiles,
  signatures,
  stillOpen,
  workingTree,
} from "./gate/index.ts";
import type { Lines } from "./lines/index.ts";
import { openOpenEndsIn } from "./compose-lines.ts";
import { Analyser, createChecker } from "./structure/index.ts";

export interface EditingParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  /** Called when everything is closed. */
  closeToo(end: () => void): void;
  readonly store: HistoryPlace;
  readonly clock: Clock;
  readonly lines: Lines;
  /** Other machines may use the store as well. */
  readonly isShared: boolean;
  /** Ask type checkers too, and wait so long for their answer. */
  readonly typesMs?: number | undefined;
  /** Of another worktree that this process has opened as well. */
  readonly shared?: (() => Promise<SharedParts>) | undefined;
}

/** The parsers, and the names of libraries: both cost seconds, and serve all worktrees of a repository. */
export interface SharedParts {
  readonly analyser: Analyser;
  readonly shelf: NamesShelf;
}

export interface Editing {
  readonly analyser: Analyser;
  readonly shared: SharedParts;
  /** Names of this worktree's files as they are now, and of what they build upon. */
  readonly names: ProjectNames;
  /** The gate and the editor of one actor. Cheap: everything that costs is shared. */
  as(claims: Claims): { readonly gate: Gate; readonly editor: Editor; readonly seen: SeenFiles };
  /** Those that have not closed by themselves. */
  stillOpen(ends: readonly OpenEnd[]): Promise<readonly OpenEnd[]>;
  mine(options: MineRequest, onFound: (mined: Mined) => void): Promise<MineSummary>;
}

export type MineRequest = Omit<MineOptions, "git" | "analyser" | "policy">;

export const openEditing = async (parts: EditingParts): Promise<Editing> => {
  const { repository, config, environment, closeToo, store, clock, lines } = parts;
  const shared = (await parts.shared?.()) ?? { analyser: new Analyser(), shelf: newNamesShelf() };
  const { analyser, shelf } = shared;
  if (!parts.shared) closeToo(() => analyser.close());
  const guard = openGuard({ environment, repository });
  const policy: Policy = {
    ...configuredPolicy(config.gate, environment.platform),
    guarded: (path) => guard(join(repository.worktree, path)),
  };
  const rules = configuredEdits(config.claims);
  const seen = openSeenFiles(store);
  const root = repository.worktree;
  const ends = openOpenEndsIn({ repository, place: store, isShared: parts.isShared });
  const git = createGit({ cwd: root, environment });
  const checker =
    parts.typesMs === undefined
      ? undefined
      : createChecker({ root, budgetMs: parts.typesMs, ownServersOnly: true });
  if (checker) closeToo(() => checker.close());
  const tree = workingTree(root);
  const universe = openProjectNames(
    {
      root,
      git: repository.kind === "git" ? git : undefined,
      files: systemFiles,
      cacheFile: join(repository.localDir, "cache", "names.json"),
      pythonLibraries: () => pythonLibraries(environment),
    },
    shelf,
  );
  const own = projectFiles(root, systemFiles, repository.kind === "git" ? git : undefined);
  const names = {
    universe,
    outlineOf: async (path: string) => {
      const bytes = tree.read(path);
      return bytes && answered(await analyser.outline(bytes, path), path);
    },
  };
  const project = { universe, files: async () => own, analyser };
  const history = openHistory(store);
  const as = (claims: Claims) => {
    const gate = openGate({
      root,
      analyser,
      policy,
      claims,
      lines,
      rules,
      further: [
        { name: "references", rule: references({ ...names, ...(checker && { checker }) }) },
        { name: "references", rule: goCalls(project) },
        { name: "imports", rule: imports(project) },
        { name: "signatures", rule: signatures(names) },
        {
          name: "arguments",
          rule: callArguments({ ...names, analyser, ...(checker && { checker }) }),
        },
      ],
      asksTypes: checker !== undefined,
      seen: (path) => seen.lastSeen(claims.actor.id, path),
      // A person knows what it does; others without a client report no reads.
      ...(claims.actor.harness !== undefined && {
        reading: (path) => seen.reading(claims.actor.session, path),
      }),
      ends,
    });
    const editor = openEditor({
      root,
      worktrees: () => listWorktrees(repository, systemFiles),
      dir: join(repository.localDir, "edits"),
      analyser,
      context: gate.context,
      claims,
      lines,
      rules,
      history,
      seen,
      // Only the project's own names: what libraries define is not renamed.
      uses: () => universe([]),
      ends,
      environment,
      run: runToItsEnd,
      clock,
    });
    return { gate, editor, seen };
  };
  return {
    analyser,
    shared,
    names: universe,
    as,
    stillOpen: (all) => stillOpen(all, { ...names, files: own, analyser }),
    mine: (options, onFound) => mineHistory({ ...options, git, analyser, policy }, onFound),
  };
};
