/** Whether an agent may do what the line asks for in a person's place: never; another repository is none of ours. */
import { systemFiles } from "../../../base/files.ts";
import { showText } from "../../../base/text.ts";
import { hasHookRunner } from "../../../git/index.ts";
import type { Reason } from "../../../gate/index.ts";
import { worktreeOf } from "./judge-git.ts";
import type { PersonalUse, ShellContext } from "./types.ts";

export const judgePersonal = (use: PersonalUse, context: ShellContext): Reason | undefined => {
  const { kind, actor, by } = use;
  if (kind === "shell") return openShell(by);
  if (kind === "hooks") return skipsOurHooks(use, context) ? withoutHooks(by) : undefined;
  if (kind === "actor" && isOwn(actor ?? "", context)) return undefined;
  if (kind !== "bypass" && isElsewhere(use, context)) return undefined;
  return {
    code: kind === "store" ? "PATH_OWN" : "PERSON_NEEDED",
    path: "",
    message: why(use),
    remedy:
      kind === "store"
        ? "Use headgate commands (status, claims, events) to look, and leave the store alone."
        : "Go on without it, or ask the person you work for to do it in a terminal of their own.",
  };
};

const why = ({ kind, by, actor }: PersonalUse): string => {
  const shown = showText(by, 80);
  if (kind === "actor")
    return `${shown} would act as ${showText(actor ?? "", 80)}, which is another actor`;
  if (kind === "store") return `${shown} would open Headgate's store`;
  if (kind === "setting")
    return `${shown} is a person's setting: it runs programs, moves hooks or says who acts`;
  if (kind === "mark") return `without ${shown} it cannot be known whose command it is`;
  return `${shown} is for a person to use`;
};

/** Commands that are typed into it later pass no hook. */
const openShell = (by: string): Reason => ({
  code: "HOOKS_SKIPPED",
  path: "",
  message: `${showText(by, 40)} without a command opens a shell, and no hook sees what is typed into it`,
  remedy: "Run each command as a command of its own.",
});

/** A place that is decided later, or a `cd` that fails, is taken for this repository. */
const skipsOurHooks = ({ at, isFresh }: PersonalUse, context: ShellContext): boolean => {
  const { files = systemFiles, root } = context;
  const isThere = at !== undefined && files.statFollowing(at)?.isDirectory() === true;
  if (!isThere && isFresh) return false;
  const worktree = isThere ? worktreeOf(at, context) : root;
  return worktree !== undefined && hasHookRunner(worktree, files);
};

const withoutHooks = (by: string): Reason => ({
  code: "HOOKS_SKIPPED",
  path: "",
  message: `${showText(by, 80)} would run without git's hooks, which judge what many agents commit here`,
  remedy:
    "Run it with the hooks, and repair what they refuse. If a hook itself is wrong, tell the person you work for.",
});

/** One's own sub-agents have the session's name in front of theirs. */
const isOwn = (actor: string, { claims }: ShellContext): boolean => {
  const [session = ""] = claims.actor.id.split("/", 1);
  return actor === session || actor.startsWith(`${session}/`);
};

/** With an unknown place a command is taken at its word; a setting or a name may well be another repository's. */
const isElsewhere = ({ kind, at, folder }: PersonalUse, context: ShellContext): boolean => {
  if (at === "everywhere") return false;
  const isVague = kind === "setting" || kind === "actor" || kind === "mark";
  if (at === undefined) return isVague;
  const { files = systemFiles, guard } = context;
  if (isVague && folder !== undefined && !files.statFollowing(folder)?.isDirectory()) return true;
  return worktreeOf(at, context) === undefined && guard?.(at)?.code !== "PATH_GIT";
};
