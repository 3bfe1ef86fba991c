import { join, resolve } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import type { Config } from "../../config/index.ts";
import { HeadgateError } from "../../errors.ts";
import type { ContentRules } from "../../state/index.ts";
import type { CommandContext } from "./command.ts";
import { openFor } from "./open-for.ts";

/** What `state check` and `state recover` look at, and what each configured file must be. */
export interface StateTargets {
  readonly paths: readonly string[];
  /** Only temporaries are looked for everywhere below it. */
  readonly below?: string;
  readonly rulesOf: (path: string) => ContentRules;
}

/**
 * The paths as typed; without any, the state files and temporaries of the whole worktree, else this folder, unless only
 * Headgate's own files are wanted.
 */
export const stateTargets = async (
  context: CommandContext,
  options: { readonly evenIfMisconfigured?: boolean; readonly ownOnly?: boolean } = {},
): Promise<StateTargets> => {
  const { positionals, environment } = context;
  const { ownOnly = false, ...opening } = options;
  const { configured, home } = await readSettings(context, opening);
  const rulesOf = (path: string): ContentRules => configured.get(path) ?? {};
  if (positionals.length > 0) {
    return { paths: positionals.map((path) => resolve(environment.cwd, path)), rulesOf };
  }
  const own = join(home, ".headgate");
  const present = [...configured.keys(), own].filter((path) => systemFiles.stat(path));
  const paths = present.length > 0 || ownOnly ? present : [environment.cwd];
  return { paths, rulesOf, ...(!ownOnly && { below: home }) };
};

interface Settings {
  readonly configured: ReadonlyMap<string, ContentRules>;
  readonly home: string;
}

const readSettings = async (
  context: CommandContext,
  options: { readonly evenIfMisconfigured?: boolean },
): Promise<Settings> => {
  try {
    await using headgate = await openFor(context, { readOnly: true, ...options });
    const { worktree } = headgate.repository;
    const files = headgate.config.state.files;
    const configured = new Map(files.map((file) => [join(worktree, file.path), rulesFrom(file)]));
    return { configured, home: worktree };
  } catch (error) {
    // A named file can be looked at and recovered however broken everything around it is.
    if (!HeadgateError.isInstance(error) || context.positionals.length === 0) throw error;
    context.output.note(`state.files are not known: ${showText(error.message)} [${error.code}]`);
    return { configured: new Map(), home: context.environment.cwd };
  }
};

const rulesFrom = ({ kind, required = [] }: Config["state"]["files"][number]): ContentRules =>
  kind === "markdown" ? { kind, frontMatter: required } : { kind, schema: hasKeys(required) };

const hasKeys =
  (required: readonly string[]) =>
  (value: unknown): string | undefined => {
    const absent = required.find(
      (key) => typeof value !== "object" || value === null || !Object.hasOwn(value, key),
    );
    return absent === undefined ? undefined : `the key ${absent} is missing`;
  };
