import type { StaticRule } from "../rule.ts";
import { literalOf } from "../texts.ts";

export const versionAsText: StaticRule = {
  name: "version-as-text",
  severity: "P2",
  kind: "bug",
  languages: ["python", "script", "go", "bash"],
  needs: /version/i,
  skipsTests: true,
  why: 'Texts are compared letter by letter: "10.0" is smaller than "9.0".',
  fix: "Compare the numbers one by one, or use a library for versions (`packaging.version`, `semver`, `sort -V`).",
  *check(file) {
    if (/LooseVersion|StrictVersion|parse_version|packaging/.test(file.text)) return;
    for (const node of file.of("comparison_operator", "binary_expression")) {
      if (!node.children.some(({ kind }) => /^'(<|>|<=|>=)$/.test(kind))) continue;
      const [left, right] = node.named;
      if (!left || !right || node.named.length !== 2) continue;
      const pairs = [
        [left, right],
        [right, left],
      ] as const;
      const isHit = pairs.some(([name, value]) => {
        const text = file.family === "bash" ? value.text.replaceAll(/["']/g, "") : literalOf(value);
        return (
          text !== undefined &&
          /^v?\d+(\.\d+)+/.test(text) &&
          /version|\bver\b/i.test(name.text) &&
          !/\(.*\b(parse|Version|tuple|LooseVersion|StrictVersion)|info\b/.test(name.text) &&
          !/^(\w+\.)*\w*Version\(/.test(name.text)
        );
      });
      if (isHit && (file.family !== "bash" || node.around("test_command")?.text.startsWith("[[")))
        yield { node, title: "versions are compared as texts" };
    }
  },
};
