/** A tool is about to run: what it will write is judged and claimed, what it will run is read. */
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import {
  configuredPolicy,
  conflictFinding,
  type Reason,
  workingTree,
  type Write,
} from "../../gate/index.ts";
import { noteRefusal } from "../note-refusal.ts";
import { mayWriteUnseen } from "./concerns.ts";
import type { HookActing, HookDependencies, HookHeadgate } from "./dependencies.ts";
import { actorName } from "./hook-actor.ts";
import { placeOf } from "./place.ts";
import { type Intent, intentsOf } from "./proposal.ts";
import { refusalOf } from "./refusal.ts";
import { ringFor } from "./ring-for.ts";
import type { HookCall, HookDecision, ToolUse } from "./types.ts";

const pass: HookDecision = { kind: "pass" };

export const answerBefore = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { tool } = call;
  if (!tool) return pass;
  const denied =
    tool.kind === "shell"
      ? await judgeCommand(tool, call, headgate, dependencies)
      : await judgeWrites(tool, call, headgate, dependencies);
  // The answer went out without it, so it refuses nothing any more.
  if (dependencies.isOver?.()) return pass;
  if (denied) return refuse(tool, denied, call, headgate);
  if (tool.kind === "shell" || tool.kind === "unknown-write" || mayWriteUnseen(tool)) {
    await ringFor(call, headgate, dependencies)?.before(ringCall(tool, call));
  }
  return pass;
};

/** Why not, and what it was that would have been written. */
export interface Denied {
  readonly reason: Reason;
  readonly intent?: Intent;
}

export const ringCall = ({ name }: ToolUse, { toolUseId }: HookCall) => ({
  tool: name,
  ...(toolUseId !== undefined && { toolUseId }),
});

const judgeCommand = async (
  tool: Extract<ToolUse, { kind: "shell" }>,
  call: HookCall,
  headgate: HookHeadgate,
  { judgeShell, actorOf, environment, worktrees }: HookDependencies,
): Promise<Denied | undefined> => {
  if (!judgeShell) return undefined;
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const place = placeOf(join(call.cwd, "any"), roots);
  const { protectedBy } = configuredPolicy(headgate.config.gate, environment.platform);
  const { reasons } = await judgeShell(tool.command, {
    shell: tool.shell,
    cwd: call.cwd,
    root: place?.root ?? repository.worktree,
    worktrees: roots,
    caseInsensitive: repository.caseInsensitive,
    claims: headgate.as(actorOf(call)).claims,
    home: environment.home,
    environment,
    ...(protectedBy && { protectedBy }),
  });
  return reasons[0] && { reason: reasons[0] };
};

const judgeWrites = async (
  tool: ToolUse,
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<Denied | undefined> => {
  for (const intent of await intentsFor(tool, headgate, dependencies)) {
    const isHere = intent.root === headgate.repository.worktree;
    const there = isHere ? headgate : await dependencies.openWorktree(intent.root);
    const acting = there.as(dependencies.actorOf(call));
    const reason =
      (await judgeUnsure(intent, acting)) ??
      (await admit(intent, acting, call, { there, dependencies }));
    if (reason) return { reason, intent };
  }
  return undefined;
};

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
  {
    there,
    dependencies,
  }: { readonly there: HookHeadgate; readonly dependencies: HookDependencies },
): Promise<Reason | undefined> => {
  if (writes.length === 0) return undefined;
  const isWanted = () => !dependencies.isOver?.();
  const { verdict } = await gate.admit({ writes, actor: actorName(call) }, isWanted);
  if (verdict.verdict === "deny") return verdict.reasons[0] ?? unexplained;
  const admitted = verdict.files.map(({ path, after }) => ({ path, hash: after }));
  await ringFor(call, there, dependencies)?.admitted(admitted);
  return undefined;
};

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
  const { id, session } = claims.actor;
  const targets = unsure.map((path) => ({ path: `${root}/${path}`, extent: "file" as const }));
  for (let from = 0; from < targets.length; from += limits.claimTargetsMax) {
    const result = await claims.claim({
      targets: targets.slice(from, from + limits.claimTargetsMax),
      reason: "editing",
      forSession: id === session,
    });
    const [blocker] = result.ok ? [] : result.blockers;
    if (blocker) return conflictFinding(blocker, unsure[0] ?? "");
    if (!result.ok) return unexplained;
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
  { reason, intent }: Denied,
  call: HookCall,
  headgate: HookHeadgate,
): Promise<HookDecision> => {
  await noteRefusal(headgate, {
    ...{ actor: actorName(call), tool: tool.name, reason },
    change: () => intent && changeOf(intent, reason.path),
  });
  return refusalOf(tool.name, reason);
};

/** What would have been written, for a person to look at later (dashboard). */
const changeOf = ({ root, writes }: Intent, path: string) => {
  const write: Write | undefined = writes.find((one) => one.path === path) ?? writes[0];
  if (!write) return undefined;
  const before = write.before ?? workingTree(root).read(write.path);
  return { path: write.path, before, after: write.after };
};
