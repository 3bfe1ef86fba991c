import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { systemFiles } from "../../src/base/files.ts";
import { findRepository } from "../../src/git/repository.ts";
import { openProfile } from "../../src/profile/index.ts";
import { makeLocalDir } from "../../src/store/index.ts";

/** Detects and checks over and over in one worktree; prints what it saw. */
const [, , root = "", rounds = "1"] = process.argv;
const seen = new Set<string>();
writeSync(1, "ready\n");
for (let round = 0; round < Number(rounds); round += 1) {
  const repository = await findRepository(root);
  const prepare = async () => makeLocalDir(repository.localDir, systemFiles, process.platform);
  const profile = await openProfile({ repository, prepare });
  const { primary, notes } = await profile.detect();
  seen.add(`${primary}`);
  for (const { message } of notes) seen.add(message);
  const { state, why } = await profile.check();
  if (state !== "fresh" && state !== "stale") seen.add(`${state}: ${why}`);
  flushCompileCache();
}
writeSync(1, JSON.stringify([...seen]));
