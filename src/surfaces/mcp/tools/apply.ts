import * as v from "valibot";
import { notingRefusal } from "../../note-refusal.ts";
import { editAnswer } from "../answers.ts";
import { defineTool } from "../tool.ts";
import { changing, editInput, editOutput, requestOf } from "./edit.ts";

export const applyTool = defineTool({
  name: "apply",
  title: "Apply a patch through the gate",
  description:
    "Apply a patch: a unified diff or an apply_patch envelope (*** Begin Patch … *** End Patch), for one " +
    "file or many, written all or none. Context must match exactly; nothing is guessed. It is judged like " +
    "edit, and a refusal says what is wrong and where. Paths are relative to the repository's root.",
  annotations: changing,
  input: v.strictObject({ patch: v.pipe(v.string(), v.minLength(1)), ...editInput }),
  output: editOutput,
  run: async ({ patch, ...rest }, call) => {
    const { edit, claims } = call.actor();
    const asked = { actor: claims.actor.id, tool: "mcp apply", dryRun: rest.dryRun };
    const result = await call.withProgress({ message: "applying the patch" }, () =>
      notingRefusal(call.headgate, asked, () =>
        edit.edit({ ...requestOf(rest), operations: [{ do: "patch", patch }] }),
      ),
    );
    return editAnswer(result);
  },
});
