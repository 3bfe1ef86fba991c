import { join } from "node:path";
import { HeadgateError } from "../errors.ts";

export type StoreAddress = {
  /** Several machines can share it, so that a repository is known by its remote, not by its path. */
  readonly isShared: boolean;
} & (
  | { readonly kind: "sqlite"; readonly path: string; readonly isDefault: boolean }
  | { readonly kind: "postgres"; readonly url: string; readonly location: string }
);

/** Decides what an address means. Messages never repeat it, because it may hold a password. */
export const parseAddress = (address: string, localDir: string): StoreAddress => {
  if (address === "") return { ...local, path: join(localDir, "store.db"), isDefault: true };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]+):/.exec(address)?.[1]?.toLowerCase();
  if (scheme === "postgres" || scheme === "postgresql") {
    const location = showPostgres(address);
    return { kind: "postgres", isShared: true, url: address, location };
  }
  // A single letter before the colon is a Windows drive, which the pattern above leaves alone.
  if (scheme !== undefined) refuse(`it begins with ${scheme}:`);
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  if (/[\u0000-\u001f]/.test(address)) refuse("it holds control characters");
  return { ...local, path: address, isDefault: false };
};

const local = { kind: "sqlite", isShared: false } as const;

/** Host, port and database: enough to recognise the store, nothing secret. */
const showPostgres = (address: string): string => {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // The parser's own error repeats the address, so it is not passed on.
    return refuse("it is not a well-formed postgres address");
  }
  const host = url.hostname || url.searchParams.get("host") || "localhost";
  return `postgres://${host}${url.port && `:${url.port}`}${url.pathname}`;
};

const refuse = (why: string): never => {
  throw new HeadgateError("STORE_ADDRESS_INVALID", `the store address cannot be used: ${why}`);
};
