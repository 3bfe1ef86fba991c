/** Commits that no hook judged, in git's own hooks: judged first, then refused or noted as far as they are still wrong. */
import type { Reason } from "../../gate/index.ts";
import { commitOf, type Change } from "../../git/index.ts";
import type { HookContext } from "./hook-context.ts";
import { isHeadNew, judgeLate, lateText, type LateCommit, stillBroken } from "./late-commits.ts";
import { commitsOwnLines } from "./narrow.ts";

/** A line for each commit that was judged now. */
export const noteLate = async (context: HookContext, tip?: string): Promise<string[]> => {
  if (tip === undefined && !isHeadNew(context.headgate.repository)) return [];
  const found = await judgeLate(context, tip === undefined ? {} : { tip });
  // `checkLate` names those with problems.
  return found
    .filter(({ problems }) => problems.length === 0)
    .slice(0, notesMax)
    .map((one) => `headgate: note: ${lateText(one)}`);
};

/**
 * Problems of such commits that are still there. Refused to the session that made them; where no hook saw who did, to
 * an agent whose client has none. Any other may be a person's: that is a note.
 */
export const checkLate = async (
  context: HookContext,
  {
    tip,
    changesFrom,
    isPush = false,
  }: {
    readonly tip: string | undefined;
    changesFrom(base: string): Promise<Change[]>;
    readonly isPush?: boolean;
  },
): Promise<{ readonly reasons: readonly Reason[]; readonly notes: readonly string[] }> => {
  const commit = tip ?? (await commitOf(context.git, "HEAD"));
  if (commit === undefined) return nothing;
  const broken = await stillBroken(context, { tip: commit, changesFrom });
  if (broken.length === 0) return nothing;
  const { actor } = context.headgate.claims;
  const isAgent = commitsOwnLines(actor);
  const isSeen = (await context.headgate.lines.presence()).has(actor.session);
  const isOwn = ({ by }: LateCommit): boolean =>
    isAgent && (by.length === 0 ? !isSeen : isPush || by.includes(actor.session));
  return {
    reasons: broken
      .filter(({ late }) => isOwn(late))
      .flatMap(({ late, reasons }) => reasons.map((reason) => withCommit(reason, late))),
    notes: broken
      .filter(({ late }) => !isOwn(late))
      .slice(0, notesMax)
      .map(({ late }) => `headgate: note: ${lateText(late)}`),
  };
};

const withCommit = (reason: Reason, { commit }: LateCommit): Reason => ({
  ...reason,
  message: `${reason.message} (commit ${commit.slice(0, 10)}, made without git's hooks)`,
  remedy: `${reason.remedy} A commit that repairs it passes.`,
});

const nothing = { reasons: [], notes: [] };
const notesMax = 5;
