/** The profile room for one repository: apart from compose.ts, which most commands load. */
import { hash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./git/index.ts";
import type { Config } from "./config/index.ts";
import { openProfile, type ProfileOverride, type ProjectProfile } from "./profile/index.ts";
import { readContent } from "./state/index.ts";
import { makeLocalDir } from "./store/index.ts";

export interface ProfileParts {
  readonly repository: Repository;
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly readOnly: boolean;
}

export const openProjectProfile = (parts: ProfileParts): ProjectProfile => {
  const { repository, config, environment, clock, readOnly } = parts;
  return openProfile({
    repository,
    environment,
    clock,
    readOnly,
    override: overrideOf(config, madeByInit(repository)),
    prepare: async () => makeLocalDir(repository.localDir, systemFiles, environment.platform),
  });
};

/** Files that `init` made and that are still as it wrote them: they say nothing about the project. */
const madeByInit = ({ localDir, worktree }: Repository): string[] => {
  const list = join(localDir, "installed.json");
  const bytes = systemFiles.stat(list) && readContent(list, systemFiles);
  if (!bytes) return [];
  let value: { readonly files?: unknown } | null;
  try {
    value = JSON.parse(bytes.toString("utf8")) as typeof value;
  } catch (error) {
    // `headgate doctor` names a damaged one.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const files = Array.isArray(value?.files) ? (value.files as Record<string, unknown>[]) : [];
  return files.flatMap(({ path, original, written }) => {
    if (typeof path !== "string" || original !== null) return [];
    const place = join(worktree, path);
    const content = systemFiles.stat(place)?.isFile() ? systemFiles.readFile(place) : undefined;
    return content && hash("sha256", content) === written ? [path] : [];
  });
};

const overrideOf = ({ profile }: Config, made: readonly string[]): ProfileOverride => ({
  ...(profile.domains !== null && { domains: profile.domains }),
  add: profile.add,
  remove: profile.remove,
  ...(profile.primary !== null && { primary: profile.primary }),
  ignore: [...profile.ignore, ...made.map((path) => `/${path}`)],
});
