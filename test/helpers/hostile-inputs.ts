/**
 * Source that ends a parser: by its stack, its memory, its time, a crash, or a NUL that makes the file look binary. Each input
 * carries a fault that the gate refuses when it stands alone, so that an input that passes without a word has hidden it.
 */
export interface HostileInput {
  readonly name: string;
  readonly path: string;
  /** Refused when it is alone. */
  readonly fault: string;
  readonly text: string;
}

const often = (text: string, count: number): string => text.repeat(count);
const around = (open: string, close: string) => (count: number) =>
  `${often(open, count)}1${often(close, count)}`;

/** An expression that nests as deeply as told. */
type Deep = (count: number) => string;

const brackets: Readonly<Record<string, Deep>> = {
  "round brackets": around("(", ")"),
  "open round brackets": (count) => often("(", count),
  "square brackets": around("[", "]"),
  "open square brackets": (count) => often("[", count),
};
const operators: Readonly<Record<string, Deep>> = {
  additions: (count) => `${often("a + ", count)}a`,
  "minus signs": (count) => `${often("- ", count)}1`,
  calls: around("f(", ")"),
};

interface Sort {
  readonly path: string;
  /** What has to come first in such a file. */
  readonly head?: string;
  readonly fault: string;
  /** A statement with an expression. */
  readonly carry: (expression: string) => string;
  readonly more?: Readonly<Record<string, Deep>>;
}

const scripted = "export function a( {\n";

const sorts: readonly Sort[] = [
  {
    ...{ path: "a.py", fault: "def a(:\n    return 2\n" },
    carry: (deep) => `x = ${deep}\n`,
    more: {
      negations: (count) => `${often("not ", count)}a`,
      lambdas: (count) => `${often("lambda: ", count)}1`,
    },
  },
  {
    ...{ path: "a.js", fault: scripted },
    carry: (deep) => `x = ${deep};\n`,
    more: {
      arrows: (count) => `${often("a=>", count)}a`,
      templates: around("`${", "}`"),
    },
  },
  {
    ...{ path: "a.ts", fault: scripted },
    carry: (deep) => `const x = ${deep};\n`,
    more: { objects: around("{a:", "}") },
  },
  {
    ...{ path: "a.tsx", fault: scripted },
    carry: (deep) => `const x = ${deep};\n`,
    more: { elements: (count) => `${often("<a>", count)}${often("</a>", count)}` },
  },
  { path: "a.vue", head: "<script>\n", fault: scripted, carry: (deep) => `x = ${deep};\n` },
  {
    ...{ path: "a.go", head: "package a\n\n", fault: "func a( {\n" },
    carry: (deep) => `var x = ${deep}\n`,
  },
  { path: "a.rb", fault: "def a(\n  1 +\nend\nend\n", carry: (deep) => `x = ${deep}\n` },
  {
    ...{ path: "a.php", head: "<?php\n", fault: "function a( {\n" },
    carry: (deep) => `$x = ${deep};\n`,
  },
  { path: "a.rs", fault: "fn a( {\n", carry: (deep) => `static X: u8 = ${deep};\n` },
  {
    ...{ path: "A.java", head: "class A {\n", fault: "  void a( {\n" },
    carry: (deep) => `  int x = ${deep};\n`,
  },
  {
    ...{ path: "a.cs", head: "class A {\n", fault: "  void a( {\n" },
    carry: (deep) => `  int x = ${deep};\n`,
  },
  { path: "a.c", fault: "int a( {\n", carry: (deep) => `int x = ${deep};\n` },
  { path: "a.cpp", fault: "int a( {\n", carry: (deep) => `int x = ${deep};\n` },
  { path: "a.kt", fault: "fun a( {\n", carry: (deep) => `val x = ${deep}\n` },
  { path: "a.swift", fault: "func a( {\n", carry: (deep) => `let x = ${deep}\n` },
  { path: "a.lua", fault: "function a( {\n", carry: (deep) => `x = ${deep}\n` },
  { path: "a.sh", fault: "a() {\n  if true; then\n", carry: (deep) => `x=$((${deep}))\n` },
  { path: "a.json", head: "{\n", fault: '"b": ,\n', carry: (deep) => `"x": ${deep},\n` },
  { path: "a.yaml", fault: "a: [1\nb: }\n", carry: (deep) => `x: ${deep}\n` },
  { path: "a.toml", fault: "a = \n", carry: (deep) => `x = ${deep}\n` },
];

/** What a NUL can stand in: a comment, a text, between two lines. */
const nuls: Readonly<Record<string, (fault: string) => string>> = {
  "NUL in front": (fault) => `\0\n${fault}`,
  "NUL at the end": (fault) => `${fault}\n\0`,
  "many NULs": (fault) => `${often("\0", 400)}\n${fault}`,
};

/** More than a hundred: each kind in each language. The fault comes after what shall hide it. */
export const hostileInputs = (): HostileInput[] =>
  sorts.flatMap(({ path, head = "", fault, carry, more }) => [
    ...Object.entries(nuls).map(([name, hide]) => ({
      ...{ name, path, fault: head + fault },
      text: hide(head + fault),
    })),
    ...Object.entries({ ...brackets, ...operators, ...more }).map(([name, deep]) => ({
      ...{ name: `${depth} ${name}`, path, fault: head + fault },
      text: head + carry(deep(depth)) + fault,
    })),
  ]);

const depth = 100_000;
