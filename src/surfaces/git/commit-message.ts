/** Names, in an agent's commit, the authors of edits that went along with it. */
import { resolve } from "node:path";
import { keepTrailers } from "../../git/index.ts";
import { systemFiles } from "../../base/files.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import { readPlan } from "./commit-plan.ts";
import type { HookContext } from "./hook-context.ts";
import { type HookOutcome, passed } from "./refusal.ts";

export const prepareCommitMessage = async (context: HookContext): Promise<HookOutcome> => {
  const [file] = context.args;
  const plan = readPlan(context);
  if (file === undefined || !plan || plan.carried.length === 0) return passed();
  const path = resolve(context.headgate.repository.worktree, file);
  const message = readContent(path, systemFiles)?.toString("utf8") ?? "";
  const trailers = [plan.actor, ...plan.carried].map(
    (actor) => `Headgate-Actor: ${oneLine(actor)}`,
  );
  await writeFileAtomic(path, keepTrailers(message, trailers.join("\n")), { durability: "cache" });
  return passed();
};

/** A name may hold anything; a trailer is one line. */
const oneLine = (actor: string): string => actor.replaceAll(/[\r\n]+/g, " ");
