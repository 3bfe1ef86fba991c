import { relative, resolve, sep } from "node:path";
import { systemFiles } from "../../../base/files.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Outline, OutlineSymbol } from "../../../structure/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { whyNot } from "../read-bounded.ts";

const words = "headgate outline";

export const command: Command = {
  summary: "Show the structure of files: symbols, imports, exports",
  usage: ["outline FILE…", "outline --stdin-path PATH < FILE"],
  description:
    "What a file defines, with lines, so that an edit can name it. The last lines say which checks the " +
    "gate can make for the file; a file in an unknown language is text to it.",
  options: {
    "stdin-path": {
      type: "string",
      value: "PATH",
      description: "Read standard input as if it were this file",
    },
  },
  examples: [
    ["headgate outline src/index.ts", "symbols with their lines"],
    ["headgate outline src/index.ts --json", "for programs: {path, language, symbols, imports, …}"],
  ],
  exits: [
    [0, "shown"],
    [4, "no such file"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output, environment } = context;
    const stdinPath = flags.text("stdin-path");
    if (positionals.length === 0 && stdinPath === undefined) {
      throw usageError("name a file", words);
    }
    await using headgate = await openFor(context, { readOnly: true });
    const { worktree } = headgate.repository;
    const show = async (path: string, content: Uint8Array) => {
      const { outline } = await headgate.structure.outline(content, path);
      output.object(shape(outline));
      printOutline(outline, context);
    };
    if (stdinPath !== undefined) {
      const { limits } = await import("../../../base/limits.ts");
      await show(stdinPath, await context.readInput(limits.editFileBytesMax));
    }
    for (const file of positionals) {
      const absolute = resolve(environment.cwd, flags.text("repo") ?? ".", file);
      const own = relative(worktree, absolute).split(sep).join("/");
      await show(own, readOrSay(absolute, file));
    }
    return 0;
  },
};

const readOrSay = (absolute: string, file: string): Buffer => {
  try {
    return systemFiles.readFile(absolute);
  } catch (error) {
    throw new HeadgateError("FILE_ABSENT", `cannot read ${showText(file)}: ${whyNot(error)}`);
  }
};

/** As product.md promises it: what other programs rely on, without the room's own fields. */
const shape = ({ path, language, symbols, imports, exports, problems, coverage }: Outline) => ({
  path,
  language,
  symbols: symbols.map(symbolShape),
  imports: imports.map(({ from, names, range }) => ({ from, names, range })),
  exports: exports.map(({ name, from, range }) => ({
    name,
    ...(from !== undefined && { from }),
    range,
  })),
  problems,
  coverage,
});

const symbolShape = (symbol: OutlineSymbol): object => {
  const { name, kind, path, range, signature, doc, decorators, isExported, children } = symbol;
  return {
    name,
    kind,
    path,
    range,
    signature,
    ...(doc !== undefined && { doc }),
    ...(decorators.length > 0 && { decorators }),
    exported: isExported,
    children: children.map(symbolShape),
  };
};

const printOutline = (outline: Outline, { output }: CommandContext): void => {
  const { style } = output;
  const count = countAll(outline.symbols);
  output.line(
    `${style.bold(showText(outline.path))}  ${outline.language}, ${count} symbol${count === 1 ? "" : "s"}`,
  );
  const lastLine = Math.max(0, ...outline.symbols.map(({ range }) => range.end.line));
  const width = String(lastLine).length;
  const visit = (symbol: OutlineSymbol, depth: number): void => {
    const { start, end } = symbol.range;
    const lines = `${String(start.line).padStart(width)}–${String(end.line).padEnd(width)}`;
    const text = `${"  ".repeat(depth)}${symbol.kind} ${symbol.name}`;
    const doc = symbol.doc === undefined ? "" : style.dim(`  ${showText(symbol.doc, 60)}`);
    output.line(`  ${style.dim(lines)}  ${showText(text, 200)}${doc}`);
    for (const child of symbol.children) visit(child, depth + 1);
  };
  for (const symbol of outline.symbols) visit(symbol, 0);
  if (outline.imports.length > 0) {
    const from = [...new Set(outline.imports.map((one) => one.from))];
    output.line(`  ${style.dim("imports")} ${showText(from.join(", "), 300)}`);
  }
  for (const problem of outline.problems.slice(0, 5)) {
    output.line(`  ${style.yellow(`line ${problem.line}`)} ${problem.message}`);
  }
  const checks = Object.entries(outline.coverage).map(([check, { state, by, why }]) =>
    state === "off" ? `no ${check} (${why ?? "not looked at"})` : `${check} by ${by ?? "headgate"}`,
  );
  output.line(`  ${style.dim("checks")} ${[...new Set(checks)].join("; ")}`);
};

const countAll = (symbols: readonly OutlineSymbol[]): number =>
  symbols.reduce((sum, one) => sum + 1 + countAll(one.children), 0);
