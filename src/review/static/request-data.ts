/** Which expressions carry what somebody outside has sent. */
import type { Node } from "./node.ts";
import type { SourceFile } from "./source-file.ts";
import { assignedBefore } from "./texts.ts";

/** The text of the source, if the expression (or the name's last value in the same function) has one. */
export const requestDataIn = (node: Node, file: SourceFile): string | undefined => {
  const direct = outside.exec(node.text)?.[0];
  if (direct !== undefined) return direct;
  const scope = file.functionOf(node);
  for (const name of node.kind === "identifier" ? [node] : node.below("identifier")) {
    const value = assignedBefore(name.text, node, scope);
    // The value of a callback or of a long expression says little about where it comes from.
    if (!value || value.to - value.from > 120) continue;
    const found = outside.exec(value.text)?.[0];
    if (
      found !== undefined &&
      !/escape|parseInt|Number\(|int\(|basename|secure_filename/.test(value.text)
    )
      return found;
  }
  return undefined;
};

const outside =
  /\b(req|request|ctx\.request|c\.req|ctx)\.(query|params?|body|headers|cookies|args|form|files|values|GET|POST|json|param|match_info)\b[\w.[\]"']*|\bc\.(Query|Param|PostForm|DefaultQuery)\([^)]*\)|\br\.(FormValue|PostFormValue|PathValue)\([^)]*\)|\br\.URL\.(Path|Query\(\)\.Get\([^)]*\))|\bsearchParams\.get\([^)]*\)/;
