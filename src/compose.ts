/**
 * The only place that builds the object graph. The store is opened when it is first needed and closed
 * once. Reading creates nothing, neither folder, file nor scope: it uses a read-only handle until
 * something is written.
 */
import { resolve } from "node:path";
import { type Clock, systemClock } from "./base/clock.ts";
import { type Environment, systemEnvironment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import { newId } from "./base/ids.ts";
import { ownIdentity } from "./base/process-identity.ts";
import { findRepository, type Repository, type ScopeIdentity } from "./git/index.ts";
import { checkPlace } from "./compose-place.ts";
import {
  type Actor,
  actorFromEnvironment,
  describeVia,
  lookAtProcess,
  userEnvironmentFor,
  type Claims,
  openClaims,
  parseActor,
  proveHolder,
  rescueFiles,
  resolveTarget,
  shownHolder,
} from "./claims/index.ts";
import type { Editing, SharedParts } from "./compose-editing.ts";
import { type EventLog, eventLog } from "./compose-events.ts";
import { lateRouting } from "./compose-late.ts";
import type { Reviewing } from "./compose-review.ts";
import {
  editingOf,
  type LateProfile,
  ledgerOf,
  lateLines,
  lateOpenEnds,
  placeOf,
  profileOf,
  reviewOf,
} from "./compose-rooms.ts";
import { lazyRuns } from "./compose-runs.ts";
import { type LeftWork, leftWorkOf } from "./compose-repair.ts";
import { fenceMarkFor, sayLoss, watchLoss } from "./compose-loss.ts";
import { placeKnower } from "./compose-moved.ts";
import { StoreHandles } from "./compose-store.ts";
import { type Config, loadConfig, type LoadedConfig } from "./config/index.ts";
import type { HeadgateError } from "./errors.ts";
import type { Editor } from "./edit/index.ts";
import type { Gate, OpenEnd, ProjectNames, SeenFile } from "./gate/index.ts";
import type { Lines } from "./lines/index.ts";
import { type Inbox, type NewNotice, openInbox, sendAll } from "./notices/index.ts";
import type { Ledger } from "./review/index.ts";
import type { Routing } from "./routing/index.ts";
import type { Runs } from "./runs/index.ts";
import type { Analyser } from "./structure/index.ts";
import {
  makeLocalDir,
  parseAddress,
  type Scope,
  type Store,
  type StoreAddress,
  type Via,
} from "./store/index.ts";

export interface HeadgateOptions {
  /** A folder in the repository, from which targets are read; default: the working directory. */
  readonly repo?: string;
  /** Store address; default: what the configuration says. */
  readonly store?: string;
  /**
   * Who acts, as written into events and claims. A name stands for this very process: its end frees
   * what it holds. Default: the agent client that the environment tells of, or the user.
   */
  readonly actor?: string | Actor;
  /** The secret of a grant, for what was claimed under the actor's name elsewhere; default: HEADGATE_CLAIM_SECRET. */
  readonly secret?: string;
  /** A name for the default actor (`--as`); ACTOR_NOT_YOURS inside the session of another. */
  readonly as?: string;
  /** Nothing can be changed through it. */
  readonly readOnly?: boolean;
  /**
   * Opens although the repository's own settings are broken; nothing of them counts, and `configProblem`
   * says why. For looking and for giving back, which are never refused.
   */
  readonly evenIfMisconfigured?: boolean;
  /** Gets one line when the store has lost history; without it nothing is said. */
  readonly onRemark?: (line: string) => void;
  /** The caller moves state out of the tree: finding it there does not stop it. */
  readonly movesState?: boolean;
  /** Also asks type checkers about missing calls, and waits so long for their answer (milliseconds). */
  readonly typesMs?: number;
  /** Of another worktree of the repository that is open in this process, and stays so for longer. */
  readonly shared?: Headgate["shared"];
  readonly environment?: Environment;
  readonly clock?: Clock;
}

/** What one actor can do. */
export interface Acting {
  /** What the actor holds, and everybody else. */
  readonly claims: Claims;
  /** Judges proposals against this worktree's files. */
  readonly gate: Pick<Gate, "judge" | "admit" | "admitUnjudged">;
  /** Changes files, all or none, through the gate. */
  readonly edit: Editor;
  /** Notices of others, and of Headgate, to the actor. */
  readonly inbox: Inbox;
  /** Which versions of files the actor last saw. */
  readonly seen: {
    remember(files: readonly SeenFile[]): Promise<void>;
    /** Something of these was shown (E-24); see `SeenFiles`. */
    meet(paths: readonly string[]): Promise<void>;
    lastSeen(path: string): Promise<string | undefined>;
  };
}

export interface Headgate extends Acting, AsyncDisposable {
  readonly repository: Repository;
  readonly config: Config;
  /** Where each setting comes from, by key. */
  readonly origins: LoadedConfig["origins"];
  /** Only with `evenIfMisconfigured`. */
  readonly configProblem?: HeadgateError;
  readonly events: EventLog;
  /** Whose every uncommitted line of this worktree is. */
  readonly lines: Lines;
  /** Open ends of this worktree: allowed edits owe them, and the commit refuses them. */
  openEnds(): Promise<readonly OpenEnd[]>;
  /** Sends notices of Headgate itself; nothing is opened for none. */
  notify(notices: readonly NewNotice[]): Promise<void>;
  /** The same repository, acted on by somebody else: a server speaks for many. */
  as(actor: Actor | string): Acting;
  /** Outlines and syntax verdicts of contents. */
  readonly structure: Pick<Analyser, "outline" | "syntax"> & {
    /** Names of this worktree's files as they are now, and of what they build upon. */
    readonly names: ProjectNames;
  };
  /** Parts that another worktree of this repository can use as well. */
  shared(): Promise<SharedParts>;
  /** Overrides of reviewers: evidence, proposals, commits, canaries. */
  readonly routing: Routing;
  /** What the gate would have refused in this repository's history. */
  readonly mine: Editing["mine"];
  /** Reviews that were held, and what became of their findings; loaded when it is first asked for. */
  ledger(): Promise<Ledger>;
  /** Reviews of changes, files and documents, by models and by rules. */
  readonly review: Reviewing;
  /** What kind of project this is; kept in a cache as long as that holds. */
  readonly profile: LateProfile;
  /** Plans carried out task by task; loaded when first used. */
  readonly runs: Runs;
  /** Kind and place of the store by its address, without secrets and without opening it. */
  readonly storePlace: { readonly kind: string; readonly location: string };
  /** Opens the store for writing, creating and migrating it first; STORE_READ_ONLY when read-only. */
  store(): Promise<Store>;
  /** For looking: undefined while nothing was ever stored. */
  storeIfAny(): Promise<Store | undefined>;
  /** This repository in the store; opens it as `store` does. */
  scope(): Promise<Scope>;
  /** How the store knows this repository: by its remote if machines share the store, else by its path. */
  readonly scopeIdentity: ScopeIdentity;
  /** Work that killed processes left half done. */
  readonly leftWork: LeftWork;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Throws REPOSITORY_NOT_FOUND, CONFIG_… and GIT_…; what concerns the store comes with its first use. */
export const openHeadgate = async (options: HeadgateOptions = {}): Promise<Headgate> => {
  const {
    environment: given = systemEnvironment(),
    clock = systemClock,
    readOnly = false,
  } = options;
  const cwd = resolve(given.cwd, options.repo ?? ".");
  const found = await findRepository(cwd, { environment: given });
  const environment = userEnvironmentFor(given, { stateFolder: found.localDir });
  // Without git its state is among the user's own files.
  const repository =
    environment === given || found.kind === "git"
      ? found
      : await findRepository(cwd, { environment });
  await checkPlace(repository, environment, options);
  const { evenIfMisconfigured: evenIfBroken = false } = options;
  const flags = { store: options.store };
  const { config, origins, problem } = await loadConfig({
    ...{ repository, environment, flags, evenIfBroken },
  });
  const place = parseAddress(config.store, repository.localDir);
  const path = place.kind === "sqlite" ? resolve(environment.cwd, place.path) : undefined;
  const scopeIdentity = {
    ...repository.identity[place.isShared ? "shared" : "local"],
    knows: placeKnower(repository, path),
  };
  const loss = watchLoss({
    ...{ dir: repository.localDir, scopeKey: scopeIdentity.key },
    location: `${place.kind}:${path ?? location(place)}`,
    fences: ({ store, scope }) => fenceMarkFor(repository, store, scope),
    open: async () => ({ store: await handles.writer(), scope: await handles.scope() }),
  });
  const vias = new Map<string, Via | undefined>();
  const acted = lazily(() => lookAtProcess(given, { stateFolder: repository.localDir }));
  const handles = new StoreHandles({
    // Of other actors' events, as of a claim that has expired, our own process is the cause.
    via: (name) => {
      if (name !== null && vias.has(name)) return vias.get(name);
      return describeVia(acted(), actor, { isGiven: name !== actor.id });
    },
    repository,
    scopeIdentity,
    config,
    environment,
    clock,
    readOnly,
    ...(options.onRemark && { onFirstUse: sayLoss(loss, options.onRemark) }),
  });
  const close = () => handles.close();
  const stateFolder = repository.localDir;
  const withProof = (other: Actor | string): Actor => {
    const own = typeof other === "string" ? parseActor(other) : other;
    return { ...own, proof: own.proof ?? shownHolder(own, { stateFolder }) };
  };
  const named = actorOf(options, environment, stateFolder);
  const said = { stateFolder, acting: acted, secret: options.secret };
  const actor =
    typeof options.actor === "object"
      ? withProof(named)
      : { ...named, proof: proveHolder(named, environment, said) };
  const claims = claimsOf(handles, {
    repository,
    environment: { ...environment, cwd },
    clock,
    actor,
  });
  const lines = lateLines({
    ...{ repository, handles, isShared: place.isShared },
    idleMs: config.claims.idle * 1000,
  });
  const editing = editingOf({
    ...{ repository, config, environment, clock, handles, lines },
    typesMs: options.typesMs,
    shared: options.shared,
    isShared: place.isShared,
  });
  const routing = lateRouting(async () => {
    const { openRoutingOf } = await import("./compose-routing.ts");
    const store = placeOf(handles);
    return openRoutingOf({ repository, config, environment, clock, actor, store, readOnly });
  });
  const acting = (own: Claims): Acting => actingAs(own, editing, placeOf(handles));
  const ledger = ledgerOf({ repository, actor, handles, editing });
  const profile = profileOf({ repository, config, environment, clock, readOnly });
  return {
    repository,
    config,
    origins,
    ...(problem && { configProblem: problem }),
    events: eventLog(handles, {
      ...{ actor: options.as ?? nameOf(options.actor), clock },
      stateFolder: repository.localDir,
    }),
    ...acting(claims),
    lines,
    openEnds: lateOpenEnds({ ...{ repository, handles, isShared: place.isShared }, editing }),
    notify: (notices) => notify(handles, notices),
    as: (other) => {
      if (typeof other === "object" && other.via) vias.set(other.id, other.via);
      return acting(claims.as(withProof(other)));
    },
    routing,
    mine: async (request, onFound) => (await editing()).mine(request, onFound),
    ledger,
    review: reviewOf({
      ...{ repository, config, environment, cwd, clock, editing, ledger, profile, routing },
    }),
    structure: {
      outline: async (content, path) => (await editing()).analyser.outline(content, path),
      syntax: async (content, path) => (await editing()).analyser.syntax(content, path),
      names: async (families) => (await editing()).names(families),
    },
    shared: async () => (await editing()).shared,
    profile,
    runs: lazyRuns({
      ...{ repository, config, environment: { ...environment, cwd }, clock, handles },
      as: (other) => acting(claims.as(withProof(other))),
      open: (worktree) => openHeadgate({ ...options, repo: worktree }),
    }),
    storePlace: { kind: place.kind, location: location(place) },
    store: () => handles.writer(),
    storeIfAny: () => handles.reader(),
    scope: () => handles.scope(),
    scopeIdentity,
    leftWork: leftWorkOf({
      ...{ repository, environment, clock, claims, routing, handles, loss },
      edit: acting(claims).edit,
      events: eventLog(handles, { actor: undefined, clock, stateFolder: repository.localDir }),
      notify: (notices) => notify(handles, notices),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
};

const location = (place: StoreAddress): string =>
  place.kind === "sqlite" ? place.path : place.location;

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

const nameOf = (actor: string | Actor | undefined): string | undefined =>
  typeof actor === "object" ? actor.id : actor;

const actorOf = (
  { actor, as }: HeadgateOptions,
  environment: Environment,
  stateFolder: string,
): Actor => {
  if (actor === undefined) {
    return actorFromEnvironment(environment, { stateFolder, ...(as !== undefined && { as }) });
  }
  return typeof actor === "string" ? { ...parseActor(actor), process: ownIdentity() } : actor;
};

const claimsOf = (
  handles: StoreHandles,
  options: {
    readonly repository: Repository;
    readonly environment: Environment;
    readonly clock: Clock;
    readonly actor: Actor;
  },
): Claims => {
  const { repository, environment, clock, actor } = options;
  const open = async () => {
    const store = await handles.writer();
    // With a server as the store, nothing else has made the folder yet.
    makeLocalDir(repository.localDir, systemFiles, environment.platform);
    const scope = await handles.scope();
    const fences = fenceMarkFor(repository, store, scope);
    handles.closeToo(() => fences.close());
    return { store, scope, fences };
  };
  let opened: ReturnType<typeof open> | undefined;
  return openClaims({
    actor,
    clock,
    open: () => (opened ??= open()),
    look: () => handles.look(),
    resolve: (target) => resolveTarget(target, { repository, cwd: environment.cwd }),
    rescue: async ({ id, target, actor: holder }) => {
      const saved = await rescueFiles({ repository, claim: id, target, actor: holder });
      if (!saved) return undefined;
      const { ref, files, skipped } = saved;
      // An event has only so much room; the commit's message names all of them.
      return { ref, files, ...(skipped.length > 0 && { skipped: skipped.slice(0, 20) }) };
    },
  });
};

const actingAs = (
  claims: Claims,
  editing: () => Promise<Editing>,
  place: ReturnType<typeof placeOf>,
): Acting => {
  const own = async () => (await editing()).as(claims);
  const { id } = claims.actor;
  return {
    claims,
    gate: {
      judge: async (proposal, more) => (await own()).gate.judge(proposal, more),
      admit: async (proposal, more) => (await own()).gate.admit(proposal, more),
      admitUnjudged: async (proposal, more) => (await own()).gate.admitUnjudged(proposal, more),
    },
    edit: {
      edit: async (request) => (await own()).editor.edit(request),
      undo: async (request) => (await own()).editor.undo(request),
      takeBack: async (request) => (await own()).editor.takeBack(request),
      history: async (filter) => (await own()).editor.history(filter),
      show: async (edit) => (await own()).editor.show(edit),
      recover: async () => (await own()).editor.recover(),
    },
    inbox: openInbox({ actor: claims.actor, ...place }),
    seen: {
      remember: async (files) => (await own()).seen.remember(id, files),
      meet: async (paths) => (await own()).seen.meet(id, paths),
      lastSeen: async (path) => (await own()).seen.lastSeen(id, path),
    },
  };
};

const notify = async (handles: StoreHandles, notices: readonly NewNotice[]): Promise<void> => {
  if (notices.length === 0) return;
  const [store, scope] = [await handles.writer(), await handles.scope()];
  await sendAll({ store, scope, ids: newId }, notices);
};
