/** The highest fence as the store and the mark beside it know it, for a look. */
import { errnoOf, type Files } from "../base/files.ts";
import type { Scope, Statement, Store } from "../store/index.ts";

/** Empty: there is none, or it cannot be read; the next grant says what is wrong with it. */
export const readMark = (files: Files, path: string): string => {
  try {
    return files.readFile(path).toString("utf8");
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
};

export const readFence = async ({
  store,
  scope,
}: {
  readonly store: Store;
  readonly scope: Scope;
}): Promise<number> => {
  const row = await store.read((tx) => tx.get<{ fence: number }>(selectFence, { id: scope.id }));
  return Number(row?.fence ?? 0);
};

export const selectFence: Statement = { sql: "SELECT fence FROM scopes WHERE id = :id" };
