/**
 * An edit whose judgement ran out of time passes unjudged, and says so: users punish a guard that stops good
 * work because the machine is busy. Only the judgement of its content is left for later; paths, claims and
 * the store are asked now, and whatever is wrong with them refuses. The write is recorded first, so
 * that it is judged in the background, and a second time-out on the same content is a refusal.
 */
import { plural, showText } from "../../base/text.ts";
import { errorCodes } from "../../errors.ts";
import { type Reason, workingTree } from "../../gate/index.ts";
import { contentHash } from "../../state/index.ts";
import { UnjudgedWrites } from "../unjudged/index.ts";
import { type Denied, intentsFor, refuse } from "./before-tool.ts";
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { guardedTool } from "./guard-for.ts";
import { actorName } from "./hook-actor.ts";
import type { Intent } from "./proposal.ts";
import { ringFor } from "./ring-for.ts";
import type { HookCall, HookDecision, ToolUse } from "./types.ts";

export const passUnjudged = async (
  call: HookCall,
  {
    tool,
    headgate,
    dependencies,
    why,
  }: {
    readonly tool: ToolUse;
    readonly headgate: HookHeadgate;
    readonly dependencies: HookDependencies;
    readonly why: string;
  },
): Promise<HookDecision> => {
  const { localDir } = headgate.repository;
  const { clock, environment } = dependencies;
  const register = new UnjudgedWrites({ localDir, clock, environment });
  const guarded = await guardedTool(tool, headgate, dependencies);
  if (guarded) return refuse(tool, { reason: guarded }, call, { headgate, dependencies });
  const intents = await intentsFor(tool, headgate, dependencies);
  for (const intent of intents) {
    const reason = secondTime(intent, call, register);
    if (reason) return refuse(tool, { reason, intent }, call, { headgate, dependencies });
  }
  const passed: string[] = [];
  for (const intent of intents) {
    const denied = await admit(intent, call, { tool, headgate, dependencies, register, why });
    if (denied) return refuse(tool, denied, call, { headgate, dependencies });
    passed.push(...intent.writes.map(({ path }) => path));
  }
  if (passed.length === 0) return { kind: "pass" };
  const shown = passed.slice(0, shownMax).map((path) => showText(path, 120));
  const more = passed.length > shownMax ? ` and ${passed.length - shownMax} more` : "";
  await headgate.events.append({
    kind: "write.unjudged",
    actor: actorName(call),
    data: { paths: shown, count: passed.length, tool: tool.name.slice(0, 100), why },
  });
  return {
    kind: "tell",
    text:
      `Headgate let this ${showText(tool.name, 40)} pass unjudged (${why}): ${shown.join(", ")}${more}. ` +
      `${plural(passed.length, "file")} will be judged in the background, and a later hook says the result; ` +
      `a commit is refused until then. Go on, but do not rely on it.`,
  };
};

const shownMax = 5;

/** Hashes of contents that are not judged wait in the register, whatever became of them since. */
const secondTime = (
  { root, writes }: Intent,
  { toolUseId }: HookCall,
  register: UnjudgedWrites,
): Reason | undefined => {
  for (const { path, after } of writes) {
    const hash = after === null ? null : contentHash(after);
    const known = register.find({ root, path, after: hash });
    const isSameUse = toolUseId !== undefined && known?.toolUseId === toolUseId;
    if (!known || isSameUse) continue;
    return {
      ...{ code: "HOOK_TIMEOUT", path },
      message: "The judgement of this very content ran out of time twice.",
      remedy: errorCodes.HOOK_TIMEOUT.remedy,
    };
  }
  return undefined;
};

const admit = async (
  { root, writes, unsure }: Intent,
  call: HookCall,
  {
    tool,
    headgate,
    dependencies,
    register,
    why,
  }: {
    readonly tool: ToolUse;
    readonly headgate: HookHeadgate;
    readonly dependencies: HookDependencies;
    readonly register: UnjudgedWrites;
    readonly why: string;
  },
): Promise<Denied | undefined> => {
  const isHere = root === headgate.repository.worktree;
  const there = isHere ? headgate : await dependencies.openWorktree(root);
  const { gate, claims } = there.as(dependencies.actorOf(call));
  // Of files whose new content is not known, only path and claim are ever judged.
  const tree = workingTree(root);
  const named = unsure.map((path) => {
    const now = tree.read(path) ?? null;
    return { path, before: now, after: now };
  });
  const intent = { root, writes, unsure };
  for (const part of [writes, named]) {
    if (part.length === 0) continue;
    const { reasons, files } = await gate.admitUnjudged(
      { writes: part, actor: actorName(call) },
      { use: call.toolUseId },
    );
    const [reason] = reasons;
    if (reason) return { reason, intent };
    // Refused already, because this took too long as well.
    if (part === named || dependencies.isOver?.()) continue;
    await register.add(
      files.map((file) => ({
        ...{ root, ...file, why, actor: claims.actor.id, tool: tool.name.slice(0, 100) },
        ...(call.toolUseId !== undefined && { toolUseId: call.toolUseId }),
      })),
    );
    const admitted = files.map(({ path, after }) => ({ path, hash: after }));
    await ringFor(call, there, dependencies)?.admitted(admitted);
  }
  return undefined;
};
