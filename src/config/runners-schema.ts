/** The user's `runners`: programs and services that may be asked. Apart, because they are many words. */
import * as v from "valibot";
import { limits } from "../base/limits.ts";

const line = () => v.pipe(v.string(), v.nonEmpty(), v.maxLength(limits.pathBytesMax));

/** A name, never a value: what stands in a file ends up in backups. */
const variableName = () =>
  v.pipe(
    v.string(),
    // A check, because its message keeps the value to itself.
    v.check(
      (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
      "must be the name of a variable, not the key itself",
    ),
    v.description("Its name, not the key."),
  );

const places = () => v.union([line(), v.array(line())]);

const prices = v.pipe(
  v.strictObject({
    input: v.pipe(v.number(), v.minValue(0)),
    output: v.pipe(v.number(), v.minValue(0)),
  }),
  v.description("US dollars for a million tokens."),
);

const common = {
  model: v.optional(v.pipe(line(), v.description("Asked when nothing else names a model."))),
  family: v.optional(
    v.pipe(line(), v.description("claude, gpt, gemini …; from the model's name when absent.")),
  ),
  prices: v.optional(prices),
  outputTokensMax: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
  ),
};

const exec = v.strictObject({
  kind: v.literal("exec"),
  argv: v.pipe(
    v.array(v.string()),
    v.minLength(1),
    v.maxLength(200),
    v.description(
      "With {prompt} {promptFile} {model} {cwd} {schemaFile}; else the prompt is its input.",
    ),
  ),
  ...common,
  variables: v.optional(v.array(variableName())),
  home: v.optional(v.picklist(["private", "own"])),
  output: v.optional(
    v.strictObject({
      format: v.picklist(["text", "json", "jsonl"]),
      text: v.optional(places()),
      structured: v.optional(line()),
      inputTokens: v.optional(places()),
      outputTokens: v.optional(places()),
      costUsd: v.optional(line()),
      error: v.optional(places()),
      model: v.optional(line()),
      joined: v.optional(v.boolean()),
    }),
  ),
});

const preset = v.strictObject({
  kind: v.literal("preset"),
  preset: v.picklist(["claude", "codex", "gemini", "opencode"]),
  program: v.optional(v.pipe(line(), v.description("Its name on PATH or an absolute path."))),
  ...common,
  args: v.optional(v.array(v.string())),
  settings: v.optional(
    v.pipe(
      v.record(v.string(), v.any()),
      v.description("Added to the client's own settings file."),
    ),
  ),
  variables: v.optional(v.array(variableName())),
  login: v.optional(
    v.pipe(
      v.boolean(),
      v.description("Whether it may use the login file of the client; default true."),
    ),
  ),
  shell: v.optional(
    v.pipe(v.boolean(), v.description("Whether an agent that may write may also run commands.")),
  ),
});

const http = v.strictObject({
  kind: v.literal("http"),
  protocol: v.picklist(["anthropic", "responses", "chat"]),
  url: v.pipe(
    line(),
    v.check(isSafeAddress, "must be https://…, or http:// to this computer, without a password"),
    v.description("The whole address, as https://api.anthropic.com/v1/messages."),
  ),
  ...common,
  model: line(),
  keyVariable: v.optional(variableName()),
});

const fixture = v.strictObject({
  kind: v.literal("fixture"),
  folder: line(),
  record: v.optional(
    v.pipe(line(), v.description("The runner that is asked where nothing is recorded.")),
  ),
  family: v.optional(line()),
});

export const runnersSchema = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)),
    v.variant("kind", [exec, preset, http, fixture]),
  ),
  v.check((all) => Object.keys(all).length <= limits.runnersMax, "has too many entries"),
);

function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}
