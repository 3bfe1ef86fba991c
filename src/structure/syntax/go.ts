/** Go by gofmt, that is by the parser of the language itself. */
import { createRequire } from "node:module";
import { systemFiles } from "../../base/files.ts";
import { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { utf8Offsets } from "./utf8-offsets.ts";
import { type Judge, moreCode, notChecked, verdict } from "./verdict.ts";

const by = "gofmt 0.7.3";

/** The part of the engine that is used here; Node's types leave it to the browser's. */
interface Engine {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: Gofmt };
}
interface Gofmt {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  alloc(size: number): number;
  /** 0: as it should be; 1: formatted; 2: the output is an error. */
  format(): 0 | 1 | 2;
  output_ptr(): number;
  output_len(): number;
  dispose(): void;
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const compiled = new Module(
  systemFiles.readFile(createRequire(import.meta.url).resolve("@wasm-fmt/gofmt/wasm")),
);
let running: Gofmt | undefined;

export const judgeGo: Judge = async ({ language, text }, treeErrors) => {
  const missing = missingPackage(text);
  if (missing) return verdict(by, [missing]);
  const answer = askGofmt(text);
  if (answer === undefined) return verdict(by, []);
  const errors = errorsOf(answer, text);
  if (errors) return verdict(by, errors);
  // It breaks down on more than ten errors, and on nesting that nobody writes.
  const problems = await treeErrors(language, text);
  if (problems.length === 0) {
    const why = "the parser broke down";
    return { ...notChecked(by, why), unread: { as: "died", why } };
  }
  return verdict(
    by,
    problems.map((one) => ({ ...one, code: "" })),
  );
};

/** Undefined when it is content; the empty text when it broke down. */
const askGofmt = (text: string): string | undefined => {
  try {
    const gofmt = (running ??= start());
    const input = Buffer.from(text, "utf8");
    const at = gofmt.alloc(input.length);
    new Uint8Array(gofmt.memory.buffer, at, input.length).set(input);
    const isRefused = gofmt.format() === 2;
    const output = Buffer.from(gofmt.memory.buffer, gofmt.output_ptr(), gofmt.output_len());
    const answer = isRefused ? output.toString("utf8") : undefined;
    gofmt.dispose();
    return answer;
  } catch {
    // Whatever it was left the parser's memory in disorder; the next file gets a new one.
    running = undefined;
    return "";
  }
};

const start = (): Gofmt => {
  const { exports } = new Instance(compiled);
  exports._initialize();
  return exports;
};

/** `line:column: message (and 4 more errors)`, columns in bytes, lines ended by \n only. */
const errorsOf = (answer: string, text: string): SyntaxError[] | undefined => {
  const found = /^(\d+):(\d+): ([\s\S]*?)(?: \(and (\d+) more errors?\))?$/.exec(answer);
  if (!found) return undefined;
  const [, line, column, message = "", more = "0"] = found;
  let from = 0;
  for (let left = Number(line) - 1; left > 0; left -= 1) from = text.indexOf("\n", from) + 1;
  const at = from + utf8Offsets(text.slice(from))(Number(column) - 1);
  const place = new SourceText(text).position(at);
  const others = Array.from({ length: Number(more) }, () => {
    return { ...place, message: "another error behind it, not shown by gofmt", code: moreCode };
  });
  return [{ ...place, message, code: "" }, ...others];
};

/** gofmt formats parts of files as well; to the compiler a file without a package is an error. */
const missingPackage = (text: string): SyntaxError | undefined => {
  const head = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
  if (/^package(?![\p{L}\d_])/u.test(text.slice(head, head + 10))) return undefined;
  const place = new SourceText(text).position(head);
  return { ...place, message: "expected 'package'", code: "package" };
};
