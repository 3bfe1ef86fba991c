/** The profile of a worktree, kept from one use to the next as long as it can be proven to hold. */
import { type Clock, isoTime, systemClock } from "../base/clock.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { createGit, type Git, type GitOptions, type Repository } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { ownIdentity } from "../base/process-identity.ts";
import { packageVersion } from "../base/version.ts";
import { HeadgateError } from "../errors.ts";
import { type CacheContent, openCache, type ProfileCache } from "./cache.ts";
import type { CachedProfile } from "./cache-format.ts";
import { detectProfile, judgeSurvey } from "./detect.ts";
import { overrideDigest, rulesVersion } from "./rules.ts";
import { type SignalIndex, signalIndex } from "./signal-index.ts";
import {
  type ConfirmedLook,
  confirmLook,
  decideFreshness,
  type Decision,
  type Look,
  lookThrough,
  type Place,
} from "./staleness.ts";
import { evidenceLines, linesDigest, restoreSurvey, storeSurvey } from "./stored-survey.ts";
import type { Evidence, Freshness, Profile, ProfileNote, ProfileOverride } from "./types.ts";
import { changesDigest } from "./worktree-state.ts";

export interface ProjectProfile {
  /** From the cache if that is fresh, else detected and cached. `cache: false` does neither. */
  detect(options?: { readonly cache?: boolean }): Promise<Profile>;
  /** Whether the cached profile still holds. */
  check(): Promise<Freshness>;
  /** As it was cached, whether it still holds or not; undefined without one. */
  cached(): Profile | undefined;
}

export interface ProfileOptions {
  readonly repository: Pick<Repository, "kind" | "worktree" | "root" | "localDir">;
  readonly override?: ProfileOverride;
  /** Nothing is written. */
  readonly readOnly?: boolean;
  /** Makes `localDir`, which the cache lies in. */
  readonly prepare: () => Promise<void>;
  readonly environment?: GitOptions["environment"];
  readonly files?: Files;
  readonly clock?: Clock;
  readonly git?: Git;
  readonly index?: SignalIndex;
}

export const openProfile = (options: ProfileOptions): ProjectProfile => {
  const { repository, files = systemFiles, clock = systemClock } = options;
  const { index = signalIndex(), override = {}, readOnly = false } = options;
  const { worktree, root, localDir } = repository;
  const { environment } = options;
  const git =
    options.git ?? createGit({ cwd: worktree, files, ...(environment && { environment }) });
  const place: Place = {
    root: worktree,
    files,
    clock,
    ...(repository.kind === "git" && { git }),
    index,
    rules: rulesVersion(index),
    override,
    overrideDigest: overrideDigest(override),
  };
  const cache = openCache({ localDir, worktree, root, files, clock, prepare: options.prepare });
  const keeper: Keeper = { place, cache, readOnly };
  return {
    detect: ({ cache: isCached = true } = {}) =>
      isCached ? detectCached(keeper) : detectOnly(place),
    check: async () => {
      const { freshness, ...rest } = await judge(keeper);
      if (freshness.state === "fresh") await bringUpToDate(keeper, rest);
      return freshness;
    },
    cached: () => {
      const content = cache.read();
      return content.state === "ok" ? profileOf(content.cached) : undefined;
    },
  };
};

interface Keeper {
  readonly place: Place;
  readonly cache: ProfileCache;
  readonly readOnly: boolean;
}

interface Judged {
  readonly freshness: Freshness;
  readonly cached?: CachedProfile;
  /** What a write has to find there; undefined: it must not write. */
  readonly generation: number | undefined;
  readonly decision?: Decision;
  readonly remarks: readonly ProfileNote[];
}

const detectOnly = ({ root, git, ...rest }: Place): Promise<Profile> =>
  detectProfile(root, { ...rest, ...(git && { git }) });

/** With a reason where the tree did not hold still or git could not name it. */
const tryLook = async (place: Place, begun: Look | undefined): Promise<ConfirmedLook | string> => {
  try {
    const look = begun ?? (await lookThrough(place, undefined));
    return (await confirmLook(place, look)) ?? "the files keep changing";
  } catch (error) {
    if (!HeadgateError.isInstance(error) || !error.code.startsWith("GIT_")) throw error;
    return error.message;
  }
};

const detectCached = async (keeper: Keeper): Promise<Profile> => {
  const { place, cache } = keeper;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= limits.profileAttemptsMax;
    const judged = await judge(keeper);
    const { cached, freshness, generation, decision, remarks } = judged;
    if (freshness.state === "fresh" && cached) {
      await bringUpToDate(keeper, judged);
      const { look, rescored } = decision ?? {};
      if (look) return judgeSurvey(look.survey, place.index, place.override);
      return rescored ?? profileOf(cached);
    }
    const look = await tryLook(place, decision?.look);
    if (typeof look === "string") {
      if (!isLast) continue;
      const remark = { path: cache.path, message: `not cached: ${look}` };
      return withRemarks(await detectOnly(place), [...remarks, remark]);
    }
    const profile = judgeSurvey(look.survey, place.index, place.override);
    if (keeper.readOnly || generation === undefined) return withRemarks(profile, remarks);
    try {
      if (await cache.write(toCache(profile, look, place), generation)) {
        return withRemarks(profile, remarks);
      }
      // Another process was faster; what it wrote is looked at like any other cache.
      if (isLast) return withRemarks(profile, remarks);
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
      const message = `not cached: ${error.message}`;
      return withRemarks(profile, [...remarks, { path: cache.path, message }]);
    }
  }
};

/** The verdict on one generation of the cache (D-01): taken again when the cache changed meanwhile. */
const judge = async (keeper: Keeper): Promise<Judged> => {
  const { cache } = keeper;
  for (let attempt = 1; ; attempt += 1) {
    const content = cache.read();
    if (content.state !== "ok") return withoutCache(content, keeper);
    const decision = await decided(content.cached, keeper.place);
    const isLast = attempt >= limits.profileAttemptsMax;
    const again = cache.read();
    const isSame = again.state === "ok" && again.cached.generation === content.cached.generation;
    if ((!isSame || decision.isMoved === true) && !isLast) continue;
    const freshness = freshnessOf(decision, content.cached, cache.path);
    const generation = again.state === "ok" ? again.cached.generation : undefined;
    const base = { cached: content.cached, generation, decision, remarks: [] };
    if (isSame) return { ...base, freshness };
    const why = `the cache was rewritten during each of ${limits.profileAttemptsMax} looks`;
    return { ...base, freshness: { ...freshness, state: "unknown", why } };
  }
};

/** What git or the disk refuses to say cannot be proven. */
const decided = async (cached: CachedProfile, place: Place): Promise<Decision> => {
  try {
    return await decideFreshness(cached, place);
  } catch (error) {
    if (!HeadgateError.isInstance(error) || !/^(GIT|STATE)_/.test(error.code)) throw error;
    const empty = { added: [], removed: [], changed: [] };
    const steps = [{ step: "failed", found: `${error.code}: ${error.message}`, ms: 0 }];
    return { state: "unknown", why: error.message, ...empty, now: {}, steps };
  }
};

const withoutCache = async (
  content: Exclude<CacheContent, { state: "ok" }>,
  { cache, place, readOnly }: Keeper,
): Promise<Judged> => {
  const { path } = cache;
  const freshness = (state: Freshness["state"], why: string): Freshness => ({
    state,
    why,
    ...{ added: [], removed: [], changed: [] },
    cache: { path },
    now: { worktree: place.root, rules: place.rules, override: place.overrideDigest },
    steps: [{ step: "cache", found: why, ms: 0 }],
  });
  switch (content.state) {
    case "none":
      return { freshness: freshness("none", "nothing is cached yet"), generation: 0, remarks: [] };
    case "other": {
      const why = `the cache is of no use here: ${content.why}`;
      return { freshness: freshness("stale", why), generation: content.generation, remarks: [] };
    }
    case "newer": {
      const remark = { path, message: `not cached: ${content.why}` };
      const why = `it was written by a newer Headgate: ${content.why}`;
      return { freshness: freshness("unknown", why), generation: undefined, remarks: [remark] };
    }
    case "unreadable": {
      const remark = { path, message: `not cached: ${content.why}` };
      return {
        freshness: freshness("unknown", content.why),
        generation: undefined,
        remarks: [remark],
      };
    }
    case "corrupt": {
      let where = "it is left where it is";
      try {
        const aside = readOnly ? undefined : await cache.setAside();
        if (aside !== undefined) where = `it was set aside as ${aside}`;
      } catch (error) {
        if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
        where = `it could not be set aside: ${error.message}`;
      }
      const why = `the cached profile was damaged (${content.why}); ${where}`;
      return {
        freshness: freshness("none", why),
        generation: 0,
        remarks: [{ path, message: why }],
      };
    }
  }
};

/** A cache that still holds is moved on to the present tree, so that the next look is short. */
const bringUpToDate = async (
  { place, cache, readOnly }: Keeper,
  { cached, decision, generation }: Omit<Judged, "freshness" | "remarks">,
): Promise<void> => {
  const { look, rescored } = decision ?? {};
  if (readOnly || !cached || generation === undefined || (!look && !rescored)) return;
  const next =
    look && "state" in look
      ? toCache(judgeSurvey(look.survey, place.index, place.override), look, place)
      : { ...cached, rules: place.rules, profile: plainProfile(rescored as Profile) };
  try {
    await cache.write(next, generation);
  } catch (error) {
    // It is fresh all the same; only the next look takes as long again.
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
  }
};

const toCache = (
  profile: Profile,
  { survey, state, changes }: ConfirmedLook,
  place: Place,
): Omit<CachedProfile, "format" | "generation"> => ({
  writtenAt: isoTime(place.clock.wallMs()),
  writer: { version: packageVersion(), pid: ownIdentity().pid },
  worktree: place.root,
  rules: place.rules,
  override: place.overrideDigest,
  source: state ? "git" : "folder",
  head: state?.head ?? null,
  tree: state?.tree ?? null,
  dirtyDigest: changesDigest(changes),
  changes: changes.length <= limits.profileChangesMax ? changes : null,
  evidenceDigest: linesDigest(evidenceLines(survey)),
  survey: storeSurvey(survey),
  profile: plainProfile(profile),
});

const plainProfile = ({
  domains,
  primary,
  packages,
  languages,
  notes,
}: Profile): CachedProfile["profile"] => ({ domains, primary, packages, languages, notes });

const profileOf = ({ profile, survey }: CachedProfile): Profile => ({
  ...profile,
  evidence: [...restoreSurvey(survey).evidenceOf.values()].flat().toSorted(byKeyAndPath),
});

const byKeyAndPath = (a: Evidence, b: Evidence): number =>
  a.key === b.key ? Number(a.path > b.path) - Number(a.path < b.path) : a.key < b.key ? -1 : 1;

const withRemarks = (profile: Profile, remarks: readonly ProfileNote[]): Profile =>
  remarks.length === 0 ? profile : { ...profile, notes: [...profile.notes, ...remarks] };

const freshnessOf = (
  { state, why, added, removed, changed, now, steps }: Decision,
  cached: CachedProfile,
  path: string,
): Freshness => ({
  state,
  why,
  added,
  removed,
  changed: changed.slice(0, limits.profileExplainedMax),
  cache: {
    path,
    format: cached.format,
    generation: cached.generation,
    writtenAt: cached.writtenAt,
    writer: cached.writer,
    worktree: cached.worktree,
    source: cached.source,
    head: cached.head,
    tree: cached.tree,
    dirtyDigest: cached.dirtyDigest,
    ...(cached.changes && { dirtyFiles: cached.changes.length }),
    evidenceDigest: cached.evidenceDigest,
    rules: cached.rules,
    override: cached.override,
  },
  now,
  steps,
});
