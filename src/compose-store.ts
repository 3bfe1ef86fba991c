/** The store as the object graph sees it: opened when it is first needed, closed once. */
import type { Clock } from "./base/clock.ts";
import type { Environment } from "./base/environment.ts";
import { limits } from "./base/limits.ts";
import type { Repository, ScopeIdentity } from "./git/index.ts";
import type { Config } from "./config/index.ts";
import { HeadgateError } from "./errors.ts";
import { openStore, type Scope, type Store, type Via } from "./store/index.ts";

interface StoreHandlesOptions {
  readonly repository: Repository;
  readonly scopeIdentity: ScopeIdentity;
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly readOnly: boolean;
  readonly via: (actor: string | null) => Via | undefined;
  /** Called before the store is used for the first time; `isWriter`: by the writing handle. */
  readonly onFirstUse?: (found: StoredScope | undefined, isWriter: boolean) => Promise<void>;
}

export interface StoredScope {
  readonly store: Store;
  readonly scope: Scope;
}

/** One read-only and one writing handle, each opened at most once; reads use the better one. */
export class StoreHandles {
  readonly #options: StoreHandlesOptions;
  #reading: Promise<Store | undefined> | undefined;
  #writing: Promise<Store> | undefined;
  #scope: Promise<Scope> | undefined;
  #closing: Promise<void> | undefined;
  #hasLooked = false;
  readonly #ends: (() => void)[] = [];

  constructor(options: StoreHandlesOptions) {
    this.#options = options;
  }

  writer(): Promise<Store> {
    this.#assertOpen();
    if (this.#options.readOnly) {
      throw new HeadgateError("STORE_READ_ONLY", "this Headgate was opened for reading only");
    }
    this.#writing ??= this.#open(false);
    return this.#writing;
  }

  async reader(): Promise<Store | undefined> {
    this.#assertOpen();
    if (this.#writing) return this.#writing;
    this.#reading ??= this.#openReader();
    const store = await this.#reading;
    if (store !== undefined) return store;
    // Somebody else may make the store meanwhile: look again next time.
    this.#reading = undefined;
    await this.#firstUse(undefined);
    return undefined;
  }

  scope(): Promise<Scope> {
    this.#scope ??= this.writer().then(async (store) => {
      const scope = await store.scope(this.#options.scopeIdentity);
      await this.#options.onFirstUse?.({ store, scope }, true);
      return scope;
    });
    return this.#scope;
  }

  /** Undefined while this repository has nothing in the store. */
  async look(): Promise<StoredScope | undefined> {
    const found = await this.#findScope();
    await this.#firstUse(found);
    return found;
  }

  async #firstUse(found: StoredScope | undefined): Promise<void> {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    await this.#options.onFirstUse?.(found, false);
  }

  async #findScope(): Promise<StoredScope | undefined> {
    const store = await this.reader();
    if (store === undefined) return undefined;
    try {
      return { store, scope: await store.scope(this.#options.scopeIdentity) };
    } catch (error) {
      if (store.readOnly && hasCode(error, "STORE_READ_ONLY")) return undefined;
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Something that lives as long as the store. */
  closeToo(end: () => void): void {
    this.#ends.push(end);
  }

  async #close(): Promise<void> {
    const opened = await Promise.allSettled([this.#writing, this.#reading]);
    for (const result of opened) {
      // A handle that failed to open was reported to whoever asked for it.
      if (result.status === "fulfilled") await result.value?.close();
    }
    for (const end of this.#ends) end();
  }

  async #openReader(): Promise<Store | undefined> {
    const { readOnly, clock } = this.#options;
    const deadlineMonoMs = clock.monoMs() + limits.storeMigratingMs;
    for (;;) {
      try {
        return await this.#open(true);
      } catch (error) {
        if (hasCode(error, "STORE_ABSENT")) return undefined;
        if (!hasCode(error, "STORE_SCHEMA_OLDER")) throw error;
        if (!readOnly) return this.writer();
        // Somebody may be making it at this moment, migration by migration.
        if (clock.monoMs() > deadlineMonoMs) throw error;
        await clock.sleep(50);
      }
    }
  }

  #open(readOnly: boolean): Promise<Store> {
    const { repository, config, environment, clock, via } = this.#options;
    return openStore({
      via,
      address: config.store,
      localDir: repository.localDir,
      waitMs: config.storeWaitMs,
      readOnly,
      environment,
      clock,
    });
  }

  #assertOpen(): void {
    if (this.#closing) throw new HeadgateError("STORE_UNAVAILABLE", "this Headgate is closed");
  }
}

const hasCode = (error: unknown, code: HeadgateError["code"]): error is HeadgateError =>
  HeadgateError.isInstance(error) && error.code === code;
