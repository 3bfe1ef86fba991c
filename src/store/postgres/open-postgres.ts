import type { Store } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import { Connections } from "./connections.ts";
import { migrate } from "./migrate.ts";
import { PostgresStore } from "./postgres-store.ts";

export const openPostgres = async (
  target: { readonly url: string; readonly location: string },
  context: StoreContext,
): Promise<Store> => {
  const connections = await Connections.open(target.url, target.location, context);
  try {
    const version = await migrate(connections, context);
    return new PostgresStore(connections, context, version);
  } catch (error) {
    await connections.close();
    throw error;
  }
};
