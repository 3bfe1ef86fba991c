/**
 * `*** Begin Patch` as agent clients apply it: the first place that fits from where the last hunk ended,
 * first to the letter, then without blanks at the ends, then with typographic signs made plain. Our own
 * `apply` is stricter; here the question is what the client will do.
 */
export interface LenientChange {
  readonly path: string;
  /** Null deletes it. */
  readonly after: string | null;
  readonly movedFrom?: string;
  /** It takes the place of whatever is there. */
  readonly isWhole: boolean;
}

/** Files that a patch names, in its order, whatever else is in it. */
export const pathsInPatch = (patch: string): readonly string[] => {
  const envelope =
    /^[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File: (.*\S)|Move to: (.*\S))[^\S\n]*$/gm;
  const unified = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n\r]*\S)[^\S\n]*$/gm;
  const named = [...patch.matchAll(envelope)].map(([, file, to]) => file ?? to ?? "");
  const found =
    named.length > 0 ? named : [...patch.matchAll(unified)].map(([, file]) => file ?? "");
  return [...new Set(found.filter((path) => path !== "" && path !== "/dev/null"))];
};

/** From a file's name to the file it becomes. */
export const movesInPatch = (patch: string): ReadonlyMap<string, string> => {
  const moves = /^\*\*\* Update File: (.*\S)[ \t]*\r?\n\*\*\* Move to: (.*\S)[ \t]*\r?$/gm;
  return new Map([...patch.matchAll(moves)].map(([, from = "", to = ""]) => [to, from]));
};

/** Undefined where the client's tool will not be able to apply it either, as far as is known. */
export const applyLeniently = (
  patch: string,
  read: (path: string) => string | undefined,
): readonly LenientChange[] | undefined => {
  const lines = patch.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  if (begin < 0) return undefined;
  const end = lines.findIndex((line, index) => index > begin && line.trim() === "*** End Patch");
  const changes = new Map<string, LenientChange>();
  const now = (path: string): string | undefined => {
    const known = changes.get(path);
    return known ? (known.after ?? undefined) : read(path);
  };
  for (const part of partsOf(lines.slice(begin + 1, end < 0 ? undefined : end))) {
    const made = applyPart(part, now(part.path));
    if (!made) return undefined;
    for (const change of made) changes.set(change.path, change);
  }
  return changes.size === 0 ? undefined : [...changes.values()];
};

interface Part {
  readonly what: string;
  readonly path: string;
  readonly lines: readonly string[];
}

const partsOf = (lines: readonly string[]): readonly Part[] => {
  const parts: { what: string; path: string; lines: string[] }[] = [];
  for (const line of lines) {
    const head = /^\s*\*\*\* (Add|Update|Delete) File: (.*\S)\s*$/.exec(line);
    if (head) parts.push({ what: head[1] ?? "", path: head[2] ?? "", lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts;
};

const applyPart = (
  { what, path, lines }: Part,
  now: string | undefined,
): LenientChange[] | undefined => {
  if (what === "Delete") {
    return now === undefined ? undefined : [{ path, after: null, isWhole: false }];
  }
  if (what === "Add") {
    const added = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return [{ path, after: added.join(""), isWhole: true }];
  }
  if (now === undefined) return undefined;
  const to = /^\*\*\* Move to: (.*\S)\s*$/.exec(lines[0] ?? "")?.[1];
  const after = applyHunks(now, hunksOf(to === undefined ? lines : lines.slice(1)));
  if (after === undefined) return undefined;
  if (to === undefined || to === path) return [{ path, after, isWhole: false }];
  return [
    { path, after: null, isWhole: false },
    { path: to, after, movedFrom: path, isWhole: true },
  ];
};

interface Hunk {
  readonly anchors: string[];
  readonly old: string[];
  readonly fresh: string[];
  isAtEnd: boolean;
}

const hunksOf = (lines: readonly string[]): readonly Hunk[] => {
  const hunks: Hunk[] = [];
  const open = (): Hunk => {
    const hunk: Hunk = { anchors: [], old: [], fresh: [], isAtEnd: false };
    hunks.push(hunk);
    return hunk;
  };
  let hunk: Hunk | undefined;
  for (const line of lines) {
    if (line === "@@" || line.startsWith("@@ ")) {
      if (!hunk || hunk.old.length + hunk.fresh.length > 0) hunk = open();
      const anchor = line.slice(2).trim().replace(/ ?@@$/, "");
      if (anchor !== "") hunk.anchors.push(anchor);
    } else if (line.trim() === "*** End of File") {
      if (hunk) hunk.isAtEnd = true;
    } else {
      hunk ??= open();
      const text = line.slice(1);
      if (line.startsWith("+")) hunk.fresh.push(text);
      else if (line.startsWith("-")) hunk.old.push(text);
      else {
        hunk.old.push(text);
        hunk.fresh.push(text);
      }
    }
  }
  return hunks.filter(({ old, fresh }) => old.length + fresh.length > 0);
};

const applyHunks = (text: string, hunks: readonly Hunk[]): string | undefined => {
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const splices: { readonly at: number; readonly count: number; readonly fresh: string[] }[] = [];
  let from = 0;
  for (const { anchors, old, fresh, isAtEnd } of hunks) {
    for (const anchor of anchors) {
      const place = seek(lines, [anchor], from, false);
      if (place === undefined) return undefined;
      from = place + 1;
    }
    if (old.length === 0) {
      splices.push({ at: lines.length, count: 0, fresh });
      continue;
    }
    let [wanted, put] = [old, fresh];
    let place = seek(lines, wanted, from, isAtEnd);
    if (place === undefined && wanted.at(-1) === "") {
      // An empty last line stands for the end of the file.
      wanted = wanted.slice(0, -1);
      if (put.at(-1) === "") put = put.slice(0, -1);
      place = seek(lines, wanted, from, isAtEnd);
    }
    if (place === undefined) return undefined;
    splices.push({ at: place, count: wanted.length, fresh: put });
    from = place + wanted.length;
  }
  for (const { at, count, fresh } of splices.toReversed()) lines.splice(at, count, ...fresh);
  return lines.length === 0 ? "" : lines.join(ending) + ending;
};

const seek = (
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  isAtEnd: boolean,
): number | undefined => {
  const last = lines.length - wanted.length;
  for (const start of isAtEnd ? [last, from] : [from]) {
    for (const same of strictness) {
      for (let at = Math.max(start, 0); at <= last; at += 1) {
        if (wanted.every((line, index) => same(line) === same(lines[at + index] ?? ""))) return at;
      }
    }
  }
  return undefined;
};

const strictness: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) =>
    line
      .trim()
      .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
      .replaceAll(/[\u2018-\u201b]/g, "'")
      .replaceAll(/[\u201c-\u201f]/g, '"')
      .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "),
];
