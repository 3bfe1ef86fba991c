/** Files that a program writes, or others: lock files, dependencies, build output, "do not edit". */
import { isForeignName, saysForeign } from "../../base/path-kinds.ts";
import type { Finding } from "./rule.ts";
import type { TextChange } from "./text-change.ts";

export const generated = ({ path, before, after }: TextChange): readonly Finding[] => {
  const text = before?.text ?? after?.text ?? "";
  const why = isForeignName(path)
    ? "by its path"
    : before && (saysForeign(text) || forbidsEdits(text))
      ? "as its first lines say"
      : undefined;
  if (why === undefined) return [];
  return [
    {
      level: "remark",
      code: "FILE_GENERATED",
      path,
      message: `the file is written by a program or belongs to others, ${why}`,
      remedy: "Change what it is made from and run the program that makes it.",
    },
  ];
};

const forbidsEdits = (text: string): boolean =>
  /^\W{0,12}.{0,80}\b(?:DO NOT (?:EDIT|MODIFY)|auto-?generated)\b/m.test(text.slice(0, 1000));
