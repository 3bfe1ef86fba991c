import type { Environment } from "../../base/environment.ts";
import type { Files } from "../../base/files.ts";
import type { PresetSpec } from "../spec.ts";
import type { RunRequest } from "../types.ts";
import type { PrivateFolder } from "./private-folder.ts";
import type { Prepared } from "./run-program.ts";

export interface PresetAsk {
  readonly program: string;
  readonly request: RunRequest;
  readonly spec: PresetSpec;
  readonly model: string | undefined;
  readonly folder: PrivateFolder;
  readonly environment: Environment;
  readonly files: Files;
}

/** One agent client: how it is asked without a person, and how its answer reads. */
export interface Preset {
  /** On PATH. */
  readonly program: string;
  readonly family: string;
  /** The user's variables that it gets: where its models are, and the keys for them. */
  readonly variables: readonly string[];
  /** It can be told what it may spend. */
  readonly keepsBudget?: boolean;
  prepare(ask: PresetAsk): Prepared;
  readError?(stderr: string): string | undefined;
}

/** Links the client's login into its private home, unless the user has given a key or does not want it. */
export const linkLogin = (
  { spec, environment, files, folder }: PresetAsk,
  login: { readonly keys: readonly string[]; readonly from: string; readonly to: string },
): void => {
  if (spec.login === false) return;
  if (login.keys.some((name) => (environment.variables[name] ?? "") !== "")) return;
  if (files.statFollowing(login.from)?.isFile()) folder.linkTo(login.from, login.to);
};

/** Who it is when nobody says: clients' own texts are about changing code. */
export const lookerSystem = "You read code and answer what is asked. You change nothing.";
