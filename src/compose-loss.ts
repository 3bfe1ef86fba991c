/**
 * A store that was deleted, emptied or put back from an older copy has forgotten who holds what. The fence mark
 * beside it knows better: the next command says so, and the first one that may write says it for the last time.
 */
import { systemFiles } from "./base/files.ts";
import { ownIdentity } from "./base/process-identity.ts";
import { FenceMark, findLostFences } from "./claims/index.ts";
import type { Repository } from "./git/index.ts";
import type { StoredScope } from "./compose-store.ts";
import type { Scope, Statement, Store } from "./store/index.ts";

interface LossPlace {
  readonly dir: string;
  /** Where the store is or was: `sqlite:/path`. */
  readonly location: string;
  readonly scopeKey: string;
  fences(found: StoredScope): FenceMark;
  /** Makes the store where it is gone. */
  open(): Promise<StoredScope>;
}

interface LostFences {
  readonly marked: number;
  readonly stored: number;
}

export interface LossWatch {
  find(there: StoredScope | undefined): Promise<LostFences | undefined>;
  /** The event and the mark change in one write turn; a kill in between says it once more. */
  forget(there: StoredScope | undefined, lost: LostFences): Promise<void>;
}

export const watchLoss = (place: LossPlace): LossWatch => ({
  find: (there) => findLostFences({ ...place, there, files: systemFiles }),
  forget: async (there, lost) => {
    const found = there ?? (await place.open());
    const fences = place.fences(found);
    const { store, scope } = found;
    try {
      await store.write({ scope }, async (tx) => {
        const row = await tx.get<{ fence: number }>(selectFence, { id: scope.id });
        fences.forgetLoss(Number(row?.fence ?? 0));
        tx.emit({ kind: "store.lost", subject: scope.id, data: { ...lost } });
        return null;
      });
    } finally {
      fences.close();
    }
  },
});

/** For the first look at the store. */
export const sayLoss = (
  watch: LossWatch,
  say: (line: string) => void,
): ((found: StoredScope | undefined, isWriter: boolean) => Promise<void>) => {
  let isSaid = false;
  return async (found, isWriter) => {
    const lost = await watch.find(found);
    if (!lost) return;
    if (!isSaid) say(`headgate: ${describeLoss(lost)} [STORE_OLDER]`);
    isSaid = true;
    if (found && isWriter) await watch.forget(found, lost);
  };
};

export const describeLoss = ({ marked, stored }: LostFences): string =>
  `the store was deleted, emptied or put back from an older copy: it knows ${stored} of ${marked} fences. Claims ` +
  "and history in between are lost: claim again. Fences go on rising";

const selectFence: Statement = { sql: "SELECT fence FROM scopes WHERE id = :id" };

export const fenceMarkFor = (repository: Repository, store: Store, scope: Scope): FenceMark =>
  new FenceMark({
    files: systemFiles,
    dir: repository.localDir,
    ...(repository.kind === "git" && { twin: `${repository.localDir}-fences.json` }),
    store: `${store.capabilities.name}:${store.location}`,
    isShared: store.capabilities.shared,
    bootId: ownIdentity().bootId,
    scopeKey: scope.key,
    scopeId: scope.id,
  });
