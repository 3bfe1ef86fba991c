import type { StaticRule } from "../rule.ts";

export const worldWritable: StaticRule = {
  name: "world-writable",
  severity: "P3",
  kind: "security",
  languages: ["python", "script", "go", "bash"],
  needs: /chmod|umask|Chmod/,
  skipsTests: true,
  why: "Every user of the machine can change the file; where it is run or read as configuration, they can decide what happens.",
  fix: "Give only what is needed: 0o600 or 0o644 for files, 0o700 or 0o755 for folders and programs.",
  *check(file) {
    for (const call of file.calls) {
      const texts = call.args.map(({ text }) => text);
      const isOpen =
        file.family === "bash"
          ? call.name === "chmod" &&
            texts.some(
              (text) =>
                (/^0?[0-7]?[0-7]{2}[2367]$/.test(text) &&
                  !text.replace(/^0/, "").padStart(4, "0").startsWith("1")) ||
                (/^(a|o|go|ugo|ao)?[+=][rx]*w/.test(text) && !text.startsWith("+w")),
            )
          : /^(chmod|chmodSync|fchmod|fchmodSync|lchmod|Chmod)$/.test(call.name) &&
            texts
              .slice(0, 2)
              .some(
                (text) =>
                  /^(0o?|["']0?)?[0-7]?[0-7]{2}[2367]["']?$/.test(text) &&
                  /^0|^["']/.test(text) &&
                  !/^0o?1\d{3}$/.test(text),
              );
      const isUmask =
        /^(os\.umask|process\.umask|syscall\.Umask|umask)$/.test(call.callee) &&
        /^0+o?0*$/.test(texts[0] ?? "x") &&
        !/^(assignment|variable_declarator|assignment_expression)$/.test(
          call.node.parent?.kind ?? "",
        );
      if (isOpen) yield { node: call.node, title: "everybody on the machine may write to it" };
      else if (isUmask && file.family !== "go")
        yield { node: call.node, title: "with this umask new files can be written by everybody" };
    }
  },
};
