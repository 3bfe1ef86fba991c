import { dirname, resolve } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { type IdSource, createIdSource } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { type Random, systemRandom } from "../base/random.ts";
import { parseAddress } from "./address.ts";
import { makeLocalDir } from "./local-dir.ts";
import type { Store } from "./port.ts";
import type { StoreContext, StoreStep } from "./store-context.ts";

export interface OpenStoreOptions {
  /** "" for `<localDir>/store.db`, a file path, or `postgres://…`. */
  readonly address: string;
  /** `.git/headgate` of the repository; created when the store lies in it. */
  readonly localDir: string;
  /** Never creates, migrates or changes anything. */
  readonly readOnly?: boolean;
  /** Longest wait for other writers before STORE_BUSY. */
  readonly waitMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly ids?: IdSource;
  /** By which process the events of an actor are caused; default: not written. */
  readonly via?: StoreContext["via"];
  readonly files?: Files;
  readonly environment?: Environment;
  /** Called at the named steps; crash tests stop the process there. */
  readonly onStep?: (step: StoreStep) => void;
}

/** Opens the store, bringing its schema up to date first. The back end's library is loaded only here. */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const { address, localDir, readOnly = false, waitMs = limits.storeWaitMs } = options;
  const { clock = systemClock, random = systemRandom, files = systemFiles } = options;
  const environment = options.environment ?? systemEnvironment();
  const { ids = createIdSource({ clock, random }), onStep = () => {} } = options;
  const { via = () => undefined } = options;
  const { platform, cwd } = environment;
  const context: StoreContext = {
    ...{ readOnly, waitMs, clock, random, ids, via, files, platform, environment, onStep },
  };
  const target = parseAddress(address, resolve(cwd, localDir));
  if (target.kind === "postgres") {
    const { openPostgres } = await import("./postgres/open-postgres.ts");
    return openPostgres(target, context);
  }
  const path = resolve(cwd, target.path);
  if (target.isDefault && !readOnly) makeLocalDir(dirname(path), files, platform);
  const { openSqlite } = await import("./sqlite/open-sqlite.ts");
  return openSqlite(path, context);
};
