import type { Environment } from "../base/environment.ts";
import { pathRules, searchPath } from "../base/find-program.ts";

/**
 * The whole environment a git child gets. Everything named GIT_* in ours is dropped: it could move the
 * index, inject configuration or name a program. So are NODE_OPTIONS, LD_PRELOAD and the like.
 */
export const gitEnvironment = (
  environment: Environment,
  options: { readonly ceiling?: readonly string[] } = {},
): Record<string, string> => {
  const { delimiter } = pathRules(environment);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment.variables)) {
    if (value !== undefined && passed.has(name.toUpperCase())) result[name] = value;
  }
  // Where PATH is spelled `Path`, a second one would leave it open which of them counts.
  for (const name of Object.keys(result)) if (/^path$/i.test(name)) delete result[name];
  return {
    ...result,
    PATH: searchPath(environment).join(delimiter),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    // A partial clone would fetch missing objects over the network; git 2.45 and newer obey this. Older ones
    // fetch, and a repository's own `protocol.ext.allow` would let that run a program: no protocol is allowed.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    LC_ALL: "C",
    ...(options.ceiling && { GIT_CEILING_DIRECTORIES: options.ceiling.join(delimiter) }),
  };
};

const passed = new Set([
  "PATH",
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "TEMP",
  "SYSTEMROOT",
]);
