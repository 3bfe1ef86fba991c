import type { Node, ParseError } from "jsonc-parser";
import type { Json } from "../../base/json.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { fillProblem } from "./fill-text.ts";
import type { Conversation, Script, Step, ToolCall } from "./types.ts";

/** Reads a script; what is wrong with it is one line with its place. */
export const parseScript = async (text: string, name: string): Promise<Script> => {
  // Node sees CommonJS, with the names on `default`; the bundle has the package's modules instead.
  const library = await import("jsonc-parser");
  const jsonc = library.default ?? library;
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const wrong = (offset: number, problem: string): never => {
    throw new HeadgateError("MOCK_SCRIPT_INVALID", `${placeIn(text, name, offset)}: ${problem}`);
  };
  const [error] = errors;
  if (error) {
    const problem = jsonc.printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    return wrong(error.offset, `not valid JSON here: ${problem.toLowerCase()}`);
  }
  if (!root) return wrong(0, "the script is empty");
  return readScript(root, { wrong, valueOf: (node) => jsonc.getNodeValue(node) as Json });
};

interface Reader {
  wrong(offset: number, problem: string): never;
  valueOf(node: Node): Json;
}

const placeIn = (text: string, name: string, offset: number): string => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `${showText(name)}:${line}:${offset - before.lastIndexOf("\n")}`;
};

const readScript = (root: Node, reader: Reader): Script => {
  if (root.type === "array") return { conversations: [{ steps: readSteps(root, reader) }] };
  const { conversations, ...one } = propertiesOf(root, reader, [
    "$schema",
    "conversations",
    ...conversationKeys,
  ]);
  if (!conversations) return { conversations: [readConversation(root, reader, ["$schema"])] };
  for (const key of conversationKeys) {
    const extra = one[key];
    if (extra) reader.wrong(extra.offset, `"${key}" belongs into one of the conversations`);
  }
  const list = itemsOf(conversations, reader, "conversations");
  if (list.length === 0) reader.wrong(conversations.offset, "there is no conversation");
  return { conversations: list.map((node) => readConversation(node, reader)) };
};

const conversationKeys = ["when", "withoutTools", "steps"];

const readConversation = (
  node: Node,
  reader: Reader,
  more: readonly string[] = [],
): Conversation => {
  const { when, withoutTools, steps } = propertiesOf(node, reader, [...conversationKeys, ...more]);
  if (!steps) return reader.wrong(node.offset, 'a conversation needs "steps", a list');
  return {
    ...(when && { when: textOf(when, reader, "when") }),
    ...(withoutTools && { withoutTools: switchOf(withoutTools, reader, "withoutTools") }),
    steps: readSteps(steps, reader),
  };
};

const readSteps = (node: Node, reader: Reader): Conversation["steps"] =>
  itemsOf(node, reader, "steps").map((one) => {
    if (one.type !== "array") return [readStep(one, reader)];
    const alternatives = itemsOf(one, reader, "alternatives");
    if (alternatives.length === 0) reader.wrong(one.offset, "no alternative is given");
    return alternatives.map((step) => readStep(step, reader));
  });

const stepKeys = [
  "when",
  "text",
  "repeat",
  "calls",
  "delayMs",
  "untilFile",
  "status",
  "retryAfter",
  "cut",
  "garbage",
  "times",
];

const readStep = (node: Node, reader: Reader): Step => {
  if (node.type === "string") return { text: saidOf(node, reader) };
  const given = propertiesOf(node, reader, stepKeys);
  const { when, text, repeat, calls, delayMs, untilFile, status, retryAfter, cut, garbage, times } =
    given;
  const said = [text, calls, status, cut, garbage].some((one) => one !== undefined);
  if (!said) reader.wrong(node.offset, 'a step needs "text", "calls" or a fault');
  if (times && ![status, cut, garbage].some((one) => one !== undefined)) {
    reader.wrong(times.offset, '"times" belongs to "status", "cut" or "garbage"');
  }
  if (retryAfter && !status) reader.wrong(retryAfter.offset, '"retryAfter" belongs to "status"');
  if (repeat && !text) reader.wrong(repeat.offset, '"repeat" belongs to "text"');
  return {
    ...(when && { when: textOf(when, reader, "when") }),
    ...(text && { text: saidOf(text, reader) }),
    ...(repeat && { repeat: numberOf(repeat, reader, ["repeat", 1, 10_000_000]) }),
    ...(calls && { calls: itemsOf(calls, reader, "calls").map((call) => readCall(call, reader)) }),
    ...(delayMs && { delayMs: numberOf(delayMs, reader, ["delayMs", 0, 600_000]) }),
    ...(untilFile && { untilFile: textOf(untilFile, reader, "untilFile") }),
    ...(status && { status: numberOf(status, reader, ["status", 400, 599]) }),
    ...(retryAfter && { retryAfter: numberOf(retryAfter, reader, ["retryAfter", 0, 86_400]) }),
    ...(cut && { cut: switchOf(cut, reader, "cut") }),
    ...(garbage && { garbage: switchOf(garbage, reader, "garbage") }),
    ...(times && { times: numberOf(times, reader, ["times", 1, 1000]) }),
  };
};

const saidOf = (node: Node, reader: Reader): string => {
  const text = textOf(node, reader, "text");
  const problem = fillProblem(text);
  return problem === undefined ? text : reader.wrong(node.offset, showText(problem));
};

const readCall = (node: Node, reader: Reader): ToolCall => {
  const { name, input } = propertiesOf(node, reader, ["name", "input"]);
  if (!name) return reader.wrong(node.offset, 'a call needs "name", the tool to call');
  if (input && input.type !== "object" && input.type !== "string") {
    return reader.wrong(input.offset, '"input" must be an object, or a text for a free-form tool');
  }
  return { name: textOf(name, reader, "name"), input: input ? reader.valueOf(input) : {} };
};

const propertiesOf = (
  node: Node,
  reader: Reader,
  known: readonly string[],
): Record<string, Node | undefined> => {
  if (node.type !== "object") return reader.wrong(node.offset, "must be an object");
  const found: Record<string, Node | undefined> = Object.create(null);
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    const word = String(key?.value);
    if (!known.includes(word)) {
      const list = known.filter((one) => one !== "$schema").join(", ");
      reader.wrong(property.offset, `unknown word "${showText(word)}"; known here: ${list}`);
    }
    if (found[word]) reader.wrong(property.offset, `"${word}" is given twice`);
    found[word] = value;
  }
  return found;
};

const itemsOf = (node: Node, reader: Reader, what: string): readonly Node[] =>
  node.type === "array"
    ? (node.children ?? [])
    : reader.wrong(node.offset, `"${what}" must be a list`);

const textOf = (node: Node, reader: Reader, what: string): string =>
  node.type === "string"
    ? (node.value as string)
    : reader.wrong(node.offset, `"${what}" must be a text`);

const switchOf = (node: Node, reader: Reader, what: string): boolean =>
  node.type === "boolean"
    ? (node.value as boolean)
    : reader.wrong(node.offset, `"${what}" must be true or false`);

const numberOf = (
  node: Node,
  reader: Reader,
  [what, min, max]: readonly [string, number, number],
): number => {
  const value = node.value as number;
  if (node.type === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  return reader.wrong(node.offset, `"${what}" must be a whole number from ${min} to ${max}`);
};
