import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 HTML: elements with an id, headings, scripts and style sheets", async () => {
  const { outline, shape, span, imports } = await outlined(
    "html",
    `<!doctype html>
<html><head><script src="a.js"></script><link rel=stylesheet href="x.css"></head>
<body id=top>
<h1>Hello <b>you</b></h1>
<!-- The middle. -->
<div id="main"><p id='text'>t</p><p>no name</p></div>
</body></html>
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "element top",
    "element top.Hello",
    "element top.main",
    "element top.main.text",
  ]);
  expect(span("top.main.text")).toBe("<p id='text'>t</p>");
  expect(span("top.main")).toBe(
    `<!-- The middle. -->\n<div id="main"><p id='text'>t</p><p>no name</p></div>`,
  );
  expect(imports).toEqual(["a.js:", "x.css:"]);
});
