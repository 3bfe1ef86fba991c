/** What the gate would have said: the file as the last commit had it, against what it is now. */
import { join } from "node:path";
import type { Clock } from "../../../base/clock.ts";
import { errnoOf, type Files } from "../../../base/files.ts";
import type { Git } from "../../../git/index.ts";
import type { Gate, Write } from "../../../gate/index.ts";
import { ringLimits } from "./ring-limits.ts";
import type { UngatedWrite } from "./types.ts";
import { contentInCommit, readPlain } from "./worktree-state.ts";

export interface JudgeOptions {
  readonly judge: Gate["judge"];
  readonly root: string;
  readonly head: string | null;
  readonly git: () => Git;
  readonly files: Files;
  readonly clock: Clock;
  /** Its time limit. */
  readonly ms?: number;
  /** Names are looked up, too: it takes longer, and no tool waits for it. */
  readonly isWhole?: boolean;
  /** Larger files are not judged. */
  readonly bytesMax?: number;
}

/** By path. A file that is in neither was judged, and nothing is wrong with it. */
export interface UngatedVerdict {
  readonly problems: ReadonlyMap<string, UngatedWrite["problems"]>;
  /** Why nothing is known about it. */
  readonly notJudged: ReadonlyMap<string, NotJudged>;
}

export interface NotJudged {
  readonly why: string;
  /** For want of time or room: asked again later, it may be judged. */
  readonly ranOut: boolean;
}

/** Never throws: what cannot be judged, or not in time, is not judged, and says why. */
export const judgeUngated = async (
  paths: readonly string[],
  options: JudgeOptions,
): Promise<UngatedVerdict> => {
  const { clock, ms = ringLimits.judgeMs } = options;
  const asked = paths.slice(0, ringLimits.judgedFilesMax);
  const tooMany: NotJudged = {
    why: `${ringLimits.judgedFilesMax} files are judged at once; the commit judges all`,
    ranOut: false,
  };
  const over = paths.slice(ringLimits.judgedFilesMax).map((path) => [path, tooMany] as const);
  const timeUp = new AbortController();
  const late = clock.sleep(ms, timeUp.signal).then((): UngatedVerdict => {
    return notJudgedAtAll(asked, `judging took longer than ${ms / 1000} s`);
  });
  try {
    const { problems, notJudged } = await Promise.race([judgeAll(asked, options), late]);
    return { problems, notJudged: new Map([...notJudged, ...over]) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const { problems, notJudged } = notJudgedAtAll(asked, why);
    return { problems, notJudged: new Map([...notJudged, ...over]) };
  } finally {
    timeUp.abort();
  }
};

const notJudgedAtAll = (paths: readonly string[], why: string): UngatedVerdict => ({
  problems: new Map(),
  notJudged: new Map(paths.map((path) => [path, { why, ranOut: true }])),
});

const judgeAll = async (
  paths: readonly string[],
  options: JudgeOptions,
): Promise<UngatedVerdict> => {
  const { judge, head, isWhole = false, bytesMax = ringLimits.judgedBytesMax } = options;
  const writes: Write[] = [];
  const tree: Record<string, Uint8Array> = { __proto__: null as never };
  const notJudged = new Map<string, NotJudged>();
  for (const path of paths) {
    const after = contentNow(path, options);
    if (after === undefined) continue;
    if (typeof after === "string" || after.length > bytesMax) {
      const large = `it is larger than ${Math.floor(bytesMax / 1024 / 1024)} MB; the commit judges it`;
      notJudged.set(path, { why: typeof after === "string" ? after : large, ranOut: false });
      continue;
    }
    const before = head === null ? undefined : await contentInCommit(options.git(), head, path);
    if (before !== undefined) tree[path] = before;
    writes.push({ path, before: before ?? null, after });
  }
  const problems = new Map<string, UngatedWrite["problems"]>();
  if (writes.length === 0) return { problems, notJudged };
  // A tree that is handed in: claims and what the actor has seen are not asked, only what the files hold.
  const { reasons } = await judge({ writes, files: { ...tree } }, { isWritten: isWhole });
  for (const { path, code, message } of reasons) {
    problems.set(path, [...(problems.get(path) ?? []), { code, message }]);
  }
  return { problems, notJudged };
};

/** Undefined: deleted, or a link: there is no content to judge. A text says why it cannot be read. */
const contentNow = (path: string, { root, files }: JudgeOptions): Buffer | string | undefined => {
  try {
    return readPlain(join(root, path), files) ?? "it is too large, or not a regular file";
  } catch (error) {
    const code = errnoOf(error);
    return code === "ENOENT" || code === "ELOOP" ? undefined : `it cannot be read (${code})`;
  }
};
