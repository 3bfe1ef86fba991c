/** A Jupyter notebook after the edit of one cell, as the clients write it. */
import type { NotebookEdit } from "./types.ts";

type Cell = Record<string, unknown>;

/** Undefined where it is no notebook, or has no such cell. */
export const editNotebook = (text: string, edit: NotebookEdit): string | undefined => {
  const notebook = parse(text);
  const cells = notebook?.["cells"];
  if (!notebook || !Array.isArray(cells)) return undefined;
  const at = edit.id === undefined ? -1 : placeOf(cells, edit.id);
  if (at === undefined || (at < 0 && edit.mode !== "insert")) return undefined;
  const changed = [...cells] as Cell[];
  if (edit.mode === "delete") changed.splice(at, 1);
  else if (edit.mode === "insert") changed.splice(at + 1, 0, newCell(edit));
  else changed[at] = editedCell(changed[at] ?? {}, edit);
  return JSON.stringify({ ...notebook, cells: changed }, null, 1);
};

const parse = (text: string): Cell | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Cell) : undefined;
  } catch {
    return undefined;
  }
};

/** By its id, or by its number as `cell-3`, which older notebooks without ids need. */
const placeOf = (cells: readonly unknown[], id: string): number | undefined => {
  const byId = cells.findIndex((cell) => (cell as Cell | null)?.["id"] === id);
  if (byId >= 0) return byId;
  const number = /^cell-(\d+)$/.exec(id)?.[1];
  return number !== undefined && Number(number) < cells.length ? Number(number) : undefined;
};

const newCell = ({ source, type = "code" }: NotebookEdit): Cell => ({
  cell_type: type,
  metadata: {},
  source,
  ...(type === "code" && { outputs: [], execution_count: null }),
});

const editedCell = (cell: Cell, { source, type }: NotebookEdit): Cell => {
  const isCode = (type ?? cell["cell_type"]) === "code";
  return {
    ...cell,
    source,
    ...(type !== undefined && { cell_type: type }),
    ...(isCode && { outputs: [], execution_count: null }),
  };
};
