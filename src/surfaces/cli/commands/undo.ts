import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { answerEdit, editOptions, given, noted, requestOf, typesOf } from "../edit-run.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Take an edit back: all of it, one file, or one symbol",
  usage: ["undo [ID] [--file FILE [--symbol SYMBOL]]"],
  description:
    "Without ID your newest edit is meant. Later edits of the same files stay; where they touch the same " +
    "lines, the answer names them and nothing is written. An undo is an edit itself: undoing it brings the " +
    "change back.",
  options: {
    file: { type: "string", value: "FILE", description: "Only this file of the edit" },
    symbol: { type: "string", value: "SYMBOL", description: "Only this symbol of the file" },
    ...editOptions,
  },
  examples: [
    ["headgate undo", "your newest edit, after a look at the diff"],
    ["headgate undo ed_1m7h0dgmp6gm6r5vqf --file src/a.ts --symbol A.f --yes", "one symbol only"],
  ],
  exits: [
    [0, "taken back"],
    [1, "later edits are in the way, or refused"],
    [4, "no such edit, or nothing of it is left"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { flags, positionals } = context;
    await using headgate = await openFor(context, { readOnly: false, ...typesOf(context) });
    const id = positionals[0] ?? (await newestOf(headgate));
    const request = { ...(await requestOf(context)), id, ...given(flags, "file", "symbol") };
    const result = await noted(headgate, "headgate undo", request, () =>
      headgate.edit.undo(request),
    );
    return answerEdit(result, context);
  },
};

const newestOf = async (headgate: Awaited<ReturnType<typeof openFor>>): Promise<string> => {
  const { id: actor } = headgate.claims.actor;
  const edits = await headgate.edit.history({ actor, limit: 200 });
  const newest = edits.find(({ state, undoes }) => state === "applied" && undoes === undefined);
  if (newest) return newest.id;
  throw new HeadgateError("EDIT_UNKNOWN", `${actor} has made no edit that could be undone`);
};
