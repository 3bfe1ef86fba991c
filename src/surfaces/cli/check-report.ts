import { showText } from "../../base/text.ts";
import type { Check } from "../../claims/index.ts";
import { blockerLines, nextLines } from "./claim-lines.ts";
import { askSteps, inTheWay, sameCaller, type Wanted, wordsFor } from "./claim-refusal.ts";
import type { CommandContext, ExitCode } from "./command.ts";

/** Whether targets are free, for people; gives the exit code. */
export const reportCheck = (
  { clear, blockers }: Check,
  wanted: Wanted,
  context: CommandContext,
  nowMs: number,
): ExitCode => {
  const { output } = context;
  const { style } = output;
  if (clear) {
    const targets = wanted.targets.map((target) => showText(target)).join(", ");
    output.line(`${style.green("clear:")} ${targets}`);
    return 0;
  }
  output.line(`${style.red("blocked:")} ${inTheWay(blockers, wanted)}`);
  for (const line of blockerLines(blockers, { style, nowMs })) output.line(line);
  const mine = sameCaller(context);
  const steps = [
    ["wait in line", wordsFor("claim", wanted, [...mine, "--wait", "60s"])] as const,
    ...askSteps(blockers, context),
  ];
  for (const line of nextLines(steps, style)) output.line(line);
  return 1;
};
