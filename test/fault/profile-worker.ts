import { writeSync } from "node:fs";
import { open } from "../profile/project.ts";

/** Detects and checks over and over in one worktree; prints what it saw. */
const [, , root = "", rounds = "1"] = process.argv;
const seen = new Set<string>();
writeSync(1, "ready\n");
for (let round = 0; round < Number(rounds); round += 1) {
  const profile = await open(root);
  const { primary, notes } = await profile.detect();
  seen.add(`${primary}`);
  for (const { message } of notes) seen.add(message);
  const { state, why } = await profile.check();
  if (state !== "fresh" && state !== "stale") seen.add(`${state}: ${why}`);
}
writeSync(1, JSON.stringify([...seen]));
