import { basename, join } from "node:path";
import { type Liveness, probe, type ProcessIdentity } from "../base/process-identity.ts";
import { openFlags } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";
import { removeFile, closeQuietly } from "../base/open-file.ts";
import { openDirectory } from "./directory.ts";
import { type HeldTarget, tryHoldTarget } from "./held-target.ts";
import {
  type CorruptFinding,
  type Judge,
  type Judgement,
  judgeTarget,
  type TemporaryFinding,
  expectedKind,
} from "./judgement.ts";
import { resolvePorts, type StatePorts } from "./ports.ts";
import { corruptPath, keepCorrupt, quarantine } from "./quarantine.ts";
import { nameTemporary } from "./name-temporary.ts";
import { type ScannedTarget, scanState } from "./scan.ts";
import { step } from "./state-failure.ts";
import { waitTurn } from "./turn.ts";
import { type ContentRules, loadValidator } from "./validation.ts";

export interface RecoveryOptions extends StatePorts {
  /** What a file's content must be beyond its kind. */
  readonly rulesOf?: (path: string) => ContentRules;
  /** Temporaries everywhere below this folder are looked at as well. */
  readonly below?: string;
  readonly waitMs?: number;
  readonly probe?: (identity: ProcessIdentity) => Liveness;
}

export interface StateReport {
  /** No file is corrupt and no temporary is left over; one of a live writer is no left-over. */
  readonly isClean: boolean;
  readonly temporaries: readonly TemporaryFinding[];
  readonly corrupt: readonly (CorruptFinding & { readonly quarantine?: string })[];
  /** Files that could not be read or recovered; the others were all the same. */
  readonly failures: readonly StateFailure[];
}

export interface StateFailure {
  readonly path: string;
  readonly error: HeadgateError;
}

/** Lists temporaries and corrupt files with the decision `recoverState` would take. Changes nothing. */
export const checkState = async (
  paths: readonly string[],
  options: RecoveryOptions = {},
): Promise<StateReport> => {
  const ports = resolvePorts(options);
  const targets = scanState(ports.files, paths, options.below);
  const judge = await createJudge(targets, options);
  return forEachTarget(targets, (scanned) => {
    const directory = openDirectory(ports.files, scanned.directory);
    try {
      return judgeTarget(judge, scanned, directory.at);
    } finally {
      directory.close();
    }
  });
};

/**
 * Carries the decisions out, each file under its lock and judged again there. Every step leaves a
 * state from which a second run comes to the same end, so it may itself be killed at any point.
 */
export const recoverState = async (
  paths: readonly string[],
  options: RecoveryOptions = {},
): Promise<StateReport> => {
  const ports = resolvePorts(options);
  const targets = scanState(ports.files, paths, options.below);
  const judge = await createJudge(targets, options);
  return forEachTarget(targets, (scanned, path) => {
    const waiting = { ...ports, path, waitMs: options.waitMs };
    return waitTurn(waiting, () => recoverTarget(ports, judge, scanned, path));
  });
};

type Recovered = Judgement & { readonly quarantine?: string };

/** One file that cannot be read or changed must not keep the others from being recovered. */
const forEachTarget = async (
  targets: readonly ScannedTarget[],
  use: (scanned: ScannedTarget, path: string) => Recovered | Promise<Recovered>,
): Promise<StateReport> => {
  const judgements: Recovered[] = [];
  const failures: StateFailure[] = [];
  for (const scanned of targets) {
    const path = join(scanned.directory, scanned.target ?? scanned.temporaries[0]?.file ?? "");
    try {
      judgements.push(await use(scanned, path));
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
      failures.push({ path, error });
    }
  }
  return { ...toReport(judgements), failures };
};

const createJudge = async (
  targets: readonly ScannedTarget[],
  options: RecoveryOptions,
): Promise<Judge> => {
  const ports = resolvePorts(options);
  const { rulesOf = () => ({}) } = options;
  const kinds = targets.map((scanned) => {
    const { directory, target = "" } = scanned;
    const rules: ContentRules = rulesOf(join(directory, target));
    return rules.kind ?? expectedKind(scanned);
  });
  return {
    files: ports.files,
    nowWallMs: ports.clock.wallMs(),
    own: ports.owner,
    probe: options.probe ?? probe,
    validate: await loadValidator(kinds),
    rulesOf,
  };
};

const toReport = (judgements: readonly Recovered[]): Omit<StateReport, "failures"> => {
  const temporaries = judgements.flatMap((one) => one.temporaries);
  const corrupt = judgements.flatMap(({ corrupt: one, quarantine: path }) => {
    if (!one) return [];
    return [path === undefined ? one : { ...one, quarantine: path }];
  });
  const isClean = corrupt.length === 0 && temporaries.every(({ owner }) => owner.state === "alive");
  return { isClean, temporaries, corrupt };
};

const recoverTarget = (
  ports: Required<StatePorts>,
  judge: Judge,
  scanned: ScannedTarget,
  path: string,
): Recovered | undefined => {
  const held = tryHoldTarget(ports.files, path);
  if (!held) return undefined;
  try {
    const judgement = judgeTarget(judge, scanned, held.directory.at);
    const promoted = judgement.temporaries.find(({ decision }) => decision.action === "promote");
    let aside: string | undefined;
    if (promoted) {
      const result = promote(ports, held, promoted, judgement.corrupt !== undefined);
      // Somebody created the missing file just now: judge again.
      if (!result.isDone) return undefined;
      aside = result.keptAs;
    } else if (judgement.corrupt?.decision.action === "quarantine") aside = quarantine(ports, held);
    for (const { path: temporary, decision } of judgement.temporaries) {
      if (decision.action === "discard") discard(ports, held, temporary);
    }
    return aside === undefined ? judgement : { ...judgement, quarantine: corruptPath(held, aside) };
  } finally {
    held.release();
  }
};

/** The dead writer may have been killed before its sync and before the mode was set: both are done here. */
const promote = (
  ports: Required<StatePorts>,
  held: HeldTarget,
  finding: TemporaryFinding,
  isCorrupt: boolean,
): { readonly isDone: boolean; readonly keptAs: string | undefined } => {
  const { files } = ports;
  const { path } = held;
  const temporary = held.directory.at(basename(finding.path));
  const fd = step("read the file", path, () =>
    files.open(temporary, openFlags.read | openFlags.noFollow),
  );
  let stats;
  try {
    stats = step("read the file", path, () => files.statHandle(fd));
    const mode = (held.stats?.mode ?? 0o600) & 0o777;
    if ((stats.mode & 0o777) === 0o600 && mode !== 0o600) {
      step("set the mode", path, () => files.chmod(fd, mode));
    }
    step("sync the content", path, () => files.sync(fd));
  } finally {
    closeQuietly(files, fd);
  }
  const kept = isCorrupt ? keepCorrupt(ports, held) : undefined;
  const isDone = nameTemporary(
    ports,
    { ...held, isExclusive: held.isExclusive && kept?.isMoved !== true },
    {
      temporary,
      stats,
      durability: "required",
      isKeptOnFailure: true,
    },
  );
  return { isDone, keptAs: kept?.name };
};

const discard = ({ files }: Required<StatePorts>, held: HeldTarget, path: string): void => {
  step("remove the temporary file", path, () =>
    removeFile(files, held.directory.at(basename(path))),
  );
};
