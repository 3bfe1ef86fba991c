/** Plans to start from: `headgate run new`. */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { writeFileAtomic } from "../../state/index.ts";

/** Writes `count` plans that are complete and do nothing harmful; refuses where one is there already. */
export const newPlans = async (
  folder: string,
  { count, files }: { readonly count: number; readonly files: Files },
): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, index) => `${number(index + 1)}-PLAN.md`);
  const taken = names.find((name) => files.stat(join(folder, name)));
  if (taken !== undefined) {
    throw new HeadgateError("FILE_EXISTS", `${showText(join(folder, taken))} is there already`);
  }
  files.makeDirectory(folder, 0o777);
  for (const [index, name] of names.entries()) {
    await writeFileAtomic(join(folder, name), planText(index + 1), { expect: null });
  }
  return names;
};

const number = (value: number): string => String(value).padStart(2, "0");

const planText = (plan: number): string => `---
plan: "${number(plan)}"
depends_on: [${plan > 1 ? `"${number(plan - 1)}"` : ""}]
writes: ["notes/step-${number(plan)}.md"]
timeout: 30m
---
# What plan ${number(plan)} is for

What every agent of this plan should know: the goal, the limits, where to look.

## Task: write the notes of step ${number(plan)}
- files: notes/step-${number(plan)}.md
- verify: \`test -s notes/step-${number(plan)}.md\`
- done: the file says what was found

Say here what the agent shall do. It sees this text, the list of files and the command that decides.
`;
