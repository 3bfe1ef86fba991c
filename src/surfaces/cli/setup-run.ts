/** What `init` and `uninstall` have in common: the place, the answer of a person, and how a plan looks. */
import { relative } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { hookScripts } from "../../base/hook-line.ts";
import { plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import type { GitHookChange } from "../git/index.ts";
import {
  allClients,
  type PlannedFile,
  planDiff,
  type Plan,
  type SetupPlace,
} from "../setup/index.ts";
import { noTerminal } from "./arguments.ts";
import type { CommandContext, Option } from "./command.ts";
import { alignedLines } from "./table.ts";

export const setupOptions: Readonly<Record<string, Option>> = {
  yes: { type: "boolean", short: "y", description: "Write without asking" },
  "dry-run": { type: "boolean", description: "Show what would change; write nothing" },
};

export const placeFor = (headgate: Headgate, { environment }: CommandContext): SetupPlace => ({
  root: headgate.repository.root,
  localDir: headgate.repository.localDir,
  environment,
  files: systemFiles,
});

export interface ShownPlan {
  readonly plan: Plan;
  readonly git: readonly GitHookChange[];
}

export const isNothing = ({ plan, git }: ShownPlan): boolean =>
  plan.files.length === 0 && git.length === 0;

/** A person's yes; thrown: no terminal, or a no. */
export const askFor = async (
  question: string,
  words: string,
  { flags, confirm }: CommandContext,
): Promise<void> => {
  if (flags.has("yes")) return;
  const answer = await confirm(question);
  if (answer === true) return;
  if (answer === undefined) {
    throw noTerminal("write", words);
  }
  throw new HeadgateError("EDIT_NOT_APPROVED", "nothing was changed");
};

/** The files by client, then the differences; who says yes beforehand has no use for those. */
export const printPlan = async (
  { plan, git }: ShownPlan,
  root: string,
  { output, flags }: CommandContext,
): Promise<void> => {
  const { bold, dim } = output.style;
  const rows = groupsOf({ plan, git }, root);
  for (const line of alignedLines(rows, (cell, column) => (column === 0 ? bold(cell) : cell))) {
    output.line(`  ${line}`);
  }
  if (flags.has("yes") && !flags.has("dry-run")) return;
  const { viewDiff } = await import("../../edit/index.ts");
  // A file that goes as a whole is named above; that is all there is to say.
  const changed = [...plan.files, ...gitFiles(git, root)].filter(({ after }) => after);
  const diff = planDiff(changed);
  if (diff !== "") {
    output.line();
    const view = viewDiff(diff, { colour: output.colour });
    const short = withoutScripts(view);
    output.raw(short);
    if (short !== view) output.line(dim(scriptNote));
  }
  const unseen = plan.files.filter(({ isPackaged, after }) => isPackaged && after);
  if (unseen.length > 0) {
    const names = unseen.map(({ path }) => path).join(", ");
    output.line(dim(`not shown, code that comes with Headgate: ${names}`));
  }
};

/** The line that finds the hook is in every hook of every client: people need to see it once, in the guide. */
const withoutScripts = (view: string): string =>
  Object.values(hookScripts)
    .flatMap((script) => [JSON.stringify(script).slice(1, -1), script])
    .reduce((text, script) => text.replaceAll(script, "…"), view);

const scriptNote =
  "in a command … is the same script each time: it starts the hook from Headgate's folder in .git, and does nothing where there is none (docs/setup.md)";

export const printProblems = ({ problems }: Plan, { output }: CommandContext): void => {
  const { red, dim } = output.style;
  for (const { path, message, remedy } of problems) {
    output.note(`${red("skipped")} ${showText(path)}: ${message}`);
    output.note(dim(`  → ${remedy}`));
  }
};

export const planObject = ({ plan, git }: ShownPlan, root: string) => ({
  files: [
    ...plan.files.map(({ path, client, before, after }) => ({
      path,
      ...(client === undefined ? {} : { client }),
      action: actionOf(before, after),
    })),
    ...git.map(({ file, before, after }) => ({
      path: relative(root, file),
      client: "git",
      action: actionOf(before ?? undefined, after ?? undefined),
    })),
  ],
  problems: plan.problems,
  diff: planDiff([...plan.files, ...gitFiles(git, root)]),
});

export const countFiles = ({ plan, git }: ShownPlan): string =>
  plural(plan.files.length + git.length, "file");

const actionOf = (before: unknown, after: unknown): "create" | "change" | "remove" => {
  if (before === undefined) return "create";
  return after === undefined ? "remove" : "change";
};

const groupsOf = ({ plan, git }: ShownPlan, root: string): string[][] => {
  const named = (files: readonly PlannedFile[]): string =>
    files.map(({ path, before, after }) => `${signs[actionOf(before, after)]}${path}`).join("  ");
  const groups = [
    { title: "Headgate", files: plan.files.filter(({ client }) => client === undefined) },
    ...allClients.map(({ name, title }) => ({
      title,
      files: plan.files.filter(({ client }) => client === name),
    })),
  ];
  const rows = groups
    .filter(({ files }) => files.length > 0)
    .map(({ title, files }) => [title, named(files)]);
  const gitRow = named(gitFiles(git, root)).replaceAll(/\.git\/(hooks\/)?/g, "");
  return git.length > 0 ? [...rows, ["git hooks", gitRow]] : rows;
};

const signs = { create: "+", change: "~", remove: "-" } as const;

/** A new hook of ours is code that comes with Headgate; a change of somebody's hook is shown. */
const gitFiles = (git: readonly GitHookChange[], root: string): PlannedFile[] =>
  git.map(({ file, before, after }) => ({
    path: relative(root, file),
    before: before === null ? undefined : Buffer.from(before),
    after: after === null ? undefined : Buffer.from(after),
    original: undefined,
    ...((before === null || after === null) && { isPackaged: true as const }),
  }));
