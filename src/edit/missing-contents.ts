/** Edits whose contents the journal no longer has: they cannot be undone. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { Scope, Store } from "../store/index.ts";
import { openHistoryIn } from "./history.ts";

/** Ids, newest first, of the last 1,000 edits. A shared store knows edits of other clones, whose journals are theirs. */
export const findMissingContents = async ({
  store,
  scope,
  dir,
  files,
}: {
  readonly store: Store;
  readonly scope: Scope;
  readonly dir: string;
  readonly files: Files;
}): Promise<readonly string[]> => {
  if (store.capabilities.shared) return [];
  const isThere = (hash: string | null): boolean =>
    hash === null || files.stat(join(dir, "blobs", hash)) !== undefined;
  const edits = await openHistoryIn({ store, scope }).list({ limit: 1_000 });
  return edits
    .filter((edit) => !edit.files.every(({ before, after }) => isThere(before) && isThere(after)))
    .map(({ id }) => id);
};
