/**
 * Whether a cached profile still holds. The steps, cheapest first, each deciding or handing on: the rules
 * it was made by; the same tree with the same uncommitted files; no changed file that can matter; the
 * same evidence after reading the changed files again. Where the recorded tree is not here (shallow
 * clone, no git) the contents themselves are compared. Dates decide nothing. What cannot be proven is
 * `unknown`, never `fresh`.
 */
import type { Clock } from "../base/clock.ts";
import type { Files } from "../base/files.ts";
import type { Git } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { plural } from "../base/text.ts";
import type { CachedProfile } from "./cache-format.ts";
import { evidenceOfFile } from "./evidence.ts";
import { judgeSurvey } from "./detect.ts";
import { sum } from "./layout.ts";
import { readBounded } from "./read-bounded.ts";
import type { RulesVersion } from "./rules.ts";
import type { SignalIndex } from "./signal-index.ts";
import {
  driftBetween,
  driftMax,
  evidenceLines,
  knownFile,
  linesDigest,
  restoreSurvey,
  storeRead,
} from "./stored-survey.ts";
import { type Survey, type SurveyOptions, surveyTree } from "./survey.ts";
import type { CheckStep, Freshness, Profile, ProfileOverride, TreeFacts } from "./types.ts";
import { isRead } from "./watched.ts";
import {
  type Change,
  changesBetween,
  changesDigest,
  differing,
  isCounted,
  isStructural,
  relevantChanges,
  type WorktreeState,
  worktreeState,
} from "./worktree-state.ts";

/** One look at one worktree. */
export interface Place {
  readonly root: string;
  readonly files: Files;
  readonly clock: Clock;
  /** Absent where there is no git repository. */
  readonly git?: Git;
  readonly index: SignalIndex;
  readonly rules: RulesVersion;
  readonly override: ProfileOverride;
  readonly overrideDigest: string;
}

/** A tree that was looked through, with what named its content before. */
export interface Look {
  readonly survey: Survey;
  readonly before: WorktreeState | undefined;
}

/** What was found belongs to this content: it was the same before and after. */
export interface ConfirmedLook extends Look {
  readonly state: WorktreeState | undefined;
  readonly changes: readonly Change[];
}

export interface Decision extends Pick<
  Freshness,
  "state" | "why" | "added" | "removed" | "changed" | "now" | "steps"
> {
  /** The cached survey, weighed by the present rules. */
  readonly rescored?: Profile;
  /** When the tree had to be looked through; confirmed if it is fresh. */
  readonly look?: Look | ConfirmedLook;
  /** The tree changed while it was looked through: nothing is decided. */
  readonly isMoved?: boolean;
}

export const decideFreshness = async (cached: CachedProfile, place: Place): Promise<Decision> => {
  const told = teller(place);
  const byRules = compareRules(cached, place, told);
  if (byRules.decision) return byRules.decision;
  const kept = byRules.rescored ? { rescored: byRules.rescored } : {};
  const byTree = await compareTrees(cached, place, told);
  if (!("state" in byTree)) return { ...kept, ...byTree.decision };
  return { ...kept, ...(await compareContents(cached, place, told, byTree)) };
};

export const lookThrough = async (
  place: Place,
  state: WorktreeState | undefined,
  known?: SurveyOptions["known"],
): Promise<Look> => {
  const { root, files, git, index, override } = place;
  const before = state ?? (git && (await worktreeState(git)));
  const survey = await surveyTree(root, {
    ...{ index, files, override },
    ...(git && { git }),
    ...(before && { untracked: before.untracked }),
    ...(known && { known }),
  });
  return { survey, before };
};

/** Undefined when the tree changed while it was looked through (D-01). */
export const confirmLook = async (
  { root, files, git, index }: Place,
  look: Look,
): Promise<ConfirmedLook | undefined> => {
  const { survey, before } = look;
  if (!git || !before || survey.source === "folder") {
    return { ...look, state: undefined, changes: [] };
  }
  const state = await worktreeState(git);
  if (state.tree !== before.tree || differing(before.changes, state.changes).length > 0) {
    return undefined;
  }
  const changes = relevantChanges(state, { ...survey, index }, { root, files });
  const digests = new Map(survey.read.map(({ path, digest }) => [path, digest]));
  const isSame = changes.every(
    ({ path, digest }) => digest === undefined || (digests.get(path) ?? digest) === digest,
  );
  return isSame ? { ...look, state, changes } : undefined;
};

interface Told {
  readonly steps: CheckStep[];
  now: TreeFacts;
  changed: readonly string[];
  step(step: string, found: string): void;
  end(state: Freshness["state"], why: string, delta?: Delta): Decision;
}

interface Delta {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const teller = ({ root, clock, rules, overrideDigest, git }: Place): Told => {
  let last = clock.monoMs();
  const told: Told = {
    steps: [],
    now: { worktree: root, source: git ? "git" : "folder", rules, override: overrideDigest },
    changed: [],
    step: (step, found) => {
      const nowMonoMs = clock.monoMs();
      told.steps.push({ step, found, ms: Math.round((nowMonoMs - last) * 10) / 10 });
      last = nowMonoMs;
    },
    end: (state, why, { added, removed } = { added: [], removed: [] }) => {
      const { now, steps, changed } = told;
      return { state, why, added, removed, changed, now, steps };
    },
  };
  return told;
};

const compareRules = (
  cached: CachedProfile,
  { rules, override, overrideDigest, index }: Place,
  told: Told,
): { decision?: Decision; rescored?: Profile } => {
  if (cached.override !== overrideDigest) {
    told.step("rules", "the settings under `profile` differ");
    return { decision: told.end("stale", "the settings under `profile` were changed") };
  }
  if (cached.rules.looked !== rules.looked) {
    told.step("rules", "other signals are looked for");
    const why = "this version looks for other signals than the one that made it";
    return { decision: told.end("stale", why) };
  }
  if (override.domains !== undefined) {
    told.step("rules", "the settings name the domains");
    return { decision: told.end("fresh", "the settings say which domains these are") };
  }
  if (cached.rules.weighed === rules.weighed) {
    told.step("rules", "the same");
    return {};
  }
  const rescored = judgeSurvey(restoreSurvey(cached.survey), index, override);
  const [before, now] = [outcomeOf(cached.profile), outcomeOf(rescored)];
  const delta = deltaOf(before, now);
  const isSame = delta.added.length + delta.removed.length === 0;
  told.step("rules", `weighed anew with other weights: ${isSame ? "the same domains" : "others"}`);
  if (isSame) return { rescored };
  const why = "this version weighs the same evidence differently";
  return { decision: told.end("stale", why, delta), rescored };
};

interface Handed {
  readonly state: WorktreeState | undefined;
  /** Undefined: nothing of what was read can be relied on. */
  readonly changed?: ReadonlySet<string>;
}

const compareTrees = async (
  cached: CachedProfile,
  { root, files, git, index }: Place,
  told: Told,
): Promise<{ decision: Decision } | Handed> => {
  if (!git || cached.source === "folder" || cached.tree === null) {
    told.step("tree", git ? "it was made without git" : "no git");
    return { state: undefined };
  }
  const watching = { ...cached.survey, index };
  const state = await worktreeState(git);
  const changes = relevantChanges(state, watching, { root, files });
  const dirtyDigest = changesDigest(changes);
  const { head, tree, isShallow } = state;
  told.now = {
    ...told.now,
    ...{ head, tree, shallow: isShallow, dirtyDigest, dirtyFiles: changes.length },
  };
  if (tree === cached.tree && dirtyDigest === cached.dirtyDigest) {
    told.step("tree", "the same tree, the same uncommitted files");
    return { decision: told.end("fresh", "the tree and the uncommitted files are the same") };
  }
  const same = tree === cached.tree ? "the same tree, other uncommitted files" : "another tree";
  told.step("tree", same);
  const between = await changesBetween(git, cached.tree, tree);
  if (between === undefined || cached.changes === null) {
    const what = between
      ? "too many uncommitted files were there"
      : "the recorded tree is not here";
    told.step("changes", `${what}${isShallow ? " (shallow clone)" : ""}`);
    return { state };
  }
  const all = [...between, ...differing(cached.changes, changes)];
  const structural = all.filter((one) => isStructural(one, watching));
  const moved = all.filter((one) => isCounted(one, watching)).length;
  const files0 = sum(new Map(cached.survey.counts));
  told.changed = [...new Set(structural.map(({ path }) => path))].toSorted();
  const counts = `${plural(told.changed.length, "watched file")} changed, ${plural(moved, "file")} of ${files0} came or went`;
  told.step("changes", counts);
  // So many files cannot move a share by more than their own.
  if (structural.length === 0 && moved < driftMax * files0) {
    return { decision: told.end("fresh", "no file changed that a profile rests on") };
  }
  if (moved < driftMax * files0 && (await sayTheSame(structural, cached, { root, files, index }))) {
    told.step("files", `${plural(told.changed.length, "file")} read again: nothing new in them`);
    return { decision: told.end("fresh", "the changed files say the same as before") };
  }
  return { state, changed: new Set(all.map(({ path }) => path)) };
};

/**
 * Whether all these are files that were read before, are still there, and say what they said then. The
 * cache is not moved on by this: what was read now need not be what the tree has.
 */
const sayTheSame = async (
  changes: readonly Change[],
  { survey }: CachedProfile,
  { root, files, index }: Pick<Place, "root" | "files" | "index">,
): Promise<boolean> => {
  const before = new Map(survey.read.map((one) => [one.path, one]));
  for (const { path, kind } of changes) {
    const known = before.get(path);
    if (kind !== "changed" || known === undefined || !isRead(path, index)) return false;
    const bytes = readBounded(`${root}/${path}`, limits.profileManifestBytesMax, files);
    if (typeof bytes === "string") return false;
    const now = storeRead({
      path,
      digest: known.digest,
      ...(await evidenceOfFile(path, bytes, index)),
    });
    if (JSON.stringify(now) !== JSON.stringify(known)) return false;
  }
  return true;
};

const compareContents = async (
  cached: CachedProfile,
  place: Place,
  told: Told,
  { state, changed }: Handed,
): Promise<Decision> => {
  const readable = cached.survey.read.filter(({ digest }) => digest.startsWith("sha256:"));
  const stored = new Map(
    readable
      .filter(({ path }) => changed !== undefined && !changed.has(path))
      .map((one) => [one.path, one]),
  );
  const look = await lookThrough(place, state, (path) => {
    const one = stored.get(path);
    return one && knownFile(one);
  });
  const { survey } = look;
  const before = restoreSurvey(cached.survey);
  const [linesBefore, linesNow] = [evidenceLines(before), evidenceLines(survey)];
  const evidenceDigest = linesDigest(linesNow);
  const drift = driftBetween(before.layout, survey.layout);
  told.now = { ...told.now, source: survey.source, evidenceDigest };
  const read = survey.read.filter(({ path }) => !stored.has(path)).length;
  const moved = `${(drift * 100).toFixed(1)} points`;
  told.step("evidence", `${plural(read, "file")} read again; shares moved by ${moved}`);
  const unsure = unprovable(survey, new Set(readable.map(({ path }) => path)));
  if (unsure !== undefined) return { ...told.end("unknown", unsure), look };
  const delta = deltaOf(linesBefore, linesNow);
  if (evidenceDigest !== cached.evidenceDigest) {
    const what = plural(delta.added.length + delta.removed.length, "piece");
    return { ...told.end("stale", `${what} of evidence came or went`, delta), look };
  }
  if (drift >= driftMax) {
    return { ...told.end("stale", `a share of the files moved by ${moved}`), look };
  }
  const confirmed = await confirmLook(place, look);
  told.step("again", confirmed ? "nothing changed meanwhile" : "files changed meanwhile");
  if (confirmed) return { ...told.end("fresh", "the evidence is the same"), look: confirmed };
  const why = "the files keep changing while they are looked at";
  return { ...told.end("unknown", why), isMoved: true };
};

/** Why the absence of a difference would prove nothing. */
const unprovable = (survey: Survey, readBefore: ReadonlySet<string>): string | undefined => {
  if (!survey.isComplete) {
    const note = survey.notes.find(({ path }) => path === ".") ?? survey.notes[0];
    return `not all files could be looked at${note ? `: ${note.message}` : ""}`;
  }
  const lost = survey.read.find(
    ({ path, digest }) => digest.startsWith("not read (") && readBefore.has(path),
  );
  return lost && `${lost.path} was ${lost.digest}`;
};

/** What users of a profile go by. */
const outcomeOf = ({ domains, primary, packages }: Omit<Profile, "evidence">): string[] => [
  ...domains.map(({ name, state }) => `${name} ${state}`),
  ...(primary === null ? [] : [`${primary} primary`]),
  ...packages.flatMap((one) => (one.primary === null ? [] : [`${one.primary} in ${one.path}`])),
];

const deltaOf = (before: readonly string[], now: readonly string[]): Delta => {
  const [known, present] = [new Set(before), new Set(now)];
  return {
    added: now.filter((one) => !known.has(one)).slice(0, limits.profileExplainedMax),
    removed: before.filter((one) => !present.has(one)).slice(0, limits.profileExplainedMax),
  };
};
