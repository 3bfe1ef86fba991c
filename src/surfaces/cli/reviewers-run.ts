/** What every `reviewers` command needs: the project, its domains, diffs on the terminal. */
import { resolve } from "node:path";
import type { Reviewers } from "../../reviewers/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, Option } from "./command.ts";

export const domainOption: Option = {
  type: "string",
  multiple: true,
  value: "NAME",
  description: "A domain of this project, such as web-api; may be repeated (default: as detected)",
};

/** Opens the reviewers of the worktree; no store is needed. */
export const openReviewersFor = async (context: CommandContext): Promise<Reviewers> => {
  const { flags, environment } = context;
  const { findRepository, hasFiles, noFiles } = await import("../../git/index.ts");
  const { openReviewers } = await import("../../reviewers/index.ts");
  const start = resolve(environment.cwd, flags.text("repo") ?? ".");
  const repository = await findRepository(start, { environment });
  if (!hasFiles(repository)) throw noFiles(repository);
  const { worktree, localDir } = repository;
  return openReviewers({ worktree, localDir });
};

/** As the command line names them; undefined when it names none. */
export const domainsOf = ({ flags }: CommandContext): readonly string[] | undefined => {
  const named = flags.texts("domain");
  return named.length > 0 ? named : undefined;
};

/** Those that were named, else those of the cached profile; undefined without either. */
export const namedOrCachedDomains = async (
  context: CommandContext,
): Promise<readonly string[] | undefined> => {
  const named = domainsOf(context);
  if (named) return named;
  const { cachedDomains } = await import("./commands/profile.ts");
  const cached = await cachedDomains(context);
  return cached && cached.length > 0 ? cached : undefined;
};

/** Those that were named, else those that are detected. */
export const requireDomains = async (context: CommandContext): Promise<readonly string[]> => {
  const named = domainsOf(context);
  if (named) return named;
  const { detectedIn, profileOf } = await import("./commands/profile.ts");
  const detected = detectedIn(await profileOf(context));
  if (detected.length > 0) return detected;
  throw usageError(
    "no domain of this project was detected; name them with --domain NAME",
    "headgate reviewers",
  );
};

/** The positional arguments as names, or undefined when there are none: all are meant. */
export const namesOf = ({ positionals }: CommandContext): { readonly names?: readonly string[] } =>
  positionals.length > 0 ? { names: positionals } : {};

/** Those that were named, else those that are detected, also none: that is when all are orphans. */
export const knownDomains = async (context: CommandContext): Promise<readonly string[]> => {
  const named = domainsOf(context);
  if (named) return named;
  const { detectedIn, profileOf } = await import("./commands/profile.ts");
  return detectedIn(await profileOf(context));
};

export const showDiff = async (diff: string, { output }: CommandContext): Promise<void> => {
  if (diff === "" || output.json) return;
  const { viewDiff } = await import("../../edit/index.ts");
  const view = viewDiff(diff, { colour: output.colour, words: false });
  output.raw(view);
};
