/** E-27: a notebook's code cells, each judged as a file of the kernel's language by the rules that look at code. */
import {
  type Analyser,
  diffRegions,
  isNotebook,
  type Notebook,
  type NotebookCell,
  readNotebook,
  type SyntaxVerdict,
  withoutMagics,
} from "../structure/index.ts";
import { answered, type FileCase, lineMap, verdictOf } from "./file-case.ts";
import type { Finding } from "./rules/rule.ts";

/** A file in the place of the notebook, and what its findings say then. */
export interface CellCase {
  readonly file: FileCase;
  locate(finding: Finding): Finding;
}

/** Undefined: not a notebook: judged as what it is. */
export const notebookCells = async (
  file: FileCase,
  analyser: Analyser,
): Promise<readonly CellCase[] | undefined> => {
  if (!isNotebook(file.path) || !file.afterBytes) return undefined;
  const [before, after] = [file.beforeBytes, file.afterBytes].map(
    (bytes) => bytes && readNotebook(bytes.toString("utf8")),
  );
  if (!after) {
    const asJson = (bytes: Buffer | undefined) => verdictOf(analyser, bytes, "notebook.json");
    const broken = {
      ...file,
      syntaxBefore: asJson(file.beforeBytes),
      syntaxAfter: asJson(file.afterBytes),
    };
    return [{ file: broken, locate: (finding) => finding }];
  }
  if (after.ending === undefined) return [];
  const changed = after.cells.filter(
    (cell) => !(before?.cells ?? []).some(({ code }) => code === cell.code),
  );
  return Promise.all(
    changed.map((cell) => cellCase(file, { analyser, cell, before, ending: after.ending ?? "" })),
  );
};

const cellCase = async (
  { path }: FileCase,
  {
    analyser,
    cell,
    before,
    ending,
  }: {
    readonly analyser: Analyser;
    readonly cell: NotebookCell;
    readonly before: Notebook | undefined;
    readonly ending: string;
  },
): Promise<CellCase> => {
  const name = `cell.${ending}`;
  const old = before?.cells.find(({ id, number }) =>
    cell.id === undefined || id === undefined ? number === cell.number : id === cell.id,
  );
  const read = async (one: NotebookCell | undefined) => {
    const text = one && (await plainCode(one.code, ending, analyser));
    const bytes = text === undefined ? undefined : Buffer.from(text);
    const analysed = bytes && answered(await analyser.outline(bytes, name), path);
    return { bytes, analysed, verdict: allowingAwait(verdictOf(analyser, bytes, name)) };
  };
  const [was, is] = [await read(old), await read(cell)];
  const file: FileCase = {
    path,
    before: was.analysed,
    after: is.analysed,
    beforeBytes: was.bytes,
    afterBytes: is.bytes,
    regions: diffRegions(was.analysed, is.analysed),
    syntaxBefore: was.verdict,
    syntaxAfter: is.verdict,
    // Names of one cell come from the others.
    shapeBefore: async () => undefined,
    shapeAfter: async () => undefined,
    judgeText: (text) => analyser.syntax(text, name),
    isTrusted: async () => false,
    oldLine: lineMap(was.analysed?.source.text ?? "", is.analysed?.source.text ?? ""),
  };
  return { file, locate: (finding) => inCell(finding, cell) };
};

/** Python that only looks like a magic (`%` at the start of a line that goes on) stays as it is. */
const plainCode = async (code: string, ending: string, analyser: Analyser): Promise<string> => {
  if (ending !== "py") return code;
  const plain = withoutMagics(code);
  if (plain === code) return code;
  const { state } = await analyser.syntax(code, "cell.py");
  return state === "valid" ? code : plain;
};

/** A notebook runs inside of a loop of events. */
const allowingAwait =
  (ask: () => Promise<SyntaxVerdict | undefined>) =>
  async (): Promise<SyntaxVerdict | undefined> => {
    const verdict = await ask();
    if (verdict?.state !== "invalid") return verdict;
    const errors = verdict.errors.filter(({ code }) => !["PLE1142", "F704"].includes(code));
    return errors.length === 0 ? { ...verdict, state: "valid", errors } : { ...verdict, errors };
  };

/** A line of the file says nothing there: the cell and its own line do. */
const inCell = (
  { line, column: _column, call: _call, symbol: _symbol, ...finding }: Finding,
  { number, id }: NotebookCell,
): Finding => {
  const name = id === undefined ? `cell ${number}` : `cell ${number} (${id})`;
  const where = line === undefined ? name : `${name}, line ${line}`;
  const isTwice = finding.code.startsWith("DUPLICATE");
  return {
    ...finding,
    message: `${where}: ${finding.message}`,
    remedy: isTwice
      ? "Change the existing one in that cell, or choose another name."
      : finding.remedy,
  };
};
