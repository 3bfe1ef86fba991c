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
    "is false when not everything was looked at; notJudged says what and why. Not found is then no proof: narrow " +
    "it with below, or read those files.",
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
    notJudged: v.optional(v.array(v.object({ where: repositoryText, why: repositoryText }))),
  },
  run: async (args, call) => {
    const { found, unread } = await call.withProgress({ message: "looking through sources" }, () =>
      findSymbols(args, call),
    );
    const isComplete = unread.length === 0;
    const notJudged = unread.slice(0, unreadShownMax).map(({ where, why }) => ({
      where: showText(where, limits.pathBytesMax),
      why: showText(why),
    }));
    const more = unread.length - notJudged.length;
    if (more > 0) notJudged.push({ where: "…", why: `${plural(more, "more file")} not looked at` });
    const lines = found.map(({ file, symbol }) => `${showText(file)}:${symbolLine(symbol)}`);
    return {
      structured: {
        ok: true,
        found: found.map(({ file, symbol }) => ({
          file: showText(file, limits.pathBytesMax),
          ...plainSymbol(symbol),
        })),
        complete: isComplete,
        ...(!isComplete && { notJudged }),
      },
      text: [
        `${plural(found.length, "definition")}${isComplete ? "" : " so far"}`,
        ...lines,
        ...notJudged.map(({ where, why }) => `not judged: ${where}: ${why}`),
      ].join("\n"),
    };
  },
});

/** An answer names so many; a repository may have thousands of large data files. */
const unreadShownMax = 20;

interface Found {
  readonly file: string;
  readonly symbol: OutlineSymbol;
}

interface Unread {
  readonly where: string;
  readonly why: string;
}

const findSymbols = async (
  { name, below }: { readonly name: string; readonly below?: string | undefined },
  { headgate, signal }: ToolCall,
): Promise<{ readonly found: readonly Found[]; readonly unread: readonly Unread[] }> => {
  const { listSources, readSource } = await import("../sources.ts");
  const { repository, structure } = headgate;
  const { worktree } = repository;
  const untilMs = systemClock.monoMs() + limits.mcpFindMs;
  const last = name.split(".").at(-1) ?? name;
  const found: Found[] = [];
  const { paths, left } = await listSources(repository, below && ownPath(worktree, below));
  const unread: Unread[] = left === undefined ? [] : [{ where: ".", why: left }];
  for (const [index, file] of paths.entries()) {
    const why = signal.aborted
      ? "it was cancelled"
      : systemClock.monoMs() > untilMs
        ? `time ran out after ${limits.mcpFindMs / 1000} s`
        : found.length > limits.mcpListMax
          ? `an answer holds ${limits.mcpListMax} definitions`
          : undefined;
    if (why !== undefined) {
      const rest = plural(paths.length - index, "source");
      unread.unshift({ where: file, why: `${why}; it and what follows are left: ${rest}` });
      break;
    }
    const content = contentOf(() => readSource(worktree, file));
    // Parsing costs a thousand times more than this look.
    if (content === undefined || !content.includes(last)) continue;
    const { outline } = await structure.outline(content, file);
    const { state, why: reason = "its structure could not be read" } = outline.coverage.outline;
    if (state === "off") unread.push({ where: file, why: reason });
    for (const symbol of flatSymbols(outline.symbols)) {
      const plain = symbol.path.replaceAll(/~\d+/g, "");
      if (plain === name || plain.endsWith(`.${name}`)) found.push({ file, symbol });
    }
  }
  if (found.length > limits.mcpListMax && unread.length === 0) {
    unread.push({ where: ".", why: `an answer holds ${limits.mcpListMax} definitions` });
  }
  return { found: found.slice(0, limits.mcpListMax), unread };
};

/** Links and files that went away define nothing here. */
const contentOf = (read: () => Buffer): Buffer | undefined => {
  try {
    return read();
  } catch (error) {
    if (HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};
