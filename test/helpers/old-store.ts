import { systemFiles } from "../../src/base/files.ts";
import { type Scope, type Store } from "../../src/store/index.ts";
import { openScope, type StorePlace } from "./store-backends.ts";

/** A store as the first version of Headgate left it, with `events` events and an outcome kept. */
export const makeOldStore = async (place: StorePlace, events: number): Promise<void> => {
  const files = {
    ...systemFiles,
    list: (folder: string) =>
      systemFiles
        .list(folder)
        .filter(({ name }) => !name.endsWith(".sql") || name.startsWith("0001-")),
  };
  const { store, scope } = await openScope(place, { files });
  for (let index = 1; index < events; index += 1) await note(store, scope, `old ${index}`);
  await store.close();
};

const note = (store: Store, scope: Scope, key: string): Promise<string> =>
  store.write({ scope, key }, async (tx) => tx.emit({ kind: "test.noted", data: { key } }));
