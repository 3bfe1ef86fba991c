import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import type { Files } from "../base/files.ts";
import type { IdSource } from "../base/ids.ts";
import type { Random } from "../base/random.ts";
import type { Via } from "./port.ts";

/** Places where a crash test may stop the process; nothing happens there otherwise. */
export type StoreStep =
  | "before-begin"
  | "after-begin"
  | "before-commit"
  | "after-commit"
  | "mid-migration";

/** What every adapter is given. */
export interface StoreContext {
  readonly readOnly: boolean;
  readonly waitMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  /** Goes with every event of this actor. */
  readonly via: (actor: string | null) => Via | undefined;
  readonly files: Files;
  readonly platform: NodeJS.Platform;
  /** Where PostgreSQL's own settings and passwords are. */
  readonly environment: Pick<Environment, "variables" | "home">;
  readonly onStep: (step: StoreStep) => void;
}
