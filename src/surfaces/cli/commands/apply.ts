import type { Operation } from "../../../edit/index.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import {
  answerEdit,
  editOptions,
  noted,
  readTextArgument,
  requestOf,
  typesOf,
} from "../edit-run.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Apply a patch or a list of operations, all or none",
  usage: ["apply [FILE]"],
  description:
    "Reads FILE or standard input: a unified diff, an apply_patch envelope (*** Begin Patch), or JSON " +
    '{"operations":[{"do":"modify","file","symbol","code"}, …]}. All of it is judged and written together, or ' +
    "nothing is. Context must match exactly; nothing is guessed.",
  options: editOptions,
  examples: [
    ["git diff | headgate apply --dry-run", "judge a patch"],
    ["headgate apply changes.json --yes --verify 'npm test'", "taken back if the tests fail"],
  ],
  exits: [
    [0, "written; with --dry-run: would be"],
    [1, "refused"],
    [2, "neither a patch nor operations"],
    [3, "a file is not the one the patch was made for"],
  ],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => {
    const operations = operationsOf(await readTextArgument(context));
    await using headgate = await openFor(context, {
      readOnly: false,
      ...typesOf(context),
      needsFiles: true,
    });
    const request = { ...(await requestOf(context, headgate)), operations };
    const result = await noted(headgate, "headgate apply", request, () =>
      headgate.edit.edit(request),
    );
    return answerEdit(result, context, headgate);
  },
};

const operationsOf = (text: string): readonly Operation[] => {
  if (text.trim() === "") throw new HeadgateError("USAGE", "there is nothing to apply: no input");
  if (!text.trimStart().startsWith("{")) {
    if (patchMark.test(text)) return [{ do: "patch", patch: text }];
    throw new HeadgateError("USAGE", "neither a patch nor JSON with operations");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HeadgateError("USAGE", `not JSON: ${(error as Error).message}`);
  }
  const { operations } = value as { operations?: unknown };
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new HeadgateError("USAGE", 'the JSON needs "operations", a list');
  }
  return operations as Operation[];
};

/** A line that a unified diff or an apply_patch envelope cannot do without. */
const patchMark = /^(?:diff |--- |\+\+\+ |@@|Index: |\*\*\* )/m;
