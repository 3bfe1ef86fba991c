/** Those findings of a linter that the change caused: those on lines it wrote, and those elsewhere that were not there before. */
import type { SubjectFile } from "../subject/types.ts";
import type { Finding } from "../types.ts";

/** The content before the change; undefined where the hunks do not fit. A new file had none. */
export const textBefore = ({ after, hunks, status }: SubjectFile): string | undefined => {
  if (after === undefined) return undefined;
  if (status === "added") return "";
  const lines = after.split("\n");
  for (const { newStart, newLines, lines: shown } of hunks.toReversed()) {
    const from = newLines === 0 ? newStart : newStart - 1;
    const old = shown.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    lines.splice(from, newLines, ...old);
  }
  return lines.join("\n");
};

/** By line after the change: its line before; absent where the change wrote it. */
const oldLines = ({ after = "", hunks }: SubjectFile): Map<number, number> => {
  const map = new Map<number, number>();
  const count = after.split("\n").length;
  let [now, old] = [1, 1];
  for (const { newStart, newLines, lines } of hunks) {
    for (const end = newLines === 0 ? newStart + 1 : newStart; now < end;) map.set(now++, old++);
    for (const line of lines) {
      if (line.startsWith("+")) now += 1;
      else if (line.startsWith("-")) old += 1;
      else map.set(now++, old++);
    }
  }
  while (now <= count) map.set(now++, old++);
  return map;
};

export const causedBy = (
  file: SubjectFile,
  { before, after }: { readonly before: readonly Finding[]; readonly after: readonly Finding[] },
): Finding[] => {
  const sameKind = ({ rule = "", title }: Finding): string => `${rule}\0${title}`;
  const samePlace = (line: number | undefined, one: Finding): string =>
    `${line ?? 0}\0${sameKind(one)}`;
  const map = oldLines(file);
  const known = new Set(before.map((one) => samePlace(one.line, one)));
  const isOld = (one: Finding): boolean => {
    const line = one.line === undefined ? undefined : map.get(one.line);
    return line !== undefined && known.has(samePlace(line, one));
  };
  const fresh = after.filter((one) => !isOld(one));
  // A finding that left its old place may only have moved: as many of a kind as went are not new.
  const gone = new Map<string, number>();
  for (const one of before) gone.set(sameKind(one), (gone.get(sameKind(one)) ?? 0) + 1);
  for (const one of after) {
    if (isOld(one)) gone.set(sameKind(one), (gone.get(sameKind(one)) ?? 0) - 1);
  }
  const inOrder = fresh.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return inOrder.filter((one) => {
    const left = gone.get(sameKind(one)) ?? 0;
    if (left > 0) gone.set(sameKind(one), left - 1);
    return left <= 0;
  });
};
