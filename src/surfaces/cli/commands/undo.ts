import { HeadgateError } from "../../../errors.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { answerEdit, editOptions, given, noted, requestOf, typesOf } from "../edit-run.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Take an edit back, or all uncommitted lines of one actor",
  usage: ["undo [ID] [--file FILE [--symbol SYMBOL]]", "undo --actor ACTOR [--since T] [PATH…]"],
  description:
    "Without ID your newest edit is meant. Later edits of the same files stay; where they touch the same " +
    "lines, the answer names them and nothing is written. An undo is an edit itself: undoing it brings the " +
    "change back. The id of a late write, which a notice names, is taken as well.\n\n" +
    "With --actor, that actor's uncommitted lines are taken out of the files, however they were written, and " +
    "everybody else's stay. Where others wrote onto them, their lines are named and nothing is written. An " +
    "agent cannot take back the lines of another session that is at work; a person can.",
  options: {
    file: { type: "string", value: "FILE", description: "Only this file of the edit" },
    symbol: { type: "string", value: "SYMBOL", description: "Only this symbol of the file" },
    actor: {
      type: "string",
      value: "ACTOR",
      description: "The uncommitted lines of this actor or session; `unknown`: of no known author",
    },
    since: {
      type: "string",
      value: "T",
      description: "With --actor: only what was written since then (15m, 2h, 2026-05-01T12:00Z)",
    },
    ...editOptions,
  },
  examples: [
    ["headgate undo", "your newest edit, after a look at the diff"],
    ["headgate undo ed_1m7h0dgmp6gm6r5vqf --file src/a.ts --symbol A.f --yes", "one symbol only"],
    [
      "headgate undo --actor claude:3f2a --since 1h --dry-run",
      "one session's last hour, to look at",
    ],
  ],
  exits: [
    [0, "taken back"],
    [1, "later edits are in the way, refused, or no git for --actor"],
    [4, "no such edit, nothing of it is left, or no lines of the actor"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  run: async (context) => {
    const { flags, positionals } = context;
    const actor = flags.text("actor");
    checkForm(context, actor);
    if (actor !== undefined) {
      const { undoActor } = await import("../undo-actor.ts");
      return undoActor(context, actor);
    }
    await using headgate = await openFor(context, { readOnly: false, ...typesOf(context) });
    const id = positionals[0] ?? (await newestOf(headgate));
    if (positionals[0] !== undefined && !flags.has("file")) {
      const { undoWrite } = await import("../undo-actor.ts");
      const done = await undoWrite(context, id, headgate);
      if (done !== undefined) return done;
    }
    const request = {
      ...(await requestOf(context, headgate)),
      id,
      ...given(flags, "file", "symbol"),
    };
    const result = await noted(headgate, "headgate undo", request, () =>
      headgate.edit.undo(request),
    );
    return answerEdit(result, context, headgate);
  },
};

/** An edit is named by its id, an actor's work by files; the two do not mix. */
const checkForm = ({ flags, positionals }: CommandContext, actor: string | undefined): void => {
  const words = "headgate undo";
  if (actor === undefined) {
    if (positionals.length > 1) throw usageError(`one edit at a time: ${words} ID`, words);
    if (flags.has("since")) throw usageError("--since goes with --actor", words);
    return;
  }
  if (flags.has("file") || flags.has("symbol")) {
    throw usageError("with --actor, name the files at the end of the line", words);
  }
};

const newestOf = async (headgate: Awaited<ReturnType<typeof openFor>>): Promise<string> => {
  const { id: actor } = headgate.claims.actor;
  const edits = await headgate.edit.history({ actor, limit: 200 });
  const newest = edits.find(({ state, undoes }) => state === "applied" && undoes === undefined);
  if (newest) return newest.id;
  throw new HeadgateError("EDIT_UNKNOWN", `${actor} has made no edit that could be undone`);
};
