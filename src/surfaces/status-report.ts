import { join } from "node:path";
import { isoTime, systemClock } from "../base/clock.ts";
import { systemFiles } from "../base/files.ts";
import type { Environment } from "../base/environment.ts";
import type { ClaimHolder } from "../claims/index.ts";
import type { Headgate } from "../compose.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";
import type { Store } from "../store/index.ts";
import { type PersonRequest, personRequests } from "./person-requests.ts";
import { type AgentsReport, agentsReport } from "./agents-report.ts";
import type { LateCommit } from "./git/index.ts";
import { linesReport, type SessionLines, withParts } from "./lines-report.ts";
import type { Client, KnownClient, Manifest } from "./setup/index.ts";
import { type NotWatched, watchReport } from "./watch-report.ts";

/** A running server, as `status`, `/health` and `up` show it. */
export interface ServerState {
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly since: string;
}

export interface StatusReport extends AgentsReport {
  readonly repository: {
    readonly root: string;
    readonly kind: "git" | "folder";
    readonly worktree: string;
    readonly scope: string;
  };
  /** `state: "none"`: nothing was stored yet, and looking did not create anything. */
  readonly store:
    | { readonly state: "none"; readonly kind: string; readonly location: string }
    | {
        readonly state: "unavailable";
        readonly kind: string;
        readonly location: string;
        readonly code: ErrorCode;
        readonly message: string;
        readonly remedy: string;
      }
    | {
        readonly state: "ready";
        readonly kind: string;
        readonly version: string;
        /** The newest migration that was applied. */
        readonly schema: number;
        readonly location: string;
        readonly events: number;
      };
  /** Absent while nothing was stored, or the store cannot be read. */
  readonly claims?: {
    readonly live: number;
    readonly waiters: number;
    /** The oldest few. */
    readonly held: readonly {
      readonly target: string;
      readonly actor: string;
      readonly expiresAt: string;
    }[];
  };
  /** How many notices wait for the one who looks (`headgate inbox`). */
  readonly notices: number;
  /** Uncommitted lines of this worktree, by session. */
  readonly lines: readonly SessionLines[];
  /** Names that allowed edits of this worktree still owe; a commit with such a call is refused. */
  readonly openEnds: readonly OpenEndReport[];
  /** Writes that passed unjudged and wait for their judgement; of the oldest ones who, where and why. */
  readonly unjudged: {
    readonly count: number;
    readonly writes: readonly {
      readonly path: string;
      readonly worktree: string;
      readonly actor: string;
      readonly tool: string;
      readonly since: string;
      readonly why: string;
    }[];
  };
  /** Commits of this clone that no hook judged before they were made, with problems that are not repaired. */
  readonly lateCommits: readonly LateCommit[];
  /** Only a person may do these, and another wanted to; the newest first. */
  readonly personNeeded: readonly PersonRequest[];
  /** Records of edits that are not believed, and why: forged or damaged. */
  readonly damagedRecords: readonly string[];
  /** Files of ours that clients start from this worktree, and that are not this release's. */
  readonly changedFiles: readonly string[];
  /** Clients whose hooks have changed, and that run them only when a person trusts them again: what to do. */
  readonly trustAgain: readonly { readonly client: string; readonly text: string }[];
  /** Worktrees whose files the server cannot watch; they are looked at when they are asked for. */
  readonly notWatched: readonly NotWatched[];
  readonly configuration: {
    readonly files: readonly string[];
    /** The repository's own file is broken: nothing of it counts, and nothing but looking works. */
    readonly problem?: {
      readonly code: ErrorCode;
      readonly message: string;
      readonly remedy: string;
    };
  };
}

/** What Headgate sees in a repository; the same for the command line and for HTTP. */
export const statusReport = async (
  headgate: Headgate,
  environment: Environment,
): Promise<StatusReport> => {
  const { root, kind, worktree } = headgate.repository;
  const { holders, ...stored } = await storedReport(headgate);
  return {
    repository: { root, kind, worktree, scope: headgate.scopeIdentity.key },
    ...stored,
    ...(await agentsReport(headgate, holders, environment)),
    notices: stored.store.state === "ready" ? await countNotices(headgate) : 0,
    lines:
      stored.store.state === "ready"
        ? await withParts(await linesReport(headgate), headgate.claims, holders ?? [])
        : [],
    openEnds: stored.store.state === "ready" ? await openEndsReport(headgate) : [],
    unjudged: await unjudgedReport(headgate),
    lateCommits: (await import("./git/index.ts")).lateCommits(headgate.repository.localDir),
    personNeeded:
      stored.store.state === "ready" ? await personRequests(headgate, systemClock.wallMs()) : [],
    damagedRecords: await damagedReport(headgate.repository.localDir),
    ...(await setUpReport(headgate)),
    notWatched: await watchReport(headgate.repository.localDir),
    configuration: { files: filesInUse(headgate), ...problemOf(headgate) },
  };
};

/** Most of the time there is no record at all, and nothing is loaded for it. */
const damagedReport = async (localDir: string): Promise<string[]> => {
  const dir = join(localDir, "edits");
  const isEmpty = ["open", "done"].every(
    (name) => !systemFiles.stat(join(dir, name)) || systemFiles.list(join(dir, name)).length === 0,
  );
  if (isEmpty) return [];
  const { damagedRecords } = await import("../edit/index.ts");
  return damagedRecords(dir).map(({ message }) => message);
};

const setUpReport = async ({
  repository,
}: Headgate): Promise<Pick<StatusReport, "changedFiles" | "trustAgain">> => {
  const setup = await import("./setup/index.ts");
  const { localDir, worktree } = repository;
  return {
    changedFiles: setup.differingIn(worktree),
    trustAgain: setup
      .trustNeeded(localDir)
      .map((client) => ({ client: client.name, text: setup.trustText(client) })),
  };
};
/** Saves `doctor` a guess about a client that the log answers. */
export const knownIn = (
  { seenClients }: Pick<StatusReport, "seenClients">,
  { name }: Pick<Client, "name">,
  manifest: Manifest | undefined,
): KnownClient => ({ manifest, isSeen: seenClients.includes(name) });

interface OpenEndReport {
  readonly session: string;
  readonly path: string;
  readonly line: number;
  readonly code: string;
  readonly missing: string;
  readonly since: string;
}

const openEndsReport = async (headgate: Headgate): Promise<OpenEndReport[]> =>
  (await headgate.openEnds()).map(({ session, path, line, code, missing, since }) => ({
    ...{ session, path, line, code, missing, since: isoTime(since) },
  }));

const countNotices = async ({ inbox }: Headgate): Promise<number> => {
  const { notices, more } = await inbox.list();
  return notices.length + more;
};

const unjudgedReport = async ({ repository }: Headgate): Promise<StatusReport["unjudged"]> => {
  const { UnjudgedWrites } = await import("./unjudged/index.ts");
  const waiting = new UnjudgedWrites({ localDir: repository.localDir }).waiting();
  return {
    count: waiting.length,
    writes: waiting.slice(0, unjudgedMax).map(({ path, root, actor, tool, atMs, why }) => ({
      ...{ path, worktree: root, actor, tool, since: isoTime(atMs), why },
    })),
  };
};

const unjudgedMax = 20;

const problemOf = ({ configProblem }: Headgate): Pick<StatusReport["configuration"], "problem"> => {
  if (!configProblem) return {};
  const { code, message, remedy } = configProblem.toJSON();
  return { problem: { code, message, remedy } };
};

/** A store in trouble is part of the picture; the rest is shown all the same. */
const storedReport = async (
  headgate: Headgate,
): Promise<
  Pick<StatusReport, "store" | "claims"> & {
    readonly holders?: readonly ClaimHolder[];
  }
> => {
  try {
    const store = await headgate.storeIfAny();
    if (store === undefined) return { store: { state: "none", ...headgate.storePlace } };
    const { head } = await headgate.events.page({ last: 1 });
    const { live, holders, waiters } = await headgate.claims.overview();
    const { claims } = await headgate.claims.list({ limit: heldMax });
    const { name, version } = store.capabilities;
    const { location } = store;
    const schema = await schemaOf(store);
    return {
      store: { state: "ready", kind: name, version, schema, location, events: head },
      claims: {
        ...{ live, waiters: waiters.length },
        held: claims.map(({ target, actor, expiresAt }) => ({ target, actor, expiresAt })),
      },
      holders,
    };
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    const { code, message, remedy } = error.toJSON();
    return { store: { state: "unavailable", ...headgate.storePlace, code, message, remedy } };
  }
};

const schemaOf = (store: Store): Promise<number> =>
  store.read(async (tx) => {
    const newest = await tx.get<{ version: number }>({
      sql: "SELECT max(version) AS version FROM schema_migrations",
    });
    return newest?.version ?? 0;
  });

/** The files that set at least one value. */
const filesInUse = ({ origins }: Headgate): string[] => {
  const files = Object.values(origins).flatMap(({ from, place }) =>
    from.endsWith("-file") && place !== undefined ? [place.replace(/:\d+:\d+$/, "")] : [],
  );
  return [...new Set(files)];
};

const heldMax = 5;
