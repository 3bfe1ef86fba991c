/** Names, in a commit, the authors of edits that went along with an agent's or were there before, and the open ends that it holds. */
import { resolve } from "node:path";
import { keepTrailers } from "../../git/index.ts";
import { systemFiles } from "../../base/files.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import { readPlan } from "./commit-plan.ts";
import type { HookContext } from "./hook-context.ts";
import { takeOpenEnds } from "./open-ends.ts";
import { type HookOutcome, passed } from "./refusal.ts";

export const commitMessage = async (context: HookContext): Promise<HookOutcome> => {
  const [file] = context.args;
  if (file === undefined) return passed();
  const plan = readPlan(context);
  const along = [...(plan?.amended?.carried ?? []), ...(plan?.carried ?? [])];
  const actors = plan && along.length > 0 ? [...new Set([plan.actor, ...along])] : [];
  const open = takeOpenEnds(context);
  const rest = open.length - openMax;
  const trailers = [
    ...actors.map((actor) => `Headgate-Actor: ${oneLine(actor)}`),
    ...open.slice(0, openMax).map((text) => `Headgate-Open: ${text}`),
    ...(rest > 0 ? [`Headgate-Open: ${rest} more`] : []),
  ];
  if (trailers.length === 0) return passed();
  const path = resolve(context.headgate.repository.worktree, file);
  const message = readContent(path, systemFiles)?.toString("utf8") ?? "";
  const { written, help } = splitMessage(message, await commentMark(context));
  // Who leaves the message empty in an editor gives the commit up, and must be able to.
  if (written.trim() === "") return passed();
  const text = keepTrailers(written, trailers.join("\n")) + help;
  await writeFileAtomic(path, text, { durability: "cache" });
  return passed();
};

/** Git shows help below the message in an editor, and takes it away again. */
const splitMessage = (message: string, mark: string) => {
  const lines = message.split(/^/m);
  const isHelp = (line: string): boolean =>
    line.startsWith(mark) && /^(?:\s|$)/.test(line.slice(mark.length));
  const scissors = lines.findIndex((line) => isHelp(line) && / -+ >8 -+\n?$/.test(line));
  let end = scissors === -1 ? lines.length : scissors;
  while (end > 0 && (isHelp(lines[end - 1] ?? "") || lines[end - 1]?.trim() === "")) end -= 1;
  return { written: lines.slice(0, end).join(""), help: lines.slice(end).join("") };
};

const commentMark = async ({ git }: HookContext): Promise<string> => {
  const { stdout } = await git.run({
    args: ["config", "--get", "core.commentChar"],
    okCodes: [0, 1],
  });
  const mark = stdout.toString().trim();
  return mark === "" || mark === "auto" ? "#" : mark;
};

/** A message is for people; `headgate ci` lists all of them. */
const openMax = 10;

/** A name may hold anything; a trailer is one line. */
const oneLine = (actor: string): string => actor.replaceAll(/[\r\n]+/g, " ");
