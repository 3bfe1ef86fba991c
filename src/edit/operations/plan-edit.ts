/**
 * From wishes to new contents. Pure: files are read through the tree, nothing is written. Operations apply
 * one after the other, each on what the former left; texts are spliced, never written anew, so every byte
 * outside the place of an operation stays. What cannot be done as asked is an error that says why and what
 * is nearest; nothing is guessed.
 */
import { checkOperations } from "./check-operations.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason, Tree } from "../../gate/index.ts";
import type { Analyser } from "../../structure/index.ts";
import type { FileChange, Operation } from "../types.ts";
import { Document } from "./document.ts";
import { findSymbol } from "./find-symbol.ts";
import { importAddition } from "./add-import.ts";
import { insertion } from "./insert-text.ts";
import { modification } from "./modify-symbol.ts";
import { applyPatchText } from "./patch/apply-patch.ts";
import { placeFor } from "./place.ts";
import { importRemovals } from "./remove-import.ts";
import { removal } from "./remove-symbol.ts";
import type { ProjectUses } from "./project-uses.ts";
import { renameInProject } from "./rename-project.ts";
import { replacement } from "./replace-text.ts";
import { lineStart, splice, type Splice, startsLine } from "./text-lines.ts";
import { WorkingFiles } from "./working-files.ts";

export interface PlanContext {
  readonly tree: Tree;
  readonly analyser: Analyser;
  /** Where the project uses a name; without it a rename stays in its file. */
  readonly uses?: () => Promise<ProjectUses>;
}

/** One change per file that becomes different; `before` is what was read. */
export const planEdit = async (
  operations: readonly Operation[],
  context: PlanContext,
): Promise<FileChange[]> => (await planWithNotes(operations, context)).changes;

/** Also what a person should look at, although nothing is wrong with it. */
export const planWithNotes = async (
  operations: readonly Operation[],
  context: PlanContext,
): Promise<{ readonly changes: FileChange[]; readonly notes: readonly Reason[] }> => {
  checkOperations(operations);
  const files = new WorkingFiles(context.tree);
  const notes: Reason[] = [];
  for (const operation of operations)
    notes.push(...((await apply(operation, files, context)) ?? []));
  return { changes: files.changes(), notes };
};

const apply = async (
  operation: Operation,
  files: WorkingFiles,
  { tree, analyser, uses }: PlanContext,
): Promise<readonly Reason[] | void> => {
  const open = (path: string): Promise<Document> => Document.open(files.read(path), path, analyser);
  const edit = (document: Document, splices: readonly Splice[]): void =>
    files.writeText(document, applyAll(document.text, splices));
  switch (operation.do) {
    case "add": {
      const document = await open(operation.file);
      return edit(document, [addition(document, operation)]);
    }
    case "modify": {
      const document = await open(operation.file);
      return edit(document, [await modification(document, operation, analyser)]);
    }
    case "remove": {
      const document = await open(operation.file);
      return edit(document, [removal(document, findSymbol(document, operation.symbol))]);
    }
    case "rename": {
      const plan = await renameInProject(operation, open, await uses?.());
      for (const { document, splices } of plan.files) edit(document, splices);
      return plan.mentions;
    }
    case "move":
      return moveSymbol(operation, files, analyser);
    case "add-import": {
      const document = await open(operation.file);
      return edit(document, [importAddition(document, operation.code)]);
    }
    case "remove-import": {
      const document = await open(operation.file);
      return edit(document, importRemovals(document, operation));
    }
    case "insert": {
      const text = files.readText(operation.file);
      const { outline } = await analyser.outline(files.read(operation.file), operation.file);
      return files.writeText(text, splice(text.source.text, insertion(text, outline, operation)));
    }
    case "replace": {
      const text = files.readText(operation.file);
      return files.writeText(text, applyAll(text.source.text, replacement(text, operation)));
    }
    case "write":
      return writeFile(operation, files);
    case "create": {
      const mode = operation.executable ? 0o755 : undefined;
      return files.create(operation.file, utf8(operation.file, operation.content), mode);
    }
    case "delete":
      return files.delete(operation.file);
    case "move-file": {
      const content = files.read(operation.file);
      files.create(operation.to, content, tree.mode?.(operation.file));
      return files.delete(operation.file);
    }
    case "patch":
      return applyPatchText(operation.patch, files);
  }
};

/** From the last to the first, so that the places of the others hold. */
const applyAll = (text: string, splices: readonly Splice[]): string => {
  let result = text;
  for (const one of [...splices].toSorted((a, b) => b.from - a.from)) result = splice(result, one);
  return result;
};

const addition = (
  document: Document,
  { code, into, before, after }: { code: string; into?: string; before?: string; after?: string },
): Splice => {
  if (code.trim() === "") {
    throw new HeadgateError("CODE_UNFIT", `No code was given to add to ${document.path}.`, {
      data: { path: document.path },
    });
  }
  const isBlock = /[\r\n]/.test(code.trim());
  const { from, to, lead, tail, indent } = placeFor(document, {
    into,
    before,
    after,
    isBlock,
    code,
  });
  const fitted = document.fit(code, indent);
  // Where members are listed with commas, the code may have brought its own.
  const isListed = tail === "," && fitted.endsWith(",");
  return { from, to, text: lead + fitted + (isListed ? "" : tail) };
};

const moveSymbol = async (
  operation: Extract<Operation, { do: "move" }>,
  files: WorkingFiles,
  analyser: Analyser,
): Promise<void> => {
  const { file, symbol, toFile = file, into, before, after } = operation;
  const source = await Document.open(files.read(file), file, analyser);
  const found = findSymbol(source, symbol);
  const { from, to } = found.symbol.span;
  const start = startsLine(source.text, from) ? lineStart(source.text, from) : from;
  const code = source.text.slice(start, to);
  files.writeText(source, splice(source.text, removal(source, found)));
  if (!files.has(toFile)) {
    const fitted = source.fit(code, "") + source.lineEnding;
    return files.create(toFile, utf8(toFile, fitted));
  }
  const target = await Document.open(files.read(toFile), toFile, analyser);
  const beside = {
    ...(into !== undefined && { into }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
  files.writeText(target, splice(target.text, addition(target, { code, ...beside })));
};

/**
 * A file that is there keeps its encoding and mark, and its line endings when they are all alike and the
 * new content has plain ones: who wrote it saw lines, not bytes.
 */
const writeFile = (
  { file, content }: { readonly file: string; readonly content: string },
  files: WorkingFiles,
): void => {
  if (!files.has(file)) return files.create(file, utf8(file, content));
  const text = files.readText(file);
  const { source } = text;
  const isUniform = !/[\r\n]/.test(source.text.replaceAll(source.lineEnding, ""));
  const isPlain = !content.includes("\r");
  const plain = content.replace(/^\ufeff/, "");
  files.writeText(text, isUniform && isPlain ? plain.replaceAll("\n", source.lineEnding) : plain);
};

const utf8 = (path: string, content: string): Buffer => {
  if (content.isWellFormed()) return Buffer.from(content, "utf8");
  throw new HeadgateError("ENCODING_UNFIT", `The content for ${path} has half a character in it.`, {
    data: { path },
  });
};
