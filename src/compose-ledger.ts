/** The ledger of reviews in the object graph; compose.ts loads it when it is needed. */
import { join } from "node:path";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./git/index.ts";
import type { Actor } from "./claims/index.ts";
import { HeadgateError } from "./errors.ts";
import { type Ledger, type LedgerOptions, openLedger } from "./review/index.ts";
import { recordEvidence } from "./routing/index.ts";
import type { Analyser } from "./structure/index.ts";

export interface LedgerParts {
  readonly repository: Repository;
  readonly actor: Actor;
  readonly place: LedgerOptions["place"];
  readonly outline: Analyser["outline"];
}

export const openLedgerFor = (parts: LedgerParts): Ledger => {
  const { repository, actor, place, outline } = parts;
  return openLedger({
    place,
    actor: actor.id,
    session: actor.session,
    exists: (path) => systemFiles.stat(join(repository.worktree, path)) !== undefined,
    outline: async (text, path) => (await outline(text, path)).outline,
    onOutcome: async (tx, scope, outcome) => {
      try {
        await recordEvidence(tx, scope.id, outcome, { actor: actor.id });
      } catch (error) {
        // A reviewer of another tool whose name routing does not take: the decision stands all the same.
        if (!HeadgateError.isInstance(error) || error.code !== "USAGE") throw error;
      }
    },
  });
};
