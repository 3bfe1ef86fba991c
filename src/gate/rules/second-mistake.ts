/**
 * A second mistake in a file that has one already. Parsers stop at the first, so both versions are read once more
 * without the lines around the old mistake, where the edit left them as they were: what was right without them and is
 * not any more is the edit's doing.
 */
import type { SyntaxError } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";

/** Old mistakes that are taken out, one after the other. */
const roundsMax = 3;

export const mistakesBesideOld = async (one: FileCase): Promise<readonly SyntaxError[]> => {
  const { before, after } = one;
  if (!before || !after) return [];
  const old = before.source.text.split("\n");
  const now = after.source.text.split("\n");
  let errors = (await one.syntaxBefore())?.errors ?? [];
  for (let round = 0; round < roundsMax && errors[0]; round += 1) {
    const { line } = errors[0];
    for (const region of regionsAround(line, old, one)) {
      if (!blank(region, old, now, one)) continue;
      const left = await one.judgeText(old.join("\n"));
      if (left.state === "valid") return (await one.judgeText(now.join("\n"))).errors;
      errors = left.errors;
      if (errors[0]?.line !== line) break;
    }
    if (errors[0]?.line === line) return [];
  }
  return [];
};

interface OldRegion {
  readonly from: number;
  readonly to: number;
}

/** From small to large: the line itself, the lines around it up to blank ones, the definition around it. */
const regionsAround = (
  line: number,
  lines: readonly string[],
  { before }: FileCase,
): OldRegion[] => {
  const isBlank = (at: number): boolean => (lines[at - 1] ?? "").trim() === "";
  let [from, to] = [line, line];
  while (from > 1 && !isBlank(from - 1)) from -= 1;
  while (to < lines.length && !isBlank(to + 1)) to += 1;
  const around = (before?.outline.symbols ?? []).find(
    ({ range }) => range.start.line <= line && line <= range.end.line,
  );
  const symbol = around && [{ from: around.range.start.line, to: around.range.end.line }];
  return [{ from: line, to: line }, { from, to }, ...(symbol ?? [])];
};

/** Takes the lines out of both versions; false where the edit touches them. */
const blank = (
  { from, to }: OldRegion,
  old: string[],
  now: string[],
  { oldLine }: FileCase,
): boolean => {
  const places = now.flatMap((_, at) => {
    const was = oldLine(at + 1);
    return was !== undefined && was >= from && was <= to ? [at] : [];
  });
  if (places.length !== to - from + 1) return false;
  for (const at of places) now[at] = "";
  for (let at = from; at <= to; at += 1) old[at - 1] = "";
  return true;
};
