/**
 * `headgate-ignore: rule reason` in a comment, on the line itself or on the one above. Without a reason it
 * does not count: a suppression nobody can judge later is worth nothing.
 */
export type Suppressions = ReadonlyMap<number, ReadonlySet<string>>;

export const suppressionsOf = (text: string): Suppressions => {
  const found = new Map<number, Set<string>>();
  if (!text.includes("headgate-ignore")) return found;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const match = /(?:\/\/|#|\/\*|--|<!--)\s*headgate-ignore:\s*([a-z][a-z-]*)\s+(?=[^\s*])/.exec(
      line,
    );
    const rule = match?.[1];
    if (rule === undefined) continue;
    // Behind code it is about that code; on a line of its own, about the next.
    const at = line.slice(0, match?.index).trim() === "" ? index + 2 : index + 1;
    const names = found.get(at) ?? new Set<string>();
    found.set(at, names.add(rule));
  }
  return found;
};

export const isSuppressed = (known: Suppressions, rule: string, line: number): boolean =>
  known.get(line)?.has(rule) ?? false;
