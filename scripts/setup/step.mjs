// Small parts every set-up step uses: saying what happens, running a program, stamps.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Progress goes to stderr so that stdout stays the job's own. */
export const say = (text) => process.stderr.write(`set-up: ${text}\n`);

export const hashOf = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
};

export const readStamp = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
};

export const writeStamp = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Runs a program quietly; its output is shown only when it fails. */
export const runQuietly = (file, args, { cwd = root, env = process.env } = {}) =>
  new Promise((done, fail) => {
    const child = spawn(file, args, {
      cwd,
      // `npm --silent` would otherwise silence the inner npm's error too.
      env: { ...env, npm_config_loglevel: "error" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => fail(new Error(`cannot run ${file}: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) return done(output);
      fail(new Error(`${[file, ...args].join(" ")} ended with ${code}\n${output.trim()}`));
    });
  });
