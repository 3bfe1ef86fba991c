/**
 * Globs over paths of the repository: `*` and `?` inside a name, `**` over folders, `{a,b}`. Without a slash a
 * glob matches names in every folder; one that ends with a slash, everything below. Takes time proportional to
 * both lengths: globs come from files that people and programs write.
 */
export const pathMatcher = (glob: string): ((path: string) => boolean) => {
  const forms = braced(glob.replace(/^\.?\//, "")).map((form) => {
    const whole = form.endsWith("/") ? `${form}**` : form;
    return (whole.includes("/") ? whole : `**/${whole}`).split("/");
  });
  return (path) => {
    const names = path.split("/");
    return forms.some((parts) => matchesParts(parts, names));
  };
};

const formsMax = 64;

/** Each way to choose among the braces; a glob with more of them than anybody writes stays as it is. */
const braced = (glob: string): string[] => {
  let forms = [glob];
  for (;;) {
    const open = forms.findIndex((form) => group.test(form));
    if (open < 0) return forms;
    const [whole = "", inside = ""] = group.exec(forms[open] ?? "") ?? [];
    const next = inside.split(",").map((one) => (forms[open] ?? "").replace(whole, () => one));
    forms = forms.toSpliced(open, 1, ...next);
    if (forms.length > formsMax) return [glob];
  }
};

const group = /\{([^{},]*(?:,[^{},]*)+)\}/;

const matchesParts = (parts: readonly string[], names: readonly string[]): boolean => {
  // Which beginnings of the names the parts so far can match.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= names.length; to += 1) next.add(to);
      else if (at < names.length && matchesName(part, names[at] ?? "")) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
};

const matchesName = (pattern: string, name: string): boolean => {
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
