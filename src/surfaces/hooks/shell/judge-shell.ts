/**
 * Whether a command may run. Refused is only what is certain: writing over what somebody else holds,
 * files that nobody writes by hand, and git commands that would take other actors' uncommitted work away
 * or along. Commands that only read pass without anything being opened.
 */
import { systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { conflictFinding, type Finding, type Reason } from "../../../gate/index.ts";
import { blockersOf } from "./blockers.ts";
import { fileTargets, type FileTarget } from "./file-targets.ts";
import { guardedReason } from "./guarded-effects.ts";
import { judgeGit, judgeRemoval } from "./judge-git.ts";
import { judgePersonal } from "./judge-personal.ts";
import { olderSettings } from "./older-settings.ts";
import { protectedReason } from "./protected-paths.ts";
import { readCommand } from "./read-command.ts";
import { shellLimits } from "./text-cursor.ts";
import type { Effect, GitEffect, ShellContext, ShellJudgement } from "./types.ts";

/** Throws what the store and git throw. */
export const judgeShell = async (
  command: string,
  context: ShellContext,
): Promise<ShellJudgement> => {
  const { shell, cwd, home, files = systemFiles } = context;
  const reading = readCommand(command, { shell, cwd, ...(home !== undefined && { home }) });
  if (reading.tooLarge !== undefined) return { reasons: [tooLarge(reading.tooLarge)], reading };
  const sure = reading.effects.filter((effect) => isSure(effect, files));
  const reached = sure.flatMap((effect) =>
    effect.kind === "git" ? [] : fileTargets(effect, context),
  );
  const targets = reached.filter(({ isSpareTree }) => !isSpareTree);
  const reasons = [
    ...targets.flatMap((target) => protectedReason(target, context) ?? []),
    ...reading.effects
      .filter(
        (effect) => sure.includes(effect) || (effect.isNear === true && isThere(effect, files)),
      )
      .flatMap((effect) => guardedReason(effect, context) ?? []),
  ];
  if (reasons.length > 0) return { reasons, reading };
  const held = await heldByOthers(targets, context);
  if (held.length > 0) return { reasons: held, reading };
  for (const target of reached.filter(({ isSpareTree }) => isSpareTree)) {
    const lost = await judgeRemoval(target, context);
    if (lost) return { reasons: [lost], reading };
  }
  const commands = new Map(sure.filter(isGit).map((effect) => [JSON.stringify(effect), effect]));
  if (commands.size > gitCommandsMax) {
    const why = `it holds ${commands.size} different git commands; ${gitCommandsMax} are the most`;
    return { reasons: [tooLarge(why)], reading };
  }
  for (const effect of commands.values()) {
    const older = await olderSettings(effect, context);
    if (older) return { reasons: [older], reading };
    const found = await judgeGit(effect, context);
    if (found.length > 0) return { reasons: found, reading };
  }
  return { reasons: reading.personal.flatMap((use) => judgePersonal(use, context) ?? []), reading };
};

/** Each takes a look at the working tree. */
const gitCommandsMax = 50;

const isGit = (effect: Effect): effect is GitEffect => effect.kind === "git";

/** A `cd` to nowhere fails, and what follows runs elsewhere or not at all. */
const isThere = ({ folder }: Effect, files: NonNullable<ShellContext["files"]>): boolean =>
  folder === undefined || files.statFollowing(folder)?.isDirectory() === true;

const isSure = (effect: Effect, files: NonNullable<ShellContext["files"]>): boolean =>
  effect.certain && isThere(effect, files);

const heldByOthers = async (
  targets: readonly FileTarget[],
  { claims }: ShellContext,
): Promise<Reason[]> => {
  const wanted = targets.filter(({ changesContent }) => changesContent);
  const reasons: Reason[] = [];
  for (let from = 0; from < wanted.length; from += limits.claimTargetsMax) {
    const part = wanted.slice(from, from + limits.claimTargetsMax);
    const blockers = await blockersOf(
      part.map(({ absolute, extent }) => ({ path: absolute, extent })),
      claims,
    );
    reasons.push(...blockers.map((one) => asReason(conflictFinding(one, part[0]?.path ?? ""))));
    if (reasons.length > 0) break;
  }
  return reasons;
};

/** Without the level, which is for those who gather findings. */
const asReason = ({ code, path, message, remedy, symbol }: Finding): Reason => ({
  code,
  path,
  message,
  remedy,
  ...(symbol !== undefined && { symbol }),
});

const tooLarge = (why: string): Reason => ({
  code: "INPUT_TOO_LARGE",
  path: "",
  message: `The command cannot be judged: ${why}.`,
  remedy: `Run it in parts: at most ${shellLimits.commandsMax} commands and ${shellLimits.textLengthMax} characters at once.`,
});
