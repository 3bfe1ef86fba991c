import { showText } from "../../../base/text.ts";
import type { StoredEdit } from "../../../edit/index.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { given } from "../edit-run.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Show the edits made through Headgate, newest first",
  usage: ["history [ID] [--file FILE] [--actor ACTOR] [--limit N]"],
  options: {
    file: { type: "string", value: "FILE", description: "Only edits of this file" },
    actor: { type: "string", value: "ACTOR", description: "Only edits by this actor" },
    limit: { type: "string", value: "N", description: "At most N (default 20)" },
  },
  examples: [
    ["headgate history", "the newest 20"],
    ["headgate history --file src/a.ts --json", "one JSON object per edit"],
  ],
  exits: [
    [0, "shown, also when there are none"],
    [4, "no such edit"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { flags, output, positionals } = context;
    await using headgate = await openFor(context, { readOnly: true, evenIfMisconfigured: true });
    const [id] = positionals;
    const edits = id === undefined ? await headgate.edit.history(filterOf()) : [await one(id)];
    for (const edit of edits) {
      output.object(edit);
      printEdit(edit);
    }
    if (edits.length === 0) {
      const isFiltered = flags.text("file") !== undefined || flags.text("actor") !== undefined;
      output.note(isFiltered ? "no such edits" : "no edits yet");
    }
    return 0;

    async function one(wanted: string): Promise<StoredEdit> {
      const edit = await headgate.edit.show(wanted);
      if (edit) return edit;
      throw new HeadgateError("EDIT_UNKNOWN", `no edit has the id ${showText(wanted)}`);
    }
    function filterOf() {
      const path = flags.text("file");
      return {
        limit: flags.integer("limit", { min: 1, max: 1000 }) ?? 20,
        ...(path !== undefined && { path }),
        ...given(flags, "actor"),
      };
    }
    function printEdit({ id: name, at, actor, reason, state, files }: StoredEdit): void {
      const { style } = output;
      const word = state === "applied" ? style.green(state) : style.yellow(state);
      output.line(`${style.bold(name)}  ${at}  ${showText(actor, 40)}  ${word}`);
      if (reason !== "") output.line(`  ${showText(reason, 200)}`);
      for (const { path, before, after } of files) {
        const sign = before === null ? "+" : after === null ? "-" : "~";
        output.line(`  ${sign} ${showText(path)}`);
      }
    }
  },
};
