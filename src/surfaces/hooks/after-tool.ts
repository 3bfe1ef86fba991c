/** A tool has run: what the agent has seen of files is remembered, what went around the gate is found. */
import { hash } from "node:crypto";
import { join } from "node:path";
import { endGitTurn } from "./git-turn.ts";
import { type Placed, placeOf } from "./place.ts";
import { HeadgateError } from "../../errors.ts";
import { armingFiles, endSettledHolds, heldFiles, workingTree } from "../../gate/index.ts";
import { UnjudgedWrites } from "../unjudged/index.ts";
import type { ChangedFileRead } from "./changed-since.ts";
import { mayWrite } from "./concerns.ts";
import type { HookActing, HookDependencies, HookHeadgate } from "./dependencies.ts";
import { mayWriteFiles, ringCall } from "./before-tool.ts";
import { inWorktree } from "./in-worktree.ts";
import { lookAtCommits } from "./late-commits.ts";
import { type InboxLook, lookAtInbox, tellTaken } from "./notices.ts";
import { filesOf } from "./proposal.ts";
import { takeBack } from "./replace-text.ts";
import { ringFor } from "./ring-for.ts";
import { markReads, rememberShown } from "./shown-files.ts";
import { mayMake } from "./tool-words.ts";
import type { HookCall, HookDecision, ToolUse } from "./types.ts";

export const answerAfter = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { tool } = call;
  if (!tool) return { kind: "pass" };
  const changed = await rememberSeen(tool, call, headgate, dependencies);
  const own = headgate.as(dependencies.actorOf(call));
  if (tool.kind === "read") await markReads(call, own);
  if (tool.kind === "shell") await rememberShown(tool.command, call, headgate, dependencies);
  const look = lookAtInbox(own, call);
  const isLate = await noteLines(tool, call, headgate, { ...dependencies, look });
  if (tool.kind === "shell") await giveTurnBack(tool.command, call, headgate, dependencies);
  const ring = ringFor(call, headgate, dependencies);
  const mayHaveWritten = await mayWriteFiles(tool, call, dependencies);
  const report = mayHaveWritten ? await ring?.after(ringCall(tool, call)) : undefined;
  if (report?.compared) await endOwnHolds(call, headgate, dependencies);
  // Where everything passes by the word of a person, no look was taken before the tool ran.
  const isSaid = report?.compared || dependencies.bypass === undefined;
  await ring?.settle();
  const moved = report ? report.moved : await moveIn(tool, call, own);
  const hasLate = await lookAtCommits(call, headgate, dependencies, moved);
  await settleElsewhere(call, headgate, dependencies);
  const { session } = own.claims.actor;
  const isArming = report?.ungated.some(({ path }) => armingFiles.includes(path.toLowerCase()));
  const messages = [
    ...(moved || isArming ? await settingsTexts(call, headgate, dependencies) : []),
    ...(changed.length > 0
      ? await (await import("./changed-since.ts")).changedTexts(changed, session, ring)
      : []),
    ...(isSaid && report?.text !== undefined ? [report.text] : []),
    ...((await ring?.takeMessages()) ?? []),
  ];
  const isMore = isLate || hasLate || !look.isDone();
  const later = isMore && !call.isDeaf ? own : undefined;
  return tellTaken(messages, look.taken(), later);
};

/** Git brought settings in which Headgate is called less: once, with the command that renews them. */
const settingsTexts = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<string[]> => {
  const there = await inWorktree(call, headgate, dependencies);
  const { settingsProblems } = await import("../setup/index.ts");
  const told: string[] = [];
  for (const text of settingsProblems(there.repository, dependencies.environment)) {
    const isNew = await ringFor(call, there, dependencies)?.isNews(["settings", text]);
    if (isNew === true) told.push(`Headgate: ${text}`);
  }
  return told;
};

/** `git update-ref` and the like write no file, so no look was taken before. */
const moveIn = async (
  tool: ToolUse,
  { cwd }: HookCall,
  { claims }: HookActing,
): Promise<{ readonly by: readonly string[] } | undefined> => {
  if (tool.kind !== "shell") return undefined;
  const { readCommand } = await import("./shell/index.ts");
  const { effects } = readCommand(tool.command, { shell: tool.shell, cwd });
  const isMove = effects.some((one) => one.kind === "git" && one.touches.includes("head"));
  return isMove ? { by: [claims.actor.session] } : undefined;
};

/** Nothing was written: others need not wait for it. A command may have done half of its work. */
export const answerFailed = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  if (call.tool?.kind === "shell") return answerAfter(call, headgate, dependencies);
  const own = headgate.as(dependencies.actorOf(call));
  const look = lookAtInbox(own, call);
  if (call.tool) await noteLines(call.tool, call, headgate, { ...dependencies, look });
  return tellTaken([], look.taken(), look.isDone() || call.isDeaf ? undefined : own);
};

const giveTurnBack = async (
  command: string,
  call: HookCall,
  headgate: HookHeadgate,
  { actorOf, clock, worktrees }: HookDependencies,
): Promise<void> => {
  const roots = (await worktrees?.()) ?? headgate.repository.worktrees;
  const root = placeOf(join(call.cwd, "any"), roots)?.root ?? headgate.repository.worktree;
  await endGitTurn(command, { claims: headgate.as(actorOf(call)).claims, clock, root });
};

/** Writes down whose lines the files show now. True: it was sent a notice because of them. */
const noteLines = async (
  tool: ToolUse,
  call: HookCall,
  headgate: HookHeadgate,
  { actorOf, openWorktree, worktrees, look }: HookDependencies & { readonly look: InboxLook },
): Promise<boolean> => {
  const by = { actor: actorOf(call), kind: "edit" } as const;
  const hear = async (): Promise<false> => {
    await headgate.lines.heard({ ...by, along: look.along });
    return false;
  };
  if (!mayWrite(tool) || tool.kind === "shell") return hear();
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const placed = filesOf(tool).flatMap((file) => orNothing(() => placeOf(file, roots)) ?? []);
  if (placed.length === 0) return hear();
  let isLate = false;
  let isFirst = true;
  for (const [root, places] of Map.groupBy(placed.slice(0, filesMax), (one) => one.root)) {
    const there = root === repository.worktree ? headgate : await openWorktree(root);
    const { toolUseId: use, event } = call;
    const { lines } = there;
    const { settled, overdue } = await lines.note(
      places.map(({ path }) => path),
      {
        ...{
          ...by,
          ...(isFirst && { along: look.along }),
          ...(use !== undefined && { use }),
          hasFailed: event === "tool-failed",
        },
        mayWrite: (change) => mayMake(tool, change),
      },
    );
    isFirst = false;
    const { claims } = there.as(by.actor);
    if (overdue.length > 0) {
      const { tellLateClaims } = await import("./late-claims.ts");
      isLate = (await tellLateClaims(overdue, claims, there)) || isLate;
    }
    await endSettledHolds({ claims, lines }, settled);
  }
  return isLate;
};

/** A command may have put files back as their commit has them. */
const endOwnHolds = async (
  call: HookCall,
  { lines, as }: HookHeadgate,
  { actorOf }: HookDependencies,
): Promise<void> => {
  const { claims } = as(actorOf(call));
  const files = await heldFiles(claims);
  await lines.note(files);
  await endSettledHolds({ claims, lines }, files);
};

/** Judges this actor's unjudged writes in worktrees other than its own. */
const settleElsewhere = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<void> => {
  const { localDir, worktree } = headgate.repository;
  const { id } = dependencies.actorOf(call);
  const own = new UnjudgedWrites({ localDir }).waiting().filter(({ actor }) => actor === id);
  const roots = new Set(own.map(({ root }) => root).filter((root) => root !== worktree));
  for (const root of roots) {
    const there = await dependencies.openWorktree(root).catch(() => undefined);
    if (there) await ringFor(call, there, dependencies)?.settle();
  }
};

const rememberSeen = async (
  tool: ToolUse,
  call: HookCall,
  headgate: HookHeadgate,
  { actorOf, openWorktree, worktrees }: HookDependencies,
): Promise<readonly ChangedFileRead[]> => {
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const changed: ChangedFileRead[] = [];
  const placed = filesOf(tool).flatMap((file) => orNothing(() => placeOf(file, roots)) ?? []);
  const byRoot = Map.groupBy(placed.slice(0, filesMax), ({ root }) => root);
  for (const [root, places] of byRoot) {
    const there = root === repository.worktree ? headgate : await openWorktree(root);
    const found = await rememberIn(tool, places, there.as(actorOf(call)));
    changed.push(...found.map((one) => ({ ...one, there })));
  }
  return changed;
};

const rememberIn = async (
  tool: ToolUse,
  places: readonly Placed[],
  { seen }: HookActing,
): Promise<readonly Omit<ChangedFileRead, "there">[]> => {
  const changed: Omit<ChangedFileRead, "there">[] = [];
  const files: { readonly path: string; readonly hash: string }[] = [];
  for (const { root, path } of places) {
    const now = orNothing(() => workingTree(root).read(path));
    if (!now) continue;
    const old = tool.kind === "replace" ? await unlikeSeen(tool, path, now, seen) : undefined;
    if (old !== undefined) {
      changed.push({ path, hash: old });
      continue;
    }
    files.push({ path, hash: hash("sha256", now) });
  }
  if (files.length > 0) await seen.remember(files);
  return changed;
};

/**
 * An edit finds its place in a file that others have changed meanwhile. The agent has not seen their change,
 * so the file must not count as seen, or the agent's next whole file would take it away unnoticed. Answers the
 * hash of what it has seen.
 */
const unlikeSeen = async (
  tool: Extract<ToolUse, { kind: "replace" }>,
  path: string,
  now: Buffer,
  seen: HookActing["seen"],
): Promise<string | undefined> => {
  const last = await seen.lastSeen(path);
  if (last === undefined || tool.edits.some(({ file }) => file !== undefined)) return undefined;
  const before = takeBack(now.toString("utf8"), tool.edits);
  return before === undefined || hash("sha256", before) === last ? undefined : last;
};

/** Too large, unreadable, or two places in one: what cannot be looked at has not been seen. */
const orNothing = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};

/** As many as one call remembers at most. */
const filesMax = 1_000;
