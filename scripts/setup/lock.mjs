// One set-up at a time: `npm start` and `npm test` in two terminals of a fresh clone must not both install.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { root, say } from "./step.mjs";

const path = resolve(root, ".tools/setup.lock");

export async function withSetupLock(work) {
  mkdirSync(resolve(root, ".tools"), { recursive: true });
  let told = false;
  while (!tryTake()) {
    if (!told) say("waiting for another set-up in this folder");
    told = true;
    await new Promise((done) => setTimeout(done, 200));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryTake() {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // A left-over of a killed set-up is recognised by its pid. Two waiters could both remove it; the worst
  // that follows is two installs after a kill, which npm survives. The product's own locks are kernel locks.
  if (!isAlive(readOwner())) rmSync(path, { force: true });
  return false;
}

function readOwner() {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return process.pid;
    throw error;
  }
}

function isAlive(pid) {
  // Not written yet: the owner is between create and write.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
