/** Rooms that are loaded when they are first needed: most commands only claim. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import type { Repository } from "./git/index.ts";
import type { Actor } from "./claims/index.ts";
import type { Editing, EditingParts } from "./compose-editing.ts";
import type { OpenEnd } from "./gate/index.ts";
import type { LinesParts } from "./compose-lines.ts";
import type { ProfileParts } from "./compose-profile.ts";
import type { Reviewing } from "./compose-review.ts";
import type { StoreHandles } from "./compose-store.ts";
import type { Config } from "./config/index.ts";
import type { Lines } from "./lines/index.ts";
import type { Freshness, Profile } from "./profile/index.ts";
import type { Ledger } from "./review/index.ts";
import type { Routing } from "./routing/index.ts";

export const editingOf = (
  parts: Omit<EditingParts, "closeToo" | "store"> & { readonly handles: StoreHandles },
): (() => Promise<Editing>) => {
  let opened: Promise<Editing> | undefined;
  const { handles, ...rest } = parts;
  return () =>
    (opened ??= import("./compose-editing.ts").then(({ openEditing }) =>
      openEditing({
        ...rest,
        closeToo: (end) => handles.closeToo(end),
        store: placeOf(handles),
      }),
    ));
};

/** Whose every uncommitted line of this worktree is. */
export const lateLines = (
  parts: Omit<LinesParts, "place"> & { readonly handles: StoreHandles },
): Lines => {
  const { handles, ...rest } = parts;
  let opened: Promise<Lines> | undefined;
  const open = () =>
    (opened ??= import("./compose-lines.ts").then(({ openLinesIn }) =>
      openLinesIn({ ...rest, place: placeOf(handles) }),
    ));
  return {
    ask: async (...args) => (await open()).ask(...args),
    note: async (...args) => (await open()).note(...args),
    noteCommand: async (...args) => (await open()).noteCommand(...args),
    heard: async (...args) => (await open()).heard(...args),
    ground: async (...args) => (await open()).ground(...args),
    noted: async () => (await open()).noted(),
    records: async (paths) => (await open()).records(paths),
    changedAt: async (path) => (await open()).changedAt(path),
    record: async (path) => (await open()).record(path),
    refresh: async (committed) => (await open()).refresh(committed),
    view: async (committed) => (await open()).view(committed),
    takenBack: async (edits) => (await open()).takenBack(edits),
    reformat: async (...args) => (await open()).reformat(...args),
    committed: async (...args) => (await open()).committed(...args),
    authors: async (...args) => (await open()).authors(...args),
    presence: async () => (await open()).presence(),
  };
};

/** Nothing is parsed where nothing was left open. */
export const lateOpenEnds =
  ({
    repository,
    handles,
    isShared,
    editing,
  }: {
    readonly repository: Repository;
    readonly handles: StoreHandles;
    readonly isShared: boolean;
    readonly editing: () => Promise<Editing>;
  }): (() => Promise<readonly OpenEnd[]>) =>
  async () => {
    const { openOpenEndsIn } = await import("./compose-lines.ts");
    const all = await openOpenEndsIn({ repository, isShared, place: placeOf(handles) }).list();
    return all.length === 0 ? [] : (await editing()).stillOpen(all);
  };

export const ledgerOf = (parts: {
  readonly repository: Repository;
  readonly actor: Actor;
  readonly handles: StoreHandles;
  readonly editing: () => Promise<Editing>;
}): (() => Promise<Ledger>) => {
  let opened: Promise<Ledger> | undefined;
  const { repository, actor, handles, editing } = parts;
  return () =>
    (opened ??= import("./compose-ledger.ts").then(({ openLedgerFor }) =>
      openLedgerFor({
        repository,
        actor,
        place: placeOf(handles),
        outline: async (content, path) => (await editing()).analyser.outline(content, path),
      }),
    ));
};

/** As the room itself, but loaded when first asked. */
export interface LateProfile {
  /** From the cache if that is fresh, else detected and cached; `cache: false` does neither. */
  detect(options?: { readonly cache?: boolean }): Promise<Profile>;
  check(): Promise<Freshness>;
  /** As it was cached, whether it still holds or not. */
  cached(): Promise<Profile | undefined>;
}

export const profileOf = (parts: ProfileParts): LateProfile => {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => (await import("./compose-profile.ts")).openProjectProfile(parts);
  const own = () => (opened ??= open());
  return {
    detect: async (options) => (await own()).detect(options),
    check: async () => (await own()).check(),
    cached: async () => (await own()).cached(),
  };
};

/** Nobody is asked before somebody wants a review. */
export const reviewOf = (parts: {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  readonly editing: () => Promise<Editing>;
  readonly ledger: () => Promise<Ledger>;
  readonly profile: Pick<LateProfile, "detect">;
  readonly routing: Pick<Routing, "view" | "canary">;
}): Reviewing => {
  let opened: Promise<Reviewing> | undefined;
  const { editing, profile, routing, ...rest } = parts;
  const own = () =>
    (opened ??= import("./compose-watched.ts").then(({ openWatchedReviewing }) =>
      openWatchedReviewing(routing, {
        ...rest,
        analyser: async () => (await editing()).analyser,
        profile: () => profile.detect(),
      }),
    ));
  return {
    notice: async () => (await own()).notice(),
    qualify: async (request, watch) => (await own()).qualify(request, watch),
    loss: async (request, watch) => (await own()).loss(request, watch),
    replay: async (request, watch) => (await own()).replay(request, watch),
    plan: async (request) => (await own()).plan(request),
    run: async (request, watch) => (await own()).run(request, watch),
    resume: async (review, options, watch) => (await own()).resume(review, options, watch),
  };
};

/** The store as rooms open it. */
export const placeOf = (handles: StoreHandles) => ({
  open: async () => ({ store: await handles.writer(), scope: await handles.scope() }),
  look: () => handles.look(),
});
