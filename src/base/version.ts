import { fileURLToPath } from "node:url";
import { systemFiles } from "./files.ts";

/** The version of this package. package.json is its only source; dist/ and src/ lie equally deep. */
export const packageVersion = (): string => {
  const path = fileURLToPath(new URL("../../package.json", import.meta.url));
  const manifest: unknown = JSON.parse(systemFiles.readFile(path).toString("utf8"));
  return (manifest as { readonly version: string }).version;
};
