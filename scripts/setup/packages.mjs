// Installs the packages of the lock file. Install scripts never run.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hashOf, readStamp, root, runQuietly, say, writeStamp } from "./step.mjs";

export const ensurePackages = (node) => installLocked(node, root, "packages");

/** Also used by bench/, which is a package of its own. */
export async function installLocked(node, folder, what) {
  const stampPath = resolve(folder, "node_modules/.stamp");
  const lock = readFileSync(resolve(folder, "package-lock.json"));
  const stamp = hashOf(lock, process.platform, process.arch);
  if (readStamp(stampPath) === stamp) return;
  say(`installing ${what} from the lock file`);
  const [file, args] = npmCommand(node.path);
  await runQuietly(file, [...args, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: node.env,
  });
  writeStamp(stampPath, stamp);
}

/** npm as a program plus first arguments, run by the given Node and never through a shell. */
export function npmCommand(nodePath) {
  const script = process.env.npm_execpath;
  if (script && /\.c?js$/.test(script) && existsSync(script)) return [nodePath, [script]];
  if (process.platform === "win32") {
    throw new Error("run this through npm (npm start, npm test), so that npm's own path is known");
  }
  return ["npm", []];
}
