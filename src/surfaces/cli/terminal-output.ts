import type { Environment } from "../../base/environment.ts";
import type { Output, Style } from "./output.ts";
import { wrapLine } from "./wrap-text.ts";

/** The stream as far as output needs it; `process.stdout` and `process.stderr` are two of them. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface OutputOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Environment;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColour: boolean;
}

/** Styles for stderr differ from those for stdout when only one of them is a terminal. */
export interface TerminalOutput extends Output {
  /** A failure on stderr: shown even with --quiet. */
  failure(text: string): void;
  readonly failureStyle: Style;
}

export const createOutput = (options: OutputOptions): TerminalOutput => {
  const { stdout, stderr, json, quiet } = options;
  const colour = wantsColour(stdout, options);
  return {
    json,
    colour,
    width: widthOf(stdout, options.environment),
    tableWidth: cutWidth(stdout, options.environment),
    isWatched: stderr.isTTY === true,
    line: (text = "") => {
      if (!json) stdout.write(`${fitted(text, stdout)}\n`);
    },
    object: (value) => {
      if (json) stdout.write(`${visibleJson(value)}\n`);
    },
    print: (text) => {
      stdout.write(`${fitted(text, stdout)}\n`);
    },
    raw: (text) => {
      if (!json) stdout.write(stdout.isTTY === true ? harmless(text) : text);
    },
    note: (text) => {
      if (!quiet) stderr.write(`${fitted(text, stderr)}\n`);
    },
    failure: (text) => {
      stderr.write(`${fitted(text, stderr)}\n`);
    },
    style: colour ? coloured : plain,
    failureStyle: wantsColour(stderr, options) ? coloured : plain,
  };
};

/**
 * One line of JSON that is safe on a terminal too: JSON itself leaves C1 controls, which some terminals
 * obey, and bidi controls as they are. Parsed again, the value is the same.
 */
const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const fitted = (text: string, { isTTY, columns }: Sink): string =>
  isTTY === true && columns ? wrapLine(harmless(text), columns) : harmless(text);

/** The variable is for output that goes through a pager or into a file. */
const widthOf = ({ isTTY, columns }: Sink, { variables }: Environment): number => {
  const width = isTTY === true && columns ? columns : Number(toldWidth(variables) ?? 80);
  return Math.max(40, width);
};

const cutWidth = (sink: Sink, environment: Environment): number =>
  sink.isTTY === true || toldWidth(environment.variables) !== undefined
    ? widthOf(sink, environment)
    : Number.MAX_SAFE_INTEGER;

const toldWidth = (variables: Environment["variables"]): string | undefined =>
  /^[1-9]\d{1,3}$/.exec(variables["COLUMNS"] ?? "")?.[0];

/** Who says no wins: the flag, then NO_COLOR, then FORCE_COLOR=0. */
const wantsColour = (sink: Sink, { environment, noColour }: OutputOptions): boolean => {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = environment.variables;
  if (noColour) return false;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return sink.isTTY === true && terminal !== "dumb";
};

const code =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`;

const coloured: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
  cyan: code(36, 39),
};

const same = (text: string): string => text;
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/**
 * The last line of defence: commands pass text from outside through `showText`; should one forget it,
 * no terminal control but our own colours comes through.
 */
const harmless = (text: string): string =>
  text.replace(controls, (match) =>
    match.length > 1 ? match : `\\u${match.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const controls =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /\u001b\[(?:1|2|22|31|32|33|36|39)m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
