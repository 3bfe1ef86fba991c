// Installs the agent clients that test/clients drives: about 1.5 GB, once for all checkouts of this user,
// into a cache folder named by the lock file's hash; `.tools/clients` points there. Install scripts never
// run; what they would have done and the clients need is done here by hand.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { npmCommand } from "./packages.mjs";
import { hashOf, root, runQuietly, say } from "./step.mjs";

const pinned = resolve(root, "tools/clients");
const link = resolve(root, ".tools/clients");
const bytesNeeded = 3e9;

/**
 * Only Linux: elsewhere a client cannot be cut off from the network as the suite demands. A machine that
 * cannot have them goes on without; the suite says so.
 */
export async function ensureClients(node) {
  if (process.platform !== "linux") return;
  try {
    await install(node);
  } catch (error) {
    say(`the agent clients are not installed: ${error.message}`);
  }
}

async function install(node) {
  const lock = readFileSync(resolve(pinned, "package-lock.json"));
  const name = hashOf(lock, process.platform, process.arch).slice(0, 16);
  const folder = resolve(cacheFolder(), name);
  if (!existsSync(folder)) {
    mkdirSync(cacheFolder(), { recursive: true });
    const { bavail, bsize } = statfsSync(cacheFolder());
    if (bavail * bsize < bytesNeeded) {
      throw new Error(`${cacheFolder()} has less than ${bytesNeeded / 1e9} GB free`);
    }
    say("installing the agent clients from the lock file (about 1.5 GB, once)");
    // Another checkout may be at the same: each fills a folder of its own, the first to finish wins.
    const making = `${folder}.${process.pid}`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making);
    try {
      for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
        copyFileSync(resolve(pinned, file), resolve(making, file));
      }
      const [file, args] = npmCommand(node.path);
      // Not `npm ci`: it wants every platform's packages in the lock file, and not every registry has them all.
      await runQuietly(file, [...args, "install", "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: making,
        env: node.env,
      });
      if (!existsSync(folder)) renameSync(making, folder);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  pointTo(folder);
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || resolve(homedir(), ".cache");
  return resolve(base, "headgate/clients");
}

function pointTo(folder) {
  mkdirSync(resolve(root, ".tools"), { recursive: true });
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  symlinkSync(folder, link);
}
