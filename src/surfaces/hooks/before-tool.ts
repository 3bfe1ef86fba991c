/** A tool is about to run: what it will write is judged and claimed, what it will run is read. */
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import {
  configuredPolicy,
  holdEdit,
  type Reason,
  workingTree,
  type Write,
} from "../../gate/index.ts";
import type { NewNotice } from "../../notices/index.ts";
import { fitRemedy } from "../fit-remedy.ts";
import { noteMissed } from "../note-missed.ts";
import { noteRefusal } from "../note-refusal.ts";
import { mayWriteUnseen } from "./concerns.ts";
import type { HookActing, HookDependencies, HookHeadgate } from "./dependencies.ts";
import { guardedTool, guardFor } from "./guard-for.ts";
import { actorName } from "./hook-actor.ts";
import { refuseWithNotices } from "./notices.ts";
import { placeOf } from "./place.ts";
import { type Intent, intentsOf } from "./proposal.ts";
import { refusalOf } from "./refusal.ts";
import { ringFor } from "./ring-for.ts";
import type { HookCall, HookDecision, HookRefusal, ToolUse } from "./types.ts";

const pass: HookDecision = { kind: "pass" };

export const answerBefore = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { tool } = call;
  if (!tool) return pass;
  const notes: string[] = [];
  const denied =
    tool.kind === "shell"
      ? await judgeCommand(tool, call, { headgate, dependencies, notes })
      : await judgeWrites(tool, call, { headgate, dependencies, notes });
  // The answer went out without it, so it refuses nothing any more.
  if (dependencies.isOver?.()) return pass;
  if (denied) {
    const refusal = await refuse(tool, denied, call, { headgate, dependencies });
    return refuseWithNotices(refusal, headgate.as(dependencies.actorOf(call)));
  }
  if (await mayWriteFiles(tool, call, dependencies)) {
    await ringFor(call, headgate, dependencies)?.before(ringCall(tool, call));
  }
  return notes.length === 0 ? pass : { kind: "tell", text: notes.join("\n") };
};

/** Which files it writes is only known afterwards, if it writes any. */
export const mayWriteFiles = async (
  tool: ToolUse,
  { cwd }: HookCall,
  { keepsFiles }: HookDependencies,
): Promise<boolean> =>
  tool.kind === "shell"
    ? !(await keepsFiles?.(tool, cwd))
    : tool.kind === "unknown-write" || mayWriteUnseen(tool);

/** Why not, and what it was that would have been written. */
export interface Denied {
  readonly reason: Reason;
  readonly intent?: Intent;
  /** The worktree that the reason speaks of, where no intent says it. */
  readonly root?: string;
}

export const ringCall = ({ name }: ToolUse, { toolUseId }: HookCall) => ({
  tool: name,
  ...(toolUseId !== undefined && { toolUseId }),
});

const judgeCommand = async (
  tool: Extract<ToolUse, { kind: "shell" }>,
  call: HookCall,
  { headgate, dependencies, notes }: WriteContext,
): Promise<Denied | undefined> => {
  const { judgeShell, actorOf, environment, worktrees } = dependencies;
  if (!judgeShell) return undefined;
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const place = placeOf(join(call.cwd, "any"), roots);
  const { protectedBy } = configuredPolicy(headgate.config.gate, environment.platform);
  const claims = headgate.as(actorOf(call)).claims;
  const root = place?.root ?? repository.worktree;
  const { reasons, reading } = await judgeShell(tool.command, {
    shell: tool.shell,
    cwd: call.cwd,
    root,
    worktrees: roots,
    caseInsensitive: repository.caseInsensitive,
    claims,
    linesIn: async (worktree) => (await headgateAt(worktree, headgate, dependencies)).lines,
    home: environment.home,
    environment,
    guard: await guardFor(headgate, dependencies),
    localDir: repository.localDir,
    ...(protectedBy && { protectedBy }),
  });
  const [reason] = reasons;
  const isApproved =
    reason?.code === "PERSON_NEEDED" &&
    (await import("./wanted-command.ts")).isCommandApproved(
      { command: tool.command, cwd: call.cwd, uses: reading.personal },
      { headgate, actor: claims.actor },
    );
  if (reason && !(await isApproved)) return { reason, root };
  const effects = reading.effects.filter((effect) => effect.kind === "git");
  if (effects.length > 0) {
    const { takeGitTurn } = await import("./git-turn.ts");
    const { lines } = await headgateAt(root, headgate, dependencies);
    const isOver = () => dependencies.isOver?.() ?? false;
    const { clock } = dependencies;
    const locked = await takeGitTurn(effects, { claims, lines, clock, root, isOver });
    if (locked !== undefined) notes.push(locked);
  }
  return undefined;
};

interface WriteContext {
  readonly headgate: HookHeadgate;
  readonly dependencies: HookDependencies;
  /** For the agent, when nothing is refused. */
  readonly notes: string[];
}

const judgeWrites = async (
  tool: ToolUse,
  call: HookCall,
  context: WriteContext,
): Promise<Denied | undefined> => {
  const { headgate, dependencies } = context;
  const guarded = await guardedTool(tool, headgate, dependencies);
  if (guarded) return { reason: guarded };
  const { clock } = dependencies;
  const untilMs = clock.monoMs() + limits.hookLinesMs;
  for (let tries = 0; ;) {
    const denied = await judgeOnce(tool, call, context);
    const code = denied?.reason.code;
    if (denied === undefined || dependencies.isOver?.()) return denied;
    if (code === "LINES_MOVED" && (tries += 1) < movedMax) continue;
    if (code !== "LINES_HELD" || clock.monoMs() >= untilMs) return denied;
    // Their author may be about to commit; the write is then worked out again on the file as it is then.
    await untilWritten(denied, { headgate, dependencies, untilMs });
  }
};

const judgeOnce = async (
  tool: ToolUse,
  call: HookCall,
  context: WriteContext,
): Promise<Denied | undefined> => {
  const { headgate, dependencies } = context;
  for (const intent of await intentsFor(tool, headgate, dependencies)) {
    const there = await headgateAt(intent.root, headgate, dependencies);
    const acting = there.as(dependencies.actorOf(call));
    const reason =
      (await judgeUnsure(intent, acting)) ??
      (await admit(intent, acting, call, { ...context, headgate: there }));
    if (reason) return { reason, intent };
  }
  return undefined;
};

const headgateAt = async (
  root: string,
  headgate: HookHeadgate,
  { openWorktree }: HookDependencies,
): Promise<HookHeadgate> => (root === headgate.repository.worktree ? headgate : openWorktree(root));

/** Until something is known of the file that was not, or the time is over. */
const untilWritten = async (
  { reason, intent }: Denied,
  {
    headgate,
    dependencies,
    untilMs,
  }: {
    readonly headgate: HookHeadgate;
    readonly dependencies: HookDependencies;
    readonly untilMs: number;
  },
): Promise<void> => {
  const { clock } = dependencies;
  const root = intent?.root ?? headgate.repository.worktree;
  const { lines } = await headgateAt(root, headgate, dependencies);
  const look = () => lines.changedAt(reason.path);
  const known = await look();
  while (clock.monoMs() < untilMs && !dependencies.isOver?.()) {
    await clock.sleep(linesPollMs);
    if ((await look()) !== known) return;
  }
};

const linesPollMs = 200;
/** Others may write the file just then, but not each time. */
const movedMax = 5;

export const intentsFor = async (
  tool: ToolUse,
  { repository }: HookHeadgate,
  { worktrees }: HookDependencies,
): Promise<readonly Intent[]> => {
  const roots = (await worktrees?.()) ?? repository.worktrees;
  return intentsOf(tool, {
    place: (file) => placeOf(file, roots),
    read: ({ root, path }) => workingTree(root).read(path),
  });
};

const admit = async (
  { writes }: Intent,
  { gate }: HookActing,
  call: HookCall,
  { headgate: there, dependencies, notes }: WriteContext,
): Promise<Reason | undefined> => {
  if (writes.length === 0) return undefined;
  const { verdict, near } = await gate.admit(
    { writes, actor: actorName(call) },
    { isWanted: () => !dependencies.isOver?.(), use: call.toolUseId },
  );
  if (verdict.verdict === "deny") return verdict.reasons[0] ?? unexplained;
  if (dependencies.isOver?.()) return undefined;
  if (near.length > 0) {
    notes.push(...((await ringFor(call, there, dependencies)?.tellNear(near)) ?? []));
  }
  await there.notify(noteNotices(verdict.notes, actorName(call)));
  await noteMissed(there, { notes: verdict.notes, actor: actorName(call) });
  const admitted = verdict.files.map(({ path, after }) => ({ path, hash: after }));
  await ringFor(call, there, dependencies)?.admitted(admitted);
  return undefined;
};

/** E-21: the agent reads them once its edit is made. */
const noteNotices = (notes: readonly Reason[], to: string): NewNotice[] =>
  notes
    .filter(({ code, missing }) => noted.has(code) || missing !== undefined)
    .slice(0, notesMax)
    .map(({ code, path, symbol = "", missing = symbol, message, remedy }) => ({
      ...{ to, kind: "note", target: path, about: `note:${code}:${path}:${missing}` },
      text: `${code} ${message}. ${remedy}`,
    }));

const noted = new Set([
  "NOT_JUDGEABLE",
  "SECRET_FOUND",
  "FILE_WRAPPED",
  "READ_FIRST",
  "ODD_CHARACTER",
  "SYMBOLS_LOST",
  "TESTS_FEWER",
  "TEST_FOCUSED",
  "TEST_SKIPPED",
  "DEBUGGER_LEFT",
  "LINE_ENDS_CHANGED",
  "BYTE_ORDER_MARK",
  "FILE_GENERATED",
  "SIGNATURE_CHANGED",
  "SYMBOL_REMOVED",
]);
const notesMax = 3;

/** Judged as the files are, which looks at their paths; claimed as wholes. */
const judgeUnsure = async (
  { root, unsure }: Intent,
  { gate, claims }: HookActing,
): Promise<Reason | undefined> => {
  if (unsure.length === 0) return undefined;
  const tree = workingTree(root);
  const writes = unsure.map((path) => {
    const now = tree.read(path) ?? null;
    return { path, before: now, after: now };
  });
  const { verdict, reasons } = await gate.judge({ writes });
  if (verdict === "deny") return reasons[0] ?? unexplained;
  const targets = unsure.map((path) => ({ path: `${root}/${path}`, extent: "file" as const }));
  for (let from = 0; from < targets.length; from += limits.claimTargetsMax) {
    const part = targets.slice(from, from + limits.claimTargetsMax);
    const held = await holdEdit(claims, part, unsure[from] ?? "");
    if ("reasons" in held) return held.reasons[0] ?? unexplained;
  }
  return undefined;
};

const unexplained: Reason = {
  code: "HOOK_FAILED",
  path: "",
  message: "It was denied without a reason.",
  remedy: "Run `headgate doctor`.",
};

export const refuse = async (
  tool: ToolUse,
  { reason, intent, root = intent?.root }: Denied,
  call: HookCall,
  { headgate, dependencies }: Pick<WriteContext, "headgate" | "dependencies">,
): Promise<HookRefusal> => {
  await noteRefusal(headgate, {
    ...{ actor: actorName(call), tool: tool.name, reason, hook: true },
    change: () => intent && changeOf(intent, reason.path),
  });
  const { worktree, localDir } = headgate.repository;
  const stand = { root: root ?? worktree, localDir, cwd: call.cwd };
  const remedy = fitRemedy(reason.remedy, { ...stand, environment: dependencies.environment });
  return refusalOf(tool.name, { ...reason, remedy });
};

/** What would have been written, for a person to look at later (dashboard). */
const changeOf = ({ root, writes }: Intent, path: string) => {
  const write: Write | undefined = writes.find((one) => one.path === path) ?? writes[0];
  if (!write) return undefined;
  const before = write.before ?? workingTree(root).read(write.path);
  return { path: write.path, before, after: write.after };
};
