/** What the agent is told, and the holder of what it wrote. Paths are data: made safe, and few. */
import { plural, showText } from "../../../base/text.ts";
import { forTask, type NearEdit } from "../../../gate/index.ts";
import { ringLimits } from "./ring-limits.ts";
import type { UngatedWrite } from "./types.ts";

const textLengthMax = 1_200;

export const reportText = (
  writes: readonly UngatedWrite[],
  { tool, others }: { readonly tool: string; readonly others: readonly string[] },
): string => {
  const own = writes.filter(({ byGit }) => !byGit);
  const git = writes.filter(({ byGit }) => byGit);
  const lines: string[] = [];
  if (own.length > 0) {
    lines.push(
      `Headgate noticed ${plural(own.length, "file")} written around the gate while ${showText(tool, 40)} ran: ${paths(own)}. Use your edit tool or \`headgate edit\`, so that duplicates and conflicts are seen.`,
    );
  }
  if (git.length > 0) {
    lines.push(`Headgate noticed ${plural(git.length, "file")} changed by git: ${paths(git)}.`);
  }
  const held = writes.filter(({ holders }) => holders.length > 0);
  for (const { path, holders } of held.slice(0, ringLimits.shownPathsMax)) {
    const who = holders.slice(0, 3).map((one) => showText(one, 80));
    lines.push(`${showText(path)} is claimed by ${who.join(", ")}: put it back or ask them.`);
  }
  const broken = writes.filter(({ problems }) => problems.length > 0);
  for (const { path, problems } of broken.slice(0, ringLimits.shownPathsMax)) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (${problems.length - 1} more)` : "";
    lines.push(
      `The gate would have refused ${showText(path)}: ${first?.code} ${showText(first?.message ?? "", 160)}${more}`,
    );
  }
  const unknown = writes.filter(({ notJudged }) => notJudged !== undefined);
  if (unknown.length > 0) {
    lines.push(
      `Not judged: ${paths(unknown)} (${showText(unknown[0]?.notJudged ?? "", 160)}). This does not mean that it is right.`,
    );
  }
  if (others.length > 0) {
    const who = others.slice(0, 3).map((one) => showText(one, 80));
    lines.push(`Tools of ${who.join(", ")} ran at the same time; some of it may be theirs.`);
  }
  return shorten(lines.join("\n"));
};

export const notComparedText = (tool: string, why: string): string =>
  `Headgate did not look for files that ${showText(tool, 40)} wrote around the gate: ${showText(why, 200)}. It says so once.`;

export const holderText = (
  writes: readonly UngatedWrite[],
  { actor, tool, at }: { readonly actor: string; readonly tool: string; readonly at: string },
): string =>
  shorten(
    `Headgate: ${paths(writes)}, claimed by you, changed at ${at} while ${showText(tool, 40)} of ${showText(actor, 120)} ran, around the gate. Read it again before you edit it.`,
  );

const paths = (writes: readonly UngatedWrite[]): string => {
  const shown = writes.slice(0, ringLimits.shownPathsMax).map(({ path, after }) => {
    const name = showText(path, 120);
    return after === null ? `${name} (deleted)` : name;
  });
  const more = writes.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
};

const shorten = (text: string): string =>
  text.length > textLengthMax ? `${text.slice(0, textLengthMax - 1)}…` : text;

/** For the writer; its edit passed. */
export const nearText = ({ target, actor, task, elsewhere }: NearEdit): string => {
  const who = `Headgate: ${showText(actor)} has uncommitted changes`;
  const what = `${showText(target)}${forTask(task)}`;
  return elsewhere === undefined
    ? `${who} in or next to ${what}. Your edit passed: the lines do not meet. Keep to your own part.`
    : `${who} in ${what}, in another worktree (${showText(elsewhere)}). Your edit passed; the two meet when they are merged.`;
};
