/** A verdict as people read it. */
import { showText } from "../../base/text.ts";
import type { Reason, Verdict } from "../../gate/index.ts";
import type { Output } from "./output.ts";

export const printVerdict = (
  { verdict, reasons, notes, files }: Pick<Verdict, "verdict" | "reasons" | "notes" | "files">,
  output: Output,
): void => {
  const { style } = output;
  if (verdict === "allow") {
    output.line(`${style.green("allowed")}  ${files.map(({ path }) => showText(path)).join(", ")}`);
  } else
    output.line(style.red(`denied, ${reasons.length} reason${reasons.length === 1 ? "" : "s"}`));
  for (const reason of reasons) printReason(reason, output, style.red(reason.code));
  for (const note of notes) printReason(note, output, style.yellow(note.code));
};

export const printReason = (reason: Reason, output: Output, code: string): void => {
  const { path, line, column, message, remedy } = reason;
  const place = [showText(path), line, column].filter((part) => part !== undefined).join(":");
  output.line(`  ${place}  ${code}`);
  for (const text of message.split("\n")) output.line(`    ${showText(text, 300)}`);
  output.line(`    ${output.style.dim("→")} ${remedy}`);
};
