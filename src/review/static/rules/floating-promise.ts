import type { StaticRule } from "../rule.ts";

export const floatingPromise: StaticRule = {
  name: "floating-promise",
  severity: "P1",
  kind: "bug",
  languages: ["script"],
  needs: /fs\/promises|\.promises|promises as/,
  why: "Nobody waits: what follows runs before the file is written, and a failure ends the process as an unhandled rejection or is never seen.",
  fix: "Write `await` before it (or return it); where it is meant to go on alone, write `void` and a `.catch`.",
  *check(file) {
    const names = new Set<string>();
    const holders = new Set(["fs.promises"]);
    for (const node of file.of("import_statement")) {
      if (!/["'](node:)?fs\/promises["']/.test(node.text)) continue;
      for (const one of node.below("import_specifier"))
        names.add((one.child("alias") ?? one.child("name"))?.text ?? "");
      for (const one of node.below("import_clause", "namespace_import")) {
        const name = one.named[0];
        if (name?.kind === "identifier") holders.add(name.text);
      }
    }
    for (const match of file.text.matchAll(
      /\b(?:const|let|var)\s+(\w+)\s*=\s*require\(["'](?:node:)?fs(?:\/promises["']\)|["']\)\.promises)/g,
    ))
      holders.add(match[1] ?? "");
    for (const match of file.text.matchAll(/promises as (\w+)/g)) holders.add(match[1] ?? "");
    for (const call of file.calls) {
      if (call.node.parent?.kind !== "expression_statement") continue;
      const isAsync =
        call.receiver === ""
          ? names.has(call.name)
          : holders.has(call.receiver) && writes.test(call.name);
      if (isAsync && (call.receiver !== "" || writes.test(call.name)))
        yield { node: call.node, title: `nobody waits for \`${call.callee}\`` };
    }
  },
};

const writes =
  /^(writeFile|appendFile|mkdir|rm|rmdir|unlink|rename|copyFile|cp|chmod|chown|truncate|symlink|link|utimes|readFile|access|stat|open)$/;
