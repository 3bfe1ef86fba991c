import { resolve } from "node:path";
import type { Json } from "../../../base/json.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type * as State from "../../../state/index.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";

const words = "headgate state set";

export const command: Command = {
  summary: "Change one value in a JSON, YAML or Markdown file, keep every other byte",
  usage: ["state set FILE KEY VALUE [--heading] [--json-value] [--create]"],
  description:
    "KEY is a.b.0 or a JSON pointer (/a.b/0) in JSON and YAML; entries/- is the end of the list entries. " +
    "In Markdown it is a key of the front matter, else of a `Key: value` line; with --heading it is a heading (Title, or Parent/Child when the " +
    "title repeats) whose text is replaced. The value is taken as it is: slashes, &, line breaks.",
  options: {
    heading: { type: "boolean", description: "KEY is a Markdown heading" },
    "json-value": { type: "boolean", description: "VALUE is JSON: a number, a list, an object" },
    create: { type: "boolean", description: "Add the key or heading if it does not exist" },
  },
  examples: [
    ["headgate state set STATE.md Status executing", "a key of the front matter or a line"],
    ["headgate state set --heading STATE.md 'Next steps' -- '- ship it'", "a section's text"],
    ["headgate state set log.json entries/- 'tests passed'", "one entry more at the end of a list"],
    ["headgate state set config.json retries 3 --json-value --create", "a number in JSON"],
  ],
  exits: [
    [0, "set"],
    [1, "the file is corrupt, or the value does not fit; nothing was changed"],
    [4, "no such file, key or heading; nothing was changed"],
  ],
  positionalsMax: 3,
  completes: "files",
  run: async ({ positionals, flags, output, environment }) => {
    const [file, key, value] = positionals;
    if (file === undefined || file === "")
      throw usageError("name the file, the key and the value", words);
    if (key === undefined || key === "") throw usageError("name the key and the value", words);
    if (value === undefined) throw usageError("give the value", words);
    const state = await import("../../../state/index.ts");
    const path = resolve(environment.cwd, file);
    const kind = state.kindOf(path);
    const canCreate = flags.has("create");
    const json: Json = flags.has("json-value") ? parseValue(value, state.parseJsonText) : value;
    if (flags.has("heading") && (kind !== "markdown" || typeof json !== "string")) {
      throw usageError("--heading is for text in Markdown files", words);
    }
    const change = { key, value: json, canCreate };
    const result = await setValue(state, { path, kind, change, isHeading: flags.has("heading") });
    // A killed writer of this file may have left something.
    await state.recoverState([path]);
    output.object({ ok: true, ...result });
    output.line(`set ${showText(key)} in ${showText(file, 1024)}  sha256 ${result.hash}`);
    return 0;
  },
};

const setValue = (
  state: typeof State,
  target: {
    readonly path: string;
    readonly kind: State.ContentKind;
    readonly change: { readonly key: string; readonly value: Json; readonly canCreate: boolean };
    readonly isHeading: boolean;
  },
): Promise<State.WriteResult> => {
  const { path, kind, change, isHeading } = target;
  const { key, value, canCreate } = change;
  if (kind === "markdown" && isHeading && typeof value === "string") {
    return state.setMarkdownValue(path, { heading: key, value, canCreate });
  }
  if (kind === "markdown") return state.setMarkdownValue(path, change);
  if (kind === "yaml") return state.setYamlValue(path, change);
  if (kind !== "text") return state.setJsonValue(path, change, { hasComments: kind === "jsonc" });
  const text = `${showText(path, 1024)}: only .json, .jsonc, .yaml, .yml and .md files have keys`;
  throw new HeadgateError("USAGE", text);
};

const parseValue = (
  text: string,
  parse: (
    text: string,
  ) => { ok: true; value: unknown } | { ok: false; problem: { message: string } },
): Json => {
  const parsed = parse(text);
  if (parsed.ok) return parsed.value as Json;
  throw usageError(`VALUE is not JSON: ${parsed.problem.message}`, words);
};
