import { matchedBeginnings } from "../base/path-glob.ts";

/**
 * Globs over paths of the repository: `*` and `?` inside a name, `**` over folders, `{a,b}`. Without a slash a
 * glob matches names in every folder; one that ends with a slash, everything below.
 */
export const pathMatcher = (glob: string): ((path: string) => boolean) => {
  const forms = braced(glob.replace(/^\.?\//, "")).map((form) => {
    const whole = form.endsWith("/") ? `${form}**` : form;
    return (whole.includes("/") ? whole : `**/${whole}`).split("/");
  });
  return (path) => {
    const names = path.split("/");
    return forms.some((parts) => matchedBeginnings(parts, names).has(names.length));
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
