import { isNetworkType, mountType } from "../../base/mount-type.ts";
import { HeadgateError } from "../../errors.ts";
import type { StoreContext } from "../store-context.ts";

/** SQLite's locks and its shared memory do not work between machines. */
export const refuseNetworkFileSystem = (path: string, context: StoreContext): void => {
  const type = context.platform === "win32" ? uncShare(path) : mountType(path, context.files);
  if (type === undefined || !isNetworkType(type)) return;
  throw new HeadgateError("STORE_NETWORK_FILE_SYSTEM", `${path} lies on a ${type} file system`, {
    data: { location: path, type },
  });
};

const uncShare = (path: string): string | undefined =>
  /^[\\/]{2}[^\\/?.]/.test(path) ? "cifs" : undefined;
