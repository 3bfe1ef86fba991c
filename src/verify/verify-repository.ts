/** Every place where something could be in between, one after the other. */
import { join } from "node:path";
import { systemFiles } from "../base/files.ts";
import { removeFile } from "../base/open-file.ts";
import { shellWord } from "../base/shell-word.ts";
import { plural, showText } from "../base/text.ts";
import { listWork } from "../base/work-folder.ts";
import { findMissingContents, scratchPattern } from "../edit/index.ts";
import { createGit, splitNul } from "../git/index.ts";
import { checkState, recoverState } from "../state/index.ts";
import type { Leftover, VerifyPorts } from "./leftover.ts";
import { checkEdits, checkLock, checkWork } from "./repair-left-work.ts";

export interface VerifyResult {
  /** Nothing is in between, or all of it was repaired. */
  readonly clean: boolean;
  readonly findings: readonly Leftover[];
}

type LeftoverCheck = (ports: VerifyPorts, repairs: boolean) => Promise<readonly Leftover[]>;

export const verifyRepository = async (
  ports: VerifyPorts,
  { repairs }: { readonly repairs: boolean },
): Promise<VerifyResult> => {
  const findings: Leftover[] = [];
  for (const check of checks) findings.push(...(await check(ports, repairs)));
  return { clean: findings.every(({ repaired }) => repaired), findings };
};

/** Left of records and contents of edits by killed writers. */
const checkTemporaries: LeftoverCheck = async ({ repository }, repairs) => {
  const folders = ["open", "blobs"]
    .map((name) => join(repository.localDir, "edits", name))
    .filter((path) => systemFiles.stat(path));
  const { temporaries } = await (repairs ? recoverState(folders) : checkState(folders));
  return temporaries
    .filter(({ decision }) => decision.action !== "leave")
    .map(({ path }) => ({ code: "SCRATCH_LEFT", what: showText(path), repaired: repairs }));
};

const checkScratch: LeftoverCheck = async ({ repository, environment }, repairs) => {
  if (repository.kind !== "git") return [];
  const underWay = listWork(repository.localDir).flatMap((name) => /^ed_\w+/.exec(name) ?? []);
  const found: Leftover[] = [];
  for (const worktree of repository.worktrees) {
    const git = createGit({ cwd: worktree, environment });
    const list = async (kind: "--others" | "--cached"): Promise<readonly string[]> => {
      const args = ["ls-files", "-z", kind, "--ignored", `--exclude=${scratchPattern}`] as const;
      return splitNul((await git.run({ args })).stdout);
    };
    for (const path of await list("--cached")) {
      const what = `${showText(path)}: take it out with git rm --cached -- ${shellWord(`:/${path}`)}`;
      found.push({ code: "SCRATCH_TRACKED", what, repaired: false });
    }
    for (const path of await list("--others")) {
      // Whatever has a record is the record's business.
      if (underWay.some((id) => path.includes(`.headgate-${id}-`))) continue;
      if (repairs) removeFile(systemFiles, join(worktree, path));
      found.push({ code: "SCRATCH_LEFT", what: showText(path), repaired: repairs });
    }
  }
  return found;
};

const checkLocks: LeftoverCheck = async (ports, repairs) =>
  ports.repository.worktrees.flatMap((worktree) => checkLock(ports, worktree, repairs));

const checkClaims: LeftoverCheck = async ({ claims, look }, repairs) => {
  if (!(await look())) return [];
  const { reclaimed, waiters } = await claims.sweep({ dryRun: !repairs });
  const ghosts = reclaimed.map(({ target, actor }): Leftover => ({
    ...{ code: "CLAIM_GHOST", repaired: repairs, actor },
    what: `${showText(target)}: its holder ${showText(actor, 80)} is dead`,
  }));
  if (waiters === 0) return ghosts;
  const what = `${plural(waiters, "waiter")} gone`;
  return [...ghosts, { code: "WAITER_GHOST", what, repaired: repairs }];
};

const checkStore: LeftoverCheck = async ({ repository, look, events, loss }, repairs) => {
  const there = await look();
  const found: Leftover[] = [];
  const lost = await loss.find(there);
  if (lost) {
    if (repairs) await loss.forget(there, lost);
    found.push({
      ...{ code: "STORE_OLDER", repaired: repairs },
      what:
        `fence ${lost.marked} was handed out, the store knows ${lost.stored}: it was deleted or put back from ` +
        "a copy, and claims and history in between are lost. Fences go on rising",
    });
  }
  if (!there) return found;
  const chain = await events.verify();
  if (!chain.ok) found.push({ code: "EVENTS_TAMPERED", what: chain.reason, repaired: false });
  const dir = join(repository.localDir, "edits");
  const missing = await findMissingContents({ ...there, dir, files: systemFiles });
  if (missing.length > 0) {
    const shown = missing.slice(0, 5).join(", ");
    const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
    found.push({ code: "BLOB_MISSING", what: `edits ${shown}${more}`, repaired: false });
  }
  return found;
};

const checks: readonly LeftoverCheck[] = [
  checkEdits,
  checkWork,
  checkTemporaries,
  checkScratch,
  checkLocks,
  checkClaims,
  checkStore,
];
