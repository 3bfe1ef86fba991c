/** A git repository with a store and the room over it, for tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles } from "../../src/base/files.ts";
import { systemRandom } from "../../src/base/random.ts";
import { findRepository } from "../../src/git/repository.ts";
import { createWritingGit } from "../../src/git/writing-git.ts";
import {
  openRouting,
  type Routing,
  type RoutingContext,
  routingDefaults,
} from "../../src/routing/index.ts";
import type { Scope, Store } from "../../src/store/index.ts";
import { git } from "../helpers/git-repository.ts";

export const reviewers = ["safety", "quality", "game-design", "fd-noisy", "fd-quiet"] as const;

/** Who commits in tests, independent of the machine's settings. */
export const committer = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Grace",
  GIT_AUTHOR_EMAIL: "grace@example.org",
  GIT_COMMITTER_NAME: "Grace",
  GIT_COMMITTER_EMAIL: "grace@example.org",
};

export interface Place {
  readonly root: string;
  readonly store: Store;
  readonly scope: Scope;
}

type Changes = Partial<
  Omit<RoutingContext, "settings" | "actor" | "repository" | "store"> & {
    settings: Partial<RoutingContext["settings"]>;
    actor: string;
  }
>;

export const contextOf = async (
  { root, store, scope }: Place,
  changes: Changes = {},
): Promise<RoutingContext> => {
  const { settings, actor = "user:ada", ...rest } = changes;
  const variables = { ...process.env, ...committer };
  const environment = { ...systemEnvironment(), variables, cwd: root };
  return {
    repository: await findRepository(root, { environment }),
    host: "here",
    platform: process.platform,
    mayWrite: true,
    store: { open: async () => ({ store, scope }), look: async () => ({ store, scope }) },
    settings: { ...routingDefaults, ...settings },
    actor: { id: actor, session: actor.split("/")[0] ?? actor },
    roster: async () => reviewers,
    gitIn: (cwd) => createWritingGit({ cwd, environment, actor }),
    clock: systemClock,
    random: systemRandom,
    files: systemFiles,
    onStep: () => {},
    ...rest,
  };
};

export const routingIn = async (place: Place, changes: Changes = {}): Promise<Routing> =>
  openRouting(await contextOf(place, changes));

export const overridesPath = ".headgate/routing-overrides.json";

/** The file as the branch has it. */
export const committed = (root: string): { version: number; overrides: Entry[] } | undefined => {
  try {
    return JSON.parse(git(root, "show", `HEAD:${overridesPath}`)) as never;
  } catch {
    return undefined;
  }
};

export interface Entry {
  readonly agent: string;
  readonly action: string;
  readonly reason: string;
  readonly [field: string]: unknown;
}

export const inWorktree = (root: string): unknown =>
  JSON.parse(readFileSync(join(root, overridesPath), "utf8"));

/** Proposed, approved and applied. */
export const applyNow = async (
  routing: Routing,
  reviewer: string,
  request: Partial<Parameters<Routing["propose"]>[0]> = {},
) => {
  const id = await approvedProposal(routing, reviewer, request);
  return routing.apply(id);
};

export const approvedProposal = async (
  routing: Routing,
  reviewer: string,
  request: Partial<Parameters<Routing["propose"]>[0]> = {},
): Promise<string> => {
  const made = await routing.propose({ reviewer, action: "exclude", reason: "noise", ...request });
  if (!made.ok) throw new Error("already applied");
  await routing.approve({ id: made.proposal.id, confirm: reviewer });
  return made.proposal.id;
};
