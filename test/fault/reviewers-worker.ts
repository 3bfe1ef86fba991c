import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openReviewers } from "../../src/reviewers/index.ts";
import { stateFolder } from "../helpers/state-folder.ts";

/** Generates in a folder: once, or in turns with two sets of documents until it is killed. */
const [, , worktree = "", mode = "", ...documents] = process.argv;
const open = (folder?: string) =>
  openReviewers({
    worktree,
    localDir: stateFolder(worktree),
    ...(folder !== undefined && { documents: folder }),
  });
const domains = ["game-simulation", "web-api", "networking"];
if (mode === "once") {
  const report = await (await open()).generate({ domains });
  writeSync(1, JSON.stringify({ ok: report.ok, done: report.done.length }));
} else {
  const turns = await Promise.all(documents.map((folder) => open(folder)));
  for (let turn = 0; ; turn += 1) {
    const reviewers = turns[turn % turns.length]!;
    await reviewers.generate({ domains, update: true, strict: true });
    if (turn > 0) continue;
    flushCompileCache();
    writeSync(1, "ready\n");
  }
}
