import { describe, expect, it } from "vitest";
import { findDuplicates, SourceText } from "../../../src/structure/index.ts";
import { embeddedScript } from "../../../src/structure/languages/embedded.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const part = (language: string, text: string) => embeddedScript(language, new SourceText(text));

const component = `<template>
  <p title="a > b">{{ größe }}</p><script>never()</script>
</template>

<script lang="ts" setup generics="T extends Map<string, X>">
import { ref } from "vue";
/** Counts. */
function count(n: number): number { return n; }
</script>\r
<style>p { color: red }</style>
`;

describe("scripts in components", () => {
  it("E-01 everything but the script is blank, and every place stays the same", () => {
    const { language, text } = part("vue", component);
    expect(language).toBe("typescript");
    expect(text.length).toBe(component.length);
    expect(text.replaceAll(/[^\r\n]/g, "")).toBe(component.replaceAll(/[^\r\n]/g, ""));
    expect(text.trim()).toMatch(/^import \{ ref \}[^]*return n; \}$/);
    expect(text.indexOf("function count")).toBe(component.indexOf("function count"));
  });

  it.each([
    ["javascript", "<script>a()</script>", "a()"],
    ["javascript", "<SCRIPT lang='js'>a()</SCRIPT>", "a()"],
    ["typescript", "<script module lang=ts>a()</script>\n<script lang=ts>b()</script>", "a() b()"],
    ["tsx", '<script lang="tsx">a()</script>', "a()"],
    ["javascript", "<!-- <script>no()</script> --><p/>", ""],
    ["javascript", "<svelte:head><script>no()</script></svelte:head><script>a()</script>", "a()"],
    ["javascript", '<script src="./a.js" /><p>text</p>', ""],
    ["javascript", "<template><template #x></template><script>no()</script></template>", ""],
    ["javascript", '<template src="a.html" /><script>a()</script>', "a()"],
    ["javascript", "<script>a()", "a()"],
    ["javascript", "", ""],
  ])("E-01 %s in %s", (language, text, script) => {
    const found = part("svelte", text);
    expect(found.language).toBe(language);
    expect(found.text.length).toBe(text.length);
    expect(found.text.trim().replaceAll(/\s+/g, " ")).toBe(script);
  });

  it("E-01 other languages are left as they are", () => {
    expect(part("html", component)).toEqual({ language: "html", text: component });
  });

  it("E-01 E-02 the outline of a component is that of its script", async () => {
    const { outline, source } = await analyser.outline(component, "src/Door.vue");
    expect(outline.language).toBe("vue");
    expect(outline.coverage.duplicates.state).toBe("live");
    const [count] = outline.symbols;
    expect(count?.path).toBe("count");
    expect(source.text.slice(count!.span.from, count!.span.to)).toBe(
      "/** Counts. */\nfunction count(n: number): number { return n; }",
    );
    const twice = component.replace("</script>\r", "function count() {}\n</script>\r");
    const second = await analyser.outline(twice, "src/Door.vue");
    expect(findDuplicates(second.outline, second.source).map((one) => one.name)).toEqual(["count"]);
  });

  it("E-01 a component without a script has an empty outline", async () => {
    const { outline } = await analyser.outline("<p>hello</p>\n", "a.svelte");
    expect(outline).toMatchObject({ language: "svelte", symbols: [], imports: [], problems: [] });
  });
});
