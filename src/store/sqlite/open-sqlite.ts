import { dirname } from "node:path";
import { errnoOf, openFlags } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import type { Store } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { refuseNetworkFileSystem } from "./network-file-system.ts";
import { toStoreError } from "./sqlite-error.ts";
import { SqliteStore } from "./sqlite-store.ts";

export const openSqlite = async (path: string, context: StoreContext): Promise<Store> => {
  checkPlace(path, context);
  refuseNetworkFileSystem(path, context);
  const connection = await Connection.open(path, context.readOnly ? "read" : "write", context);
  try {
    await migrate(connection, context);
    return new SqliteStore(connection, context);
  } catch (error) {
    connection.close();
    throw toStoreError(error, path);
  }
};

/** The file is made here, private from its first moment, unless it is there or may not be made. */
const checkPlace = (path: string, { files, readOnly }: StoreContext): void => {
  const stat = files.statFollowing(path);
  if (stat && !stat.isFile()) {
    throw new HeadgateError("STORE_UNAVAILABLE", `the store ${path} is not a plain file`, {
      data: { location: path },
    });
  }
  if (stat && stat.size > 0 && stat.size < pageBytesMin) {
    // SQLite would take it for a new database and write over it.
    throw new HeadgateError("STORE_CORRUPT", `the store ${path} has only ${stat.size} bytes`, {
      data: { location: path },
    });
  }
  if (stat) return;
  if (readOnly) {
    throw new HeadgateError("STORE_ABSENT", `there is no store ${path} yet`, {
      data: { location: path },
    });
  }
  try {
    // Exclusive: closing a handle on a file that SQLite has open would drop SQLite's locks.
    files.close(files.open(path, openFlags.create, 0o600));
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === "EEXIST") return;
    throw new HeadgateError(
      code === "EROFS" || code === "EACCES" || code === "EPERM"
        ? "STORE_READ_ONLY"
        : code === "ENOSPC" || code === "EDQUOT"
          ? "STORE_FULL"
          : "STORE_UNAVAILABLE",
      `cannot make the store ${path} in ${dirname(path)} (${code ?? "unknown error"})`,
      { data: { location: path }, cause },
    );
  }
};

/** The smallest database is one page, and the smallest page is this. */
const pageBytesMin = 512;
