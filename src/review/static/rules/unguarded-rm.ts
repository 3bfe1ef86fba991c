import type { StaticRule } from "../rule.ts";

export const unguardedRm: StaticRule = {
  name: "unguarded-rm",
  severity: "P2",
  kind: "reliability",
  languages: ["bash"],
  needs: /\brm\s+-/,
  why: 'If the variable is empty or unset, the path that is left begins at the root: `rm -rf "$dir/"*` becomes `rm -rf /*`.',
  fix: 'Write `"${dir:?}"/…`, and begin the script with `set -u`.',
  *check(file) {
    if (/^[^\S\n]*set\s+-\w*u|set\s+-o\s+nounset/m.test(file.text)) return;
    for (const call of file.calls) {
      if (call.name !== "rm" || !call.args.some(({ text }) => /^-\w*[rR]/.test(text))) continue;
      for (const arg of call.args) {
        const name = /^"?\$\{?(\w+)\}?"?\/(\*|"?\*|"?$|"?\$\{?\w+\}?"?$)/.exec(arg.text)?.[1];
        if (name === undefined || /^(HOME|PWD|TMPDIR)$/.test(name)) continue;
        // Set in this script to something that is never empty, or checked.
        const assigned = new RegExp(
          `(^|[\\s;(])(local |export |readonly |declare |typeset )*${name}=["']?[^\\s"'$;]|\\b${name}=["']?\\$\\{[^}]*:-[^}]|${name}=["']?\\$\\((mktemp|pwd|cd|dirname|realpath)|for ${name} in|-[nzd] "?\\$\\{?${name}\\b|\\$\\{${name}:[?=-]`,
          "m",
        );
        if (assigned.test(file.text)) continue;
        const others = new RegExp(`${name}=["']?(\\$\\{?\\w+\\}?)?["']?[\\w./-]`, "m");
        if (others.test(file.text)) continue;
        yield {
          node: call.node,
          title: `\`rm\` of \`${arg.text.slice(0, 40)}\`: an empty \`${name}\` leaves the root`,
        };
        break;
      }
    }
  },
};
