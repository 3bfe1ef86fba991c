import { textWidth } from "./text-width.ts";

/** Rows of cells as aligned lines; widths count plain text, so colours come in through `paint`. */
export const alignedLines = (
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number) => string = (cell) => cell,
): string[] => {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const isLast = column === row.length - 1;
        const padding = isLast ? "" : " ".repeat((widths[column] ?? 0) - textWidth(cell));
        return paint(cell, column) + padding;
      })
      .join("  ")
      .trimEnd(),
  );
};
