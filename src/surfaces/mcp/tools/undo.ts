import * as v from "valibot";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Acting } from "../../../compose.ts";
import { notingRefusal } from "../../note-refusal.ts";
import { editAnswer, usage } from "../answers.ts";
import { file } from "../shapes.ts";
import { ownPath } from "../own-path.ts";
import { defineTool } from "../tool.ts";
import { changing, editInput, editOutput, requestOf } from "./edit.ts";

export const undoTool = defineTool({
  name: "undo",
  title: "Take an edit back",
  description:
    "Take an edit back: all of it, one file, or one symbol of a file. Without id your newest edit is meant. " +
    "Later edits of the same files stay; where they touch the same lines, they are named and nothing is " +
    "written. An undo is an edit itself: undoing it brings the change back.",
  annotations: changing,
  input: v.strictObject({
    id: v.optional(
      v.pipe(v.string(), v.minLength(1), v.description("ed_…, as edit and apply answer it.")),
    ),
    file: v.optional(file),
    symbol: v.optional(
      v.pipe(v.string(), v.minLength(1), v.description("With file: only this symbol.")),
    ),
    ...editInput,
  }),
  output: editOutput,
  run: async ({ id, file: path, symbol, ...rest }, call) => {
    if (symbol !== undefined && path === undefined) throw usage("symbol goes with file");
    const acting = call.actor();
    const request = {
      ...requestOf(rest),
      id: id ?? (await newestOf(acting)),
      ...(path !== undefined && { file: ownPath(call.headgate.repository.worktree, path) }),
      ...(symbol !== undefined && { symbol }),
    };
    const asked = { actor: acting.claims.actor.id, tool: "mcp undo", dryRun: rest.dryRun };
    const result = await call.withProgress({ message: "taking the edit back" }, () =>
      notingRefusal(call.headgate, asked, () => acting.edit.undo(request)),
    );
    return editAnswer(result);
  },
});

const newestOf = async ({ claims, edit }: Acting): Promise<string> => {
  const { id: actor } = claims.actor;
  const edits = await edit.history({ actor, limit: 200 });
  const newest = edits.find(({ state, undoes }) => state === "applied" && undoes === undefined);
  if (newest) return newest.id;
  throw new HeadgateError(
    "EDIT_UNKNOWN",
    `${showText(actor)} has made no edit that could be undone`,
  );
};
