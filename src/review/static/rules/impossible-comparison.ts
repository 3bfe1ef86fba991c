import type { StaticRule } from "../rule.ts";
import { isText } from "../texts.ts";

export const impossibleComparison: StaticRule = {
  name: "impossible-comparison",
  severity: "P1",
  kind: "bug",
  languages: ["python", "script", "go"],
  skipsTests: true,
  needs: /\bnan\b|\bis\b/i,
  why: "Nothing is equal to NaN, not even NaN; and `is` asks whether two things are one object, which for texts and numbers depends on the interpreter.",
  fix: "Use `Number.isNaN`, `math.isnan`, `math.IsNaN`; compare texts and numbers with `==`.",
  *check(file) {
    for (const node of file.of("comparison_operator", "binary_expression")) {
      const isEquality = node.children.some(({ kind }) => /^'(==|!=|===|!==)$/.test(kind));
      const isIdentity = node.children.some(({ kind }) => /^'(is|is not)$/.test(kind));
      if (!isEquality && !isIdentity) continue;
      const sides = node.named;
      const nan = sides.find(({ text }) =>
        /^(NaN|Number\.NaN|float\(['"][nN]a[nN]['"]\)|math\.nan|np\.nan|numpy\.nan|math\.NaN\(\))$/.test(
          text,
        ),
      );
      if (isEquality && nan && sides.length === 2)
        yield { node, title: `nothing is ever equal to \`${nan.text}\`` };
      const literal = sides.find(
        (side) => isText(side) || /^(integer|float|list|dictionary|tuple)$/.test(side.kind),
      );
      if (isIdentity && literal)
        yield {
          node,
          title: `\`is\` compares with the literal \`${literal.text.slice(0, 20)}\` by identity`,
        };
    }
  },
};
