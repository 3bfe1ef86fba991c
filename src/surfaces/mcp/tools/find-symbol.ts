import * as v from "valibot";
import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { OutlineSymbol } from "../../../structure/index.ts";
import { repositoryText } from "../shapes.ts";
import { ownPath } from "../own-path.ts";
import { flatSymbols, plainSymbol, symbolLine, symbolShape } from "../symbols.ts";
import { defineTool, looking, type ToolCall } from "../tool.ts";

export const findSymbolTool = defineTool({
  name: "find_symbol",
  title: "Where is it defined?",
  description:
    "Find where a class, function, method or key is defined, by its name (login) or the end of its path " +
    "(Auth.login), in all sources of the repository or below one path. Definitions only, not uses. complete " +
    "is false when time or room ran out before everything was looked at: narrow it with below.",
  annotations: looking,
  input: v.strictObject({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.targetSymbolBytesMax)),
    below: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(limits.pathBytesMax),
        v.description("A file or folder, relative to the repository's root."),
      ),
    ),
  }),
  output: {
    found: v.optional(v.array(v.object({ file: repositoryText, ...symbolShape.entries }))),
    complete: v.optional(v.boolean()),
  },
  run: async (args, call) => {
    const { found, isComplete } = await call.withProgress(
      { message: "looking through sources" },
      () => findSymbols(args, call),
    );
    const lines = found.map(({ file, symbol }) => `${showText(file)}:${symbolLine(symbol)}`);
    return {
      structured: {
        ok: true,
        found: found.map(({ file, symbol }) => ({
          file: showText(file, limits.pathBytesMax),
          ...plainSymbol(symbol),
        })),
        complete: isComplete,
      },
      text: [`${plural(found.length, "definition")}${isComplete ? "" : " so far"}`, ...lines].join(
        "\n",
      ),
    };
  },
});

interface Found {
  readonly file: string;
  readonly symbol: OutlineSymbol;
}

const findSymbols = async (
  { name, below }: { readonly name: string; readonly below?: string | undefined },
  { headgate, signal }: ToolCall,
): Promise<{ readonly found: readonly Found[]; readonly isComplete: boolean }> => {
  const { listSources, readSource } = await import("../sources.ts");
  const { repository, structure } = headgate;
  const { worktree } = repository;
  const untilMs = systemClock.monoMs() + limits.mcpFindMs;
  const last = name.split(".").at(-1) ?? name;
  const found: Found[] = [];
  const paths = await listSources(repository, below && ownPath(worktree, below));
  for (const file of paths) {
    if (signal.aborted || systemClock.monoMs() > untilMs || found.length >= limits.mcpListMax) {
      return { found, isComplete: false };
    }
    const content = contentOf(() => readSource(worktree, file));
    // Parsing costs a thousand times more than this look.
    if (content === undefined || !content.includes(last)) continue;
    const { outline } = await structure.outline(content, file);
    for (const symbol of flatSymbols(outline.symbols)) {
      const plain = symbol.path.replaceAll(/~\d+/g, "");
      if (plain === name || plain.endsWith(`.${name}`)) found.push({ file, symbol });
    }
  }
  return {
    found: found.slice(0, limits.mcpListMax),
    isComplete: found.length <= limits.mcpListMax,
  };
};

/** Links, files that went away and what is too large define nothing here. */
const contentOf = (read: () => Buffer): Buffer | undefined => {
  try {
    const content = read();
    return content.length > limits.structureBytesMax ? undefined : content;
  } catch (error) {
    if (HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};
