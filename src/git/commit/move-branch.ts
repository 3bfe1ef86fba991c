/**
 * The moment a prepared commit becomes visible: the branch moves by compare-and-swap. Git locks it and asks the
 * user's reference-transaction hook first; only then, while the caller's claims are held, it gets the word.
 */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { firstWords, lastLines, type WritingGit } from "../writing-git.ts";
import { type PreparedCommit, whyReadOnly } from "./prepare-commit.ts";

export interface MoveOptions {
  /** For the reflog. */
  readonly note: string;
  /** Calls `act` while nothing can take the caller's claims away, or says why it may not. */
  whileHeld?(act: () => void): Promise<HeldAnswer>;
  readonly timeoutMs?: number;
}

export type HeldAnswer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type Moved =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /**
       * moved: another commit came first. locked: another git has the branch for a moment. fence: `whileHeld`
       * refused. hook: a hook did, or git for a reason of its own. Nothing happened in any case.
       */
      readonly why: "moved" | "locked" | "fence" | "hook" | "read-only";
      readonly reason: string;
      readonly lines: readonly string[];
    };

/** Moves `head.branch`, or HEAD itself where no branch is checked out. Throws GIT_MISSING, GIT_FAILED. */
export const moveBranch = async (
  git: WritingGit,
  { commit, head }: Pick<PreparedCommit, "commit" | "head">,
  { note, whileHeld = justAct, timeoutMs = limits.commitHookMs }: MoveOptions,
): Promise<Moved> => {
  const talk = git.converse({ args: ["update-ref", "-m", note, "--stdin"], timeoutMs });
  const old = head.commit ?? "0".repeat(commit.length);
  talk.say(`start\nupdate ${head.branch} ${commit} ${old}\nprepare\n`);
  for (const wanted of ["start: ok", "prepare: ok"]) {
    if ((await talk.hear()) === wanted) continue;
    return whyNotMoved(git, { commit, head }, await talk.end());
  }
  const held = await whileHeld(() => talk.say("commit\n"));
  if (!held.ok) {
    talk.say("abort\n");
    await talk.end();
    return { ok: false, why: "fence", reason: held.reason, lines: [] };
  }
  const isSaid = (await talk.hear()) === "commit: ok";
  const { stderr, code } = await talk.end();
  if (isSaid || (await readRef(git, head.branch)) === commit) return { ok: true };
  throw new HeadgateError("GIT_FAILED", `git update-ref: ${firstWords(lastLines(stderr), code)}`);
};

const justAct = async (act: () => void): Promise<HeldAnswer> => {
  act();
  return { ok: true };
};

/** By where the branch is now; git's own words decide only when it has not moved. */
const whyNotMoved = async (
  git: WritingGit,
  { commit, head }: Pick<PreparedCommit, "commit" | "head">,
  { stderr, code }: { readonly stderr: string; readonly code: number },
): Promise<Moved> => {
  const lines = lastLines(stderr);
  const reason = firstWords(lines, code);
  const present = await readRef(git, head.branch);
  if (present === commit) return { ok: true };
  if (present !== head.commit) return { ok: false, why: "moved", reason, lines };
  const readOnly = whyReadOnly(lines);
  if (readOnly !== undefined) return { ok: false, why: "read-only", reason: readOnly, lines };
  const isLocked = /unable to create .*\.lock|cannot lock ref/i.test(lines.join(" "));
  return { ok: false, why: isLocked ? "locked" : "hook", reason, lines };
};

const readRef = async (git: WritingGit, ref: string): Promise<string | undefined> => {
  const { code, stdout } = await git.ask({ args: ["rev-parse", "--quiet", "--verify", ref] });
  return code === 0 ? stdout.trim() : undefined;
};
