/** Names, in a commit, the authors of edits that went along with an agent's, and the open ends that it holds. */
import { resolve } from "node:path";
import { keepTrailers } from "../../git/index.ts";
import { systemFiles } from "../../base/files.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import { readPlan } from "./commit-plan.ts";
import type { HookContext } from "./hook-context.ts";
import { takeOpenEnds } from "./open-ends.ts";
import { type HookOutcome, passed } from "./refusal.ts";

export const prepareCommitMessage = async (context: HookContext): Promise<HookOutcome> => {
  const [file] = context.args;
  if (file === undefined) return passed();
  const plan = readPlan(context);
  const actors = plan && plan.carried.length > 0 ? [plan.actor, ...plan.carried] : [];
  const open = takeOpenEnds(context);
  const rest = open.length - openMax;
  const trailers = [
    ...actors.map((actor) => `Headgate-Actor: ${oneLine(actor)}`),
    ...open.slice(0, openMax).map((text) => `Headgate-Open: ${text}`),
    ...(rest > 0 ? [`Headgate-Open: ${rest} more`] : []),
  ];
  const path = resolve(context.headgate.repository.worktree, file);
  const message = readContent(path, systemFiles)?.toString("utf8") ?? "";
  // Still to be written, in an editor: who leaves it empty gives the commit up, and must be able to.
  const isEmpty = message.split("\n").every((line) => line === "" || line.startsWith("#"));
  if (trailers.length === 0 || isEmpty) return passed();
  await writeFileAtomic(path, keepTrailers(message, trailers.join("\n")), { durability: "cache" });
  return passed();
};

/** A message is for people; `headgate ci` lists all of them. */
const openMax = 10;

/** A name may hold anything; a trailer is one line. */
const oneLine = (actor: string): string => actor.replaceAll(/[\r\n]+/g, " ");
