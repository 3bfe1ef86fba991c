import { join } from "node:path";
import { errnoOf, type Files } from "../base/files.ts";
import { type Liveness, type ProcessIdentity } from "../base/process-identity.ts";
import { contentHash } from "./content-hash.ts";
import type { Problem } from "./problem.ts";
import { readContentAt } from "./read-content.ts";
import { step } from "./state-failure.ts";
import type { ScannedTarget, ScannedTemporary } from "./scan.ts";
import { baseMark, contentMark, identityOf, type OwnerMark } from "./temporary-name.ts";
import { type ContentKind, type ContentRules, kindOf, type Validator } from "./validation.ts";

export interface Decision {
  readonly action: "promote" | "discard" | "leave" | "quarantine";
  readonly reason: string;
}

export interface TemporaryFinding {
  readonly path: string;
  readonly target: string | null;
  readonly owner: { readonly pid: number } & Liveness;
  readonly ageMs: number;
  readonly bytes: number;
  /** The content is the one its writer meant, to the last byte. */
  readonly isComplete: boolean;
  /** Why a complete content is not valid for its kind. */
  readonly problem: Problem | null;
  readonly decision: Decision;
}

export interface CorruptFinding {
  readonly path: string;
  readonly kind: ContentKind;
  readonly problem: Problem;
  readonly decision: Decision;
}

export interface Judgement {
  readonly temporaries: readonly TemporaryFinding[];
  readonly corrupt: CorruptFinding | undefined;
}

export interface Judge {
  readonly files: Files;
  readonly nowWallMs: number;
  readonly own: ProcessIdentity;
  readonly probe: (identity: ProcessIdentity) => Liveness;
  readonly validate: Validator;
  readonly rulesOf: (path: string) => ContentRules;
}

/** What there is and what should be done about it (S-05). Reads only; `at` reaches names in the folder. */
export const judgeTarget = (
  judge: Judge,
  scanned: ScannedTarget,
  at: (name: string) => string,
): Judgement => {
  const { files } = judge;
  const { target, directory } = scanned;
  const path = target === undefined ? undefined : join(directory, target);
  const present =
    path === undefined || target === undefined ? undefined : readContentAt(files, at(target), path);
  const rules: ContentRules = path === undefined ? {} : judge.rulesOf(path);
  const kind = rules.kind ?? expectedKind(scanned);
  const problem =
    present !== undefined && scanned.isJudged ? judge.validate(present, kind, rules) : undefined;
  const drafts = scanned.temporaries.flatMap((one) => {
    const found = examine(judge, { directory, kind, rules, at, path }, one);
    return found ? [found] : [];
  });
  const situation = { present, isCorrupt: problem !== undefined, hasTarget: path !== undefined };
  const others = scanned.foreign.flatMap((file) =>
    examineForeign(judge, { file, directory, at, path }),
  );
  const temporaries = [...decide(drafts, situation), ...others];
  const corrupt =
    problem && path !== undefined
      ? { path, kind, problem, decision: corruptDecision(temporaries, scanned.isState) }
      : undefined;
  return { temporaries, corrupt };
};

/** Many programs read comments in files named .json; only a state file is held to the letter. */
export const expectedKind = ({ target = "", isState }: ScannedTarget): ContentKind => {
  const kind = kindOf(target);
  return kind === "json" && !isState ? "jsonc" : kind;
};

const corruptDecision = (temporaries: readonly TemporaryFinding[], isState: boolean): Decision => {
  if (!isState) return leave("not known as a state file; name it to have it set aside");
  const isReplaced = temporaries.some(({ decision }) => decision.action === "promote");
  if (isReplaced) {
    const reason = "kept under another name; the finished temporary takes its place";
    return { action: "quarantine", reason };
  }
  const isDoubtful = temporaries.some(
    ({ decision, isComplete, problem }) =>
      decision.action === "leave" && isComplete && problem === null,
  );
  return isDoubtful
    ? leave("a temporary that could take its place is not decided yet")
    : {
        action: "quarantine",
        reason: "kept under another name; no finished temporary can take its place",
      };
};

interface Draft extends Omit<TemporaryFinding, "decision"> {
  readonly base: string;
  readonly hash: string;
  readonly modifiedMs: number;
}

const examine = (
  judge: Judge,
  place: {
    readonly directory: string;
    readonly kind: ContentKind;
    readonly rules: ContentRules;
    readonly path: string | undefined;
    readonly at: (name: string) => string;
  },
  { file, name }: ScannedTemporary,
): Draft | undefined => {
  const { files } = judge;
  const path = join(place.directory, file);
  const stats = step("look at the file", path, () => files.stat(place.at(file)));
  // Gone since the listing, or planted: a link or folder of such a name is not ours.
  if (!stats?.isFile()) return undefined;
  const content = readContentAt(files, place.at(file), path) ?? Buffer.alloc(0);
  const hash = contentHash(content);
  const isComplete = contentMark(hash) === name.content;
  return {
    path,
    target: place.path ?? null,
    owner: { pid: name.owner.pid, ...livenessOf(judge, name.owner) },
    ageMs: Math.max(0, Math.round(judge.nowWallMs - stats.mtimeMs)),
    bytes: content.byteLength,
    isComplete,
    problem: isComplete ? (judge.validate(content, place.kind, place.rules) ?? null) : null,
    base: name.base,
    hash,
    modifiedMs: stats.mtimeMs,
  };
};

/** Of another program: whether it still runs cannot be seen, so it is only named. */
const examineForeign = (
  { files, nowWallMs }: Judge,
  place: {
    readonly file: string;
    readonly directory: string;
    readonly at: (name: string) => string;
    readonly path: string | undefined;
  },
): TemporaryFinding[] => {
  const path = join(place.directory, place.file);
  const stats = step("look at the file", path, () => files.stat(place.at(place.file)));
  if (!stats?.isFile()) return [];
  return [
    {
      path,
      target: place.path ?? null,
      owner: { pid: 0, state: "unknown", evidence: ["made by another program"] },
      ageMs: Math.max(0, Math.round(nowWallMs - stats.mtimeMs)),
      bytes: stats.size,
      isComplete: false,
      problem: null,
      decision: leave("another program made it: keep what you need of it, then remove it"),
    },
  ];
};

/** A question that the system cannot answer leaves the temporary alone, like any doubt. */
const livenessOf = ({ probe, own }: Judge, owner: OwnerMark): Liveness => {
  try {
    return probe(identityOf(owner, own));
  } catch (error) {
    if (!(error instanceof Error) || errnoOf(error) === undefined) throw error;
    return { state: "unknown", evidence: [error.message] };
  }
};

interface Situation {
  readonly present: Buffer | undefined;
  readonly isCorrupt: boolean;
  readonly hasTarget: boolean;
}

const decide = (drafts: readonly Draft[], situation: Situation): TemporaryFinding[] => {
  const candidates = drafts.filter((draft) => refusal(draft, situation) === undefined);
  const newestMs = Math.max(...candidates.map(({ modifiedMs }) => modifiedMs));
  const newest = candidates.filter(({ modifiedMs }) => modifiedMs === newestMs);
  return drafts.map((draft) => {
    const { base: _base, hash: _hash, modifiedMs: _modified, ...finding } = draft;
    const decision =
      refusal(draft, situation) ?? choose(draft, { newest, situation, count: candidates.length });
    return { ...finding, decision };
  });
};

/** Undefined: it may take the target's place. */
const refusal = (draft: Draft, situation: Situation): Decision | undefined => {
  const { owner, isComplete, problem, base, hash } = draft;
  if (owner.state === "alive") return leave(`its process ${owner.pid} still runs`);
  if (owner.state === "unknown") {
    return leave(`whether its process still runs is unknown: ${owner.evidence.join(", ")}`);
  }
  if (!isComplete) return discard("its process died before all of it was written");
  if (!situation.hasTarget) {
    return leave("it is complete, but its name is too long to tell the target: name the file");
  }
  if (problem) return discard(`its content is not valid: ${problem.message}`);
  const presentHash = situation.present && contentHash(situation.present);
  if (hash === presentHash) return discard("the file has this very content already");
  const isOnTop = base === baseMark(presentHash);
  if (isOnTop || situation.isCorrupt || situation.present === undefined) return undefined;
  return discard("the file was changed after it was made: promoting it would undo that");
};

const choose = (
  draft: Draft,
  field: {
    readonly newest: readonly Draft[];
    readonly situation: Situation;
    readonly count: number;
  },
): Decision => {
  const { newest, situation, count } = field;
  if (!newest.includes(draft)) return discard("a newer finished temporary takes the file's place");
  if (newest.length > 1) return leave("several finished temporaries are equally new: choose one");
  let reason = "it is complete and was made on top of the present content";
  if (situation.isCorrupt) reason = "it is complete and the file is corrupt";
  else if (situation.present === undefined) reason = "it is complete and the file is missing";
  return {
    action: "promote",
    reason: count > 1 ? `${reason}; it is the newest of ${count}` : reason,
  };
};

const leave = (reason: string): Decision => ({ action: "leave", reason });
const discard = (reason: string): Decision => ({ action: "discard", reason });
