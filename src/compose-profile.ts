/** The profile room for one repository: apart from compose.ts, which most commands load. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./git/index.ts";
import type { Config } from "./config/index.ts";
import { openProfile, type ProfileOverride, type ProjectProfile } from "./profile/index.ts";
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
    override: overrideOf(config),
    prepare: async () => makeLocalDir(repository.localDir, systemFiles, environment.platform),
  });
};

const overrideOf = ({ profile }: Config): ProfileOverride => ({
  ...(profile.domains !== null && { domains: profile.domains }),
  add: profile.add,
  remove: profile.remove,
  ...(profile.primary !== null && { primary: profile.primary }),
  ignore: profile.ignore,
});
