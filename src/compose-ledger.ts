/** The ledger of reviews in the object graph; compose.ts loads it when it is needed. */
import { join } from "node:path";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./base/repository.ts";
import type { Actor } from "./claims/index.ts";
import { type Ledger, type LedgerOptions, openLedger } from "./review/index.ts";
import type { Analyser } from "./structure/index.ts";

export interface LedgerParts {
  readonly repository: Repository;
  readonly actor: Actor;
  readonly place: LedgerOptions["place"];
  readonly outline: Analyser["outline"];
  /** Nobody, until routing takes evidence. */
  readonly onOutcome?: LedgerOptions["onOutcome"];
}

export const openLedgerFor = (parts: LedgerParts): Ledger => {
  const { repository, actor, place, outline, onOutcome } = parts;
  return openLedger({
    place,
    actor: actor.id,
    session: actor.session,
    exists: (path) => systemFiles.stat(join(repository.worktree, path)) !== undefined,
    outline: async (text, path) => (await outline(text, path)).outline,
    ...(onOutcome && { onOutcome }),
  });
};
