/** What a program printed, as text, usage, cost and error, by the places that its runner names. */
import type { Json } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { Usage } from "../types.ts";
import { type JsonPath, parseJsonPath, valuesAt } from "./json-path.ts";

export interface OutputRules {
  readonly format: "text" | "json" | "jsonl";
  readonly text?: string | readonly string[] | undefined;
  readonly structured?: string | undefined;
  readonly inputTokens?: string | readonly string[] | undefined;
  readonly outputTokens?: string | readonly string[] | undefined;
  readonly costUsd?: string | undefined;
  readonly error?: string | readonly string[] | undefined;
  readonly model?: string | undefined;
  /** Of several texts (JSON lines): the last, or all of them. */
  readonly joined?: boolean | undefined;
}

export interface ReadOutput {
  readonly text: string;
  readonly structured?: Json;
  readonly usage: Usage;
  readonly costUsd?: number;
  readonly model?: string;
  /** What the program says went wrong; `""` when it only says that something did. */
  readonly error?: string;
  /** The output was not of the promised form. */
  readonly malformed?: string;
  readonly truncated: boolean;
}

export const readOutput = (output: string, rules: OutputRules): ReadOutput => {
  if (rules.format === "text") {
    return { ...bounded(output.trim()), usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const { values, malformed } = rules.format === "json" ? readWhole(output) : readLines(output);
  const at = (places: string | readonly string[] | undefined): Json[] =>
    pathsOf(places).flatMap((path) => values.flatMap((value) => valuesAt(value, path)));
  const texts = at(rules.text ?? defaultText).filter((one) => typeof one === "string");
  const text = rules.joined ? texts.join("") : (texts.at(-1) ?? "");
  const structured = at(rules.structured).findLast((one) => one !== null);
  const error = errorIn(at(rules.error));
  const costs = at(rules.costUsd).filter((one) => typeof one === "number");
  const model = at(rules.model).findLast((one) => typeof one === "string");
  return {
    ...bounded(text),
    ...(structured !== undefined && { structured }),
    usage: {
      inputTokens: sum(at(rules.inputTokens)),
      outputTokens: sum(at(rules.outputTokens)),
    },
    ...(costs.length > 0 && { costUsd: sum(costs) }),
    ...(typeof model === "string" && { model }),
    ...(error !== undefined && { error }),
    ...(malformed !== undefined && { malformed }),
  };
};

const defaultText = ["text", "result", "response"];

const pathsOf = (places: string | readonly string[] | undefined): JsonPath[] =>
  (typeof places === "string" ? [places] : (places ?? []))
    .map(parseJsonPath)
    .filter((path) => path !== undefined);

const bounded = (text: string): { text: string; truncated: boolean } => ({
  text: text.slice(0, limits.runnerTextLengthMax),
  truncated: text.length > limits.runnerTextLengthMax,
});

const sum = (values: readonly Json[]): number =>
  values.reduce<number>(
    (total, one) => (typeof one === "number" && one > 0 ? total + one : total),
    0,
  );

/** `false`, null, empty and zero are how programs say that nothing went wrong. */
const errorIn = (values: readonly Json[]): string | undefined => {
  const one = values.findLast(
    (value) => value !== null && value !== false && value !== "" && value !== 0,
  );
  if (one === undefined) return undefined;
  if (typeof one === "string") return one;
  if (typeof one !== "object") return "";
  const message = (one as Readonly<Record<string, Json>>)["message"];
  return typeof message === "string" ? message : JSON.stringify(one);
};

interface Values {
  readonly values: readonly Json[];
  readonly malformed?: string;
}

const readWhole = (output: string): Values => {
  const whole = tryJson(output);
  if (whole !== undefined) return { values: [whole] };
  // Some programs talk before their JSON, also in JSON: the last object that goes to the end counts then.
  const starts = [...output.matchAll(/^\{/gm)].slice(-startsMax);
  for (const { index } of starts.toReversed()) {
    const rest = tryJson(output.slice(index));
    if (rest !== undefined) return { values: [rest] };
  }
  const malformed = output.trim() === "" ? "it printed nothing" : "it did not print JSON";
  return { values: [], malformed };
};

/** Each is read to the end of the output; a program says its answer last. */
const startsMax = 20;

const readLines = (output: string): Values => {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(tryJson).filter((value) => value !== undefined);
  if (values.length > 0) return { values };
  const malformed = lines.length === 0 ? "it printed nothing" : "it did not print JSON lines";
  return { values, malformed };
};

const tryJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
