/**
 * Judges in the background what was written unjudged: each file as it is now, against the last commit, which
 * is what the commit will be judged by. Its writer gets to know the result with its next hook.
 */
import { join } from "node:path";
import { isoTime } from "../../../base/clock.ts";
import { showText } from "../../../base/text.ts";
import { contentHash } from "../../../state/index.ts";
import type { UnjudgedWrite, UnjudgedWrites } from "../../unjudged/index.ts";
import { type JudgeOptions, judgeUngated, type UngatedVerdict } from "./judge-ungated.ts";
import { ringLimits } from "./ring-limits.ts";
import { readPlain } from "./worktree-state.ts";

export interface SettleOptions extends Omit<JudgeOptions, "head"> {
  readonly register: UnjudgedWrites;
  readonly head: () => Promise<string | null>;
  say(actor: string, text: string): Promise<void>;
}

/** Those that were settled now. */
export const settleUnjudged = async (options: SettleOptions): Promise<readonly UnjudgedWrite[]> => {
  const { register, root } = options;
  const written = register.waiting(root).filter((one) => isWritten(one, options));
  if (written.length === 0) return [];
  const paths = [...new Set(written.map(({ path }) => path))].slice(0, ringLimits.judgedFilesMax);
  const verdict = await judgeUngated(paths, {
    ...options,
    head: await options.head(),
    isWhole: true,
    bytesMax: ringLimits.hashedFileBytesMax,
  });
  const settled: UnjudgedWrite[] = [];
  for (const one of written) {
    if (!paths.includes(one.path)) continue;
    if (verdict.notJudged.has(one.path)) await remind(one, options);
    else if (await settleOne(one, verdict, options)) settled.push(one);
  }
  return settled;
};

/** A client may ask a person first, and may not write at all. */
const isWritten = (
  one: UnjudgedWrite,
  { root, files, clock, register }: SettleOptions,
): boolean => {
  const { before, after, path, atMs } = one;
  if (before === after || hashNow(join(root, path), files) !== before) return true;
  if (atMs < clock.wallMs() - ringLimits.admissionMs) register.drop(one);
  return false;
};

const hashNow = (absolute: string, files: SettleOptions["files"]): string | null => {
  try {
    const content = readPlain(absolute, files);
    return content ? contentHash(content) : null;
  } catch {
    return null;
  }
};

const settleOne = async (
  one: UnjudgedWrite,
  { problems }: UngatedVerdict,
  { register, say }: SettleOptions,
): Promise<boolean> => {
  const [first, ...more] = problems.get(one.path) ?? [];
  if (!(await register.settle(one, first ? "refused" : "passed"))) return false;
  const others = more.length > 0 ? ` (${more.length} more)` : "";
  const result = first
    ? `Judged now, the gate would have refused it: ${first.code} ${showText(first.message, 200)}${others}. Repair it: a commit with it is refused.`
    : "Judged now: no problems.";
  await say(one.actor, `${introduce(one)} ${result}`);
  return true;
};

/** Once, for clients that cannot show a word with a tool that is let through. */
const remind = async (one: UnjudgedWrite, { register, say }: SettleOptions): Promise<void> => {
  if (one.isSaid || !(await register.markSaid(one))) return;
  await say(one.actor, `${introduce(one)} It is still not judged; a later hook says the result.`);
};

const introduce = ({ path, atMs, why }: UnjudgedWrite): string =>
  `Headgate: ${showText(path, 120)}, written at ${isoTime(atMs)}, passed unjudged (${showText(why, 120)}).`;
