/** Places that reviewers name: `src/a.ts:12`, `a.py` line 3, `b.go:4-9`, `b.go#L4`. */
export interface FoundPlace {
  readonly path: string;
  readonly line?: number;
}

/** The first place in a text; a line called "Location" or "File" goes before the rest. */
export const findPlace = (text: string): FoundPlace | undefined => {
  const told = /^[ \t>*-]*(?:location|file|where|place)s?\**\s*:\**\s*(\S.*)$/im.exec(text)?.[1];
  return (told === undefined ? undefined : inText(told, true)) ?? inText(text, false);
};

/** A field of the index that is a place and nothing else. */
export const readPlace = (field: string): FoundPlace | undefined => {
  const text = field.trim().replace(/^`|`$/g, "");
  const [whole, path = "", line] = single.exec(text) ?? [];
  return whole === undefined ? undefined : makePlace(path, line);
};

const single =
  /^((?:[\w@.+-]+\/)*[\w@.+-]+\.[A-Za-z]\w{0,9}|(?:[\w@.+-]+\/)+[\w@+-]+)(?:(?::|#L)(\d{1,7})(?:[-:]L?\d{1,7})?)?$/;
const withLine =
  /(?<![\w/.:@-])((?:[\w@.+-]{1,100}\/){0,30}[\w@+-][\w@.+-]{0,100}\.[A-Za-z]\w{0,9})(?::|#L)(\d{1,7})\b/g;
const spokenLine =
  /((?:[\w@.+-]{1,100}\/){0,30}[\w@+-][\w@.+-]{0,100}\.[A-Za-z]\w{0,9})\b.{0,80}?\blines?\s+(\d{1,7})/;

const inText = (text: string, isTold: boolean): FoundPlace | undefined => {
  for (const [, path = "", line] of text.slice(0, searchLengthMax).matchAll(withLine)) {
    const place = makePlace(path, line);
    if (place) return place;
  }
  if (!isTold) return undefined;
  const [, path = "", line] = spokenLine.exec(text.slice(0, 1000)) ?? [];
  return path ? makePlace(path, line) : readPlace(text.split(/[\s,;(]/)[0] ?? "");
};

/** Inside the repository only: a report cannot point anywhere else. */
const makePlace = (path: string, line: string | undefined): FoundPlace | undefined => {
  const clean = path.replace(/^(?:\.\/)+/, "");
  if (clean === "" || clean.startsWith("/") || clean.split("/").includes("..")) return undefined;
  if (/^\d+(?:\.\d+)*$/.test(clean)) return undefined;
  const number = line === undefined ? 0 : Number(line);
  return number > 0 ? { path: clean, line: number } : { path: clean };
};

const searchLengthMax = 20_000;
