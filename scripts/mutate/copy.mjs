// A copy of the working tree outside the repository, with its own temporary folder: mutants never touch the checkout.
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const prefix = "headgate-mutate-";

/** Removes copies whose process was killed before it could. */
const removeLeftovers = () => {
  for (const name of fs.readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!isAlive(pid)) fs.rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
};

export const copyTree = (root) => {
  removeLeftovers();
  const folder = fs.mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // PostgreSQL runs as another user and must reach its files.
  fs.chmodSync(folder, 0o755);
  const tree = join(folder, "tree");
  const listed = spawnSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 },
  ).stdout.split("\0");
  for (const path of listed) {
    const from = resolve(root, path);
    const entry = path && fs.lstatSync(from, { throwIfNoEntry: false });
    if (!entry || entry.isDirectory() || path.split("/").includes("node_modules")) continue;
    fs.mkdirSync(dirname(join(tree, path)), { recursive: true });
    fs.cpSync(from, join(tree, path), { verbatimSymlinks: true });
  }
  fs.symlinkSync(fs.realpathSync(join(root, "node_modules")), join(tree, "node_modules"));
  const temporary = join(folder, "tmp");
  fs.mkdirSync(temporary);
  fs.chmodSync(temporary, 0o1777);
  return {
    tree,
    temporary,
    remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
};

/** Leads the group of a run and ends all of it when its stdin closes: when this process ends, however it ends. */
const leader = `
const child = require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "ignore" });
child.on("close", (code) => process.exit(code ?? 1));
process.stdin.on("end", () => process.kill(-process.pid, "SIGKILL")).resume();
`;

/**
 * Runs a Node program in the copy in a process group of its own, and ends the group at the time limit.
 * Returns the exit code, or undefined when the time was up.
 */
export const runInCopy = ({ tree, temporary }, argv, { milliseconds, signal }) =>
  new Promise((done, fail) => {
    const { CI: _, ...environment } = process.env;
    const child = spawn(process.execPath, ["-e", leader, "--", ...argv], {
      cwd: tree,
      env: { ...environment, TMPDIR: temporary },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.stdin.on("error", () => {});
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, milliseconds);
    signal.addEventListener("abort", end);
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      // What a failed test left running.
      end();
      done(isLate ? undefined : (code ?? 1));
    });
  });
