/** The part of the object graph that looks at files' contents; compose.ts loads it when it is needed. */
import { join } from "node:path";
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { createGit } from "./base/git.ts";
import { runToItsEnd } from "./base/processes.ts";
import type { Repository } from "./base/repository.ts";
import type { Claims } from "./claims/index.ts";
import type { Config } from "./config/index.ts";
import { type Editor, type HistoryPlace, openEditor, openHistory } from "./edit/index.ts";
import {
  configuredPolicy,
  type Gate,
  type Mined,
  mineHistory,
  type MineOptions,
  type MineSummary,
  openGate,
  openSeenFiles,
} from "./gate/index.ts";
import { Analyser } from "./structure/index.ts";

export interface EditingParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly claims: Claims;
  /** Called when everything is closed. */
  closeToo(end: () => void): void;
  readonly store: HistoryPlace;
  readonly clock: Clock;
}

export interface Editing {
  readonly analyser: Analyser;
  readonly gate: Gate;
  readonly editor: Editor;
  mine(options: MineRequest, onFound: (mined: Mined) => void): Promise<MineSummary>;
}

export type MineRequest = Omit<MineOptions, "git" | "analyser" | "policy">;

export const openEditing = (parts: EditingParts): Editing => {
  const { repository, config, environment, claims, closeToo, store, clock } = parts;
  const analyser = new Analyser();
  closeToo(() => analyser.close());
  const policy = configuredPolicy(config.gate, environment.platform);
  const seen = openSeenFiles(store);
  const root = repository.worktree;
  const gate = openGate({
    root,
    analyser,
    policy,
    claims,
    seen: (path) => seen.lastSeen(claims.actor.id, path),
  });
  const editor = openEditor({
    root,
    dir: join(repository.localDir, "edits"),
    analyser,
    context: gate.context,
    claims,
    history: openHistory(store),
    seen,
    environment,
    run: runToItsEnd,
    clock,
  });
  const git = createGit({ cwd: repository.worktree, environment });
  return {
    analyser,
    gate,
    editor,
    mine: (options, onFound) => mineHistory({ ...options, git, analyser, policy }, onFound),
  };
};
