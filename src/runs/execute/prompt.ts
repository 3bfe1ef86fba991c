/** What an agent is told: one task, its limits, and how to say that something is in the way. */
import type { Note, Plan, Task } from "../types.ts";

export const promptOf = (about: {
  readonly run: string;
  readonly plan: Plan;
  readonly task: Task;
  readonly number: number;
  readonly answers: readonly Note[];
  /** Why the attempt before this one did not count, and where its changes are kept. */
  readonly before?: { readonly reason: string; readonly rescues: readonly string[] };
}): string => {
  const { plan, task, number, answers, before } = about;
  const files = task.files.map((file) => `- ${file}`);
  const parts = [
    `# Task ${number} of plan ${plan.id} (${plan.title}): ${task.name}`,
    plan.text,
    task.action,
    task.done === undefined ? "" : `Done means: ${task.done}`,
    files.length > 0
      ? `You may change these files and no others:\n${files.join("\n")}`
      : "Change no file: this task only looks or runs something.",
    task.verify === undefined
      ? ""
      : `Afterwards this command decides whether it is done:\n\n    ${task.verify.replaceAll("\n", "\n    ")}`,
    answers.length === 0
      ? ""
      : `Questions that were answered:\n${answers.map((note) => `- ${note.text}\n  Answer: ${note.answer ?? ""}`).join("\n")}`,
    before === undefined || before.reason === ""
      ? ""
      : `An earlier attempt did not count: ${before.reason}${before.rescues.length > 0 ? `\nIts changes are kept in git as ${before.rescues.join(", ")}; the files are as they were before it.` : ""}`,
    rules,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
};

const rules = `Rules:
- Do not commit, push, stash, reset or switch branches: your files are checked and committed when you have ended.
- A small defect that is in your way: repair it within your files and print a line "HEADGATE: fixed WHAT".
- Something wrong that is not your task: leave it, and print a line "HEADGATE: issue WHAT".
- A choice that you must not make alone: change nothing more, print a line "HEADGATE: needs-decision QUESTION" and end.
- Something only a person can do (a password, an installation): print "HEADGATE: needs-action WHAT" and end.
- If it cannot be done: print "HEADGATE: failed WHY" and end.`;
