/**
 * Programs that tests run and the product does not need: pinned by a lock file under `tools/`, installed
 * when first needed, once for all checkouts of this user, without their install scripts.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** The folder with `node_modules`. Throws npm's own words where the registry cannot be reached. */
export const installPinned = async (tool: string, cacheName: string): Promise<string> => {
  const pinned = resolve(import.meta.dirname, "../../tools", tool);
  const lock = readFileSync(resolve(pinned, "package-lock.json"));
  const base = process.env["XDG_CACHE_HOME"] || resolve(homedir(), ".cache");
  const name = createHash("sha256").update(lock).digest("hex").slice(0, 16);
  const folder = resolve(base, "headgate", cacheName, name);
  if (existsSync(folder)) return folder;
  // Another checkout may be at the same: each fills a folder of its own, the first to finish wins.
  const making = `${folder}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      copyFileSync(resolve(pinned, file), resolve(making, file));
    }
    await promisify(execFile)("npm", ["install", "--ignore-scripts"], { cwd: making });
    if (!existsSync(folder)) renameSync(making, folder);
  } catch (error) {
    throw new Error(`tools/${tool} could not be installed: ${String(error)}`, { cause: error });
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
};
