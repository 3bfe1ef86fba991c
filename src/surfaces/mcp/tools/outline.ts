import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { plainData } from "../data-text.ts";
import { file, repositoryText } from "../shapes.ts";
import { ownPath } from "../own-path.ts";
import { flatSymbols, plainSymbol, symbolLine, symbolShape } from "../symbols.ts";
import { defineTool, looking } from "../tool.ts";

export const outlineTool = defineTool({
  name: "outline",
  title: "What files define",
  description:
    "Show what files define (classes, functions, methods, keys, with their lines), what they import, and " +
    "which checks the gate makes for them. Use it before edit: the path of a symbol here is the name that " +
    "edit and claim take. Cheaper than reading the file; it does not count as having seen the content.",
  annotations: looking,
  input: v.strictObject({
    files: v.pipe(v.array(file), v.minLength(1), v.maxLength(limits.mcpFilesMax)),
  }),
  output: {
    files: v.optional(
      v.array(
        v.object({
          path: repositoryText,
          language: v.string(),
          symbols: v.array(symbolShape),
          cut: v.pipe(v.boolean(), v.description("There are more symbols than are listed.")),
          imports: v.array(
            v.object({ from: repositoryText, names: v.array(repositoryText), line: v.number() }),
          ),
          problems: v.array(
            v.object({ line: v.number(), column: v.number(), message: v.string() }),
          ),
          checks: v.record(v.string(), v.string()),
        }),
      ),
    ),
  },
  run: async (args, { headgate }) => {
    const { readSource } = await import("../sources.ts");
    const { worktree } = headgate.repository;
    const files = [];
    const lines: string[] = [];
    for (const name of args.files) {
      const path = ownPath(worktree, name);
      const { outline } = await headgate.structure.outline(readSource(worktree, path), path);
      const symbols = flatSymbols(outline.symbols);
      const shown = symbols.slice(0, limits.mcpSymbolsMax);
      lines.push(
        `${showText(path)} (${outline.language})`,
        ...shown.map((one) => `  ${symbolLine(one)}`),
      );
      files.push({
        path: showText(path, limits.pathBytesMax),
        language: outline.language,
        symbols: shown.map((one) => plainSymbol(one)),
        cut: symbols.length > shown.length,
        imports: outline.imports.slice(0, limits.mcpListMax).map(({ from, names, range }) => ({
          from: showText(from),
          names: names.map(({ as }) => showText(as)),
          line: range.start.line,
        })),
        problems: plainData(outline.problems.slice(0, limits.mcpListMax)),
        checks: Object.fromEntries(
          Object.entries(outline.coverage).map(([check, { state, by, why }]) => [
            check,
            state === "off" ? `off: ${why ?? "not looked at"}` : `${state} by ${by ?? "headgate"}`,
          ]),
        ),
      });
    }
    return { structured: { ok: true, files }, text: lines.join("\n") };
  },
});
