import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 CSS: rules, at-rules, custom properties, imports", async () => {
  const { outline, shape, span, body, imports } = await outlined(
    "css",
    `@import "a.css";
@import url(b.css);

/* Buttons. */
.a, .b > c:hover { color: red; --gap: 1px; }
@media (min-width: 1px) { .a { color: blue; } }
@keyframes spin { from { top: 0 } to { top: 1px } }
@font-face { font-family: x }
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "rule .a, .b > c:hover",
    "property .a, .b > c:hover.--gap",
    "rule @media.(min-width: 1px)",
    "rule @media.(min-width: 1px)..a",
    "rule @keyframes.spin",
    "rule @font-face",
  ]);
  expect(span(".a, .b > c:hover")).toBe(
    "/* Buttons. */\n.a, .b > c:hover { color: red; --gap: 1px; }",
  );
  expect(body("@media.(min-width: 1px)")).toBe("{ .a { color: blue; } }");
  expect(imports).toEqual(["a.css:", "b.css:"]);
});
