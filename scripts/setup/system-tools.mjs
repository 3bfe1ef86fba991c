// Programs the fault, attack and completion tests need. Installed when we are root on Debian or a
// relative; otherwise each test that needs one says "not run" and why.
import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";
import { runQuietly, say } from "./step.mjs";

const tools = {
  git: "git",
  strace: "strace",
  eatmydata: "eatmydata",
  prlimit: "util-linux",
  unshare: "util-linux",
  nsenter: "util-linux",
  ip: "iproute2",
  curl: "curl",
  faketime: "faketime",
  losetup: "mount",
  mount: "mount",
  "mkfs.ext4": "e2fsprogs",
  zsh: "zsh",
  fish: "fish",
  "pre-commit": "pre-commit",
  "chromium-headless-shell": "chromium-headless-shell",
};
const browsers = ["chromium-headless-shell", "chromium"];

export async function ensureSystemTools({ browser }) {
  if (process.platform !== "linux") return;
  const needsBrowser = browser && !browsers.some(findProgram);
  const wanted = Object.keys(tools).filter((name) => needsBrowser || !browsers.includes(name));
  const missing = wanted.filter((name) => !findProgram(name));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => tools[name]))];
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !findProgram("apt-get")) {
    say(`missing for some tests: ${missing.join(", ")} (packages ${packages.join(" ")})`);
    return;
  }
  say(`installing system packages for tests: ${packages.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await runQuietly("apt-get", ["update", "-q"], { env });
    const install = ["install", "-y", "-q", "--no-install-recommends", ...packages];
    await runQuietly("apt-get", install, { env });
  } catch (error) {
    // The tests that need them say so themselves; all others can run.
    say(`could not install them: ${error.message}`);
  }
}

function findProgram(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => {
    try {
      accessSync(resolve(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
