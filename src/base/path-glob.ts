/**
 * The steps of a glob over a path, for rooms that give their globs different ends. Takes time proportional to
 * both lengths, without backtracking: globs come from files that people and programs write.
 */

/** Which beginnings of `names` the `parts` match, as counts of names; `**` stands for any number of them. */
export const matchedBeginnings = (
  parts: readonly string[],
  names: readonly string[],
): ReadonlySet<number> => {
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= names.length; to += 1) next.add(to);
      else if (at < names.length && matchesName(part, names[at] ?? "")) next.add(at + 1);
    }
    reached = next;
    if (reached.size === 0) break;
  }
  return reached;
};

/** `*` and `?` inside one name. */
export const matchesName = (pattern: string, name: string): boolean => {
  let [p, n, star, retry] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === "*") {
      star = p;
      p += 1;
      retry = n;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      p = star + 1;
      retry += 1;
      n = retry;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
};
