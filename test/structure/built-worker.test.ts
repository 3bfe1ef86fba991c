import { type ChildProcess, fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rulesOf } from "../../src/structure/languages/index.ts";
import type { OutlineSymbol } from "../../src/structure/types.ts";
import { answer } from "../../src/structure/worker/answer.ts";
import {
  type ParsedOutline,
  type Question,
  readAnswer,
  type Reply,
} from "../../src/structure/worker/protocol.ts";
import { requireFreshBuild } from "../helpers/fresh-build.ts";

requireFreshBuild();

const root = resolve(import.meta.dirname, "../..");

interface Sample {
  readonly path: string;
  readonly good: string;
  /** The symbols' paths. */
  readonly symbols: readonly string[];
  readonly broken: string;
}

/** One for each language (of components only the script is parsed, as what it is): the smallest file with a name and one that no reading of it makes right. */
const samples: Readonly<Record<string, Sample>> = {
  python: { path: "a.py", good: "def f():\n    pass\n", symbols: ["f"], broken: "def f(:\n" },
  typescript: {
    path: "a.ts",
    good: "export class A {\n  f(): number {\n    return 1;\n  }\n}\n",
    symbols: ["A", "A.f"],
    broken: "export class {{\n",
  },
  tsx: {
    path: "a.tsx",
    good: "export const A = () => <b>x</b>;\n",
    symbols: ["A"],
    broken: "export const A = <b>;\n",
  },
  javascript: {
    path: "a.js",
    good: "function f() {}\n",
    symbols: ["f"],
    broken: "function f( {\n",
  },
  go: {
    path: "a.go",
    good: "package a\n\nfunc F() {}\n",
    symbols: ["F"],
    broken: "package a\n\nfunc F( {\n",
  },
  java: {
    path: "A.java",
    good: "class A {\n  void f() {}\n}\n",
    symbols: ["A", "A.f"],
    broken: "class A {\n  void f( {\n",
  },
  ruby: {
    path: "a.rb",
    good: "class A\n  def f\n  end\nend\n",
    symbols: ["A", "A.f"],
    broken: "class A\n  def f(\nend\n",
  },
  php: {
    path: "a.php",
    good: "<?php\nfunction f() {}\n",
    symbols: ["f"],
    broken: "<?php\nfunction f( {\n",
  },
  c: {
    path: "a.c",
    good: "int f(void) { return 1; }\n",
    symbols: ["f"],
    broken: "int f(void) { return 1;\n",
  },
  cpp: {
    path: "a.cpp",
    good: "class A {\n  void f() {}\n};\n",
    symbols: ["A", "A.f"],
    broken: "class A {\n  void f() {\n",
  },
  csharp: {
    path: "a.cs",
    good: "class A { void F() {} }\n",
    symbols: ["A", "A.F"],
    broken: "class A { void F( {\n",
  },
  rust: { path: "a.rs", good: "fn f() {}\n", symbols: ["f"], broken: "fn f( {\n" },
  bash: { path: "a.sh", good: "f() {\n  true\n}\n", symbols: ["f"], broken: "f() {\n  if\n" },
  css: { path: "a.css", good: "a { color: red; }\n", symbols: ["a"], broken: "a { color: red;\n" },
  elixir: {
    path: "a.ex",
    good: "defmodule A do\n  def f(x), do: x\nend\n",
    symbols: ["A", "A.f"],
    broken: "defmodule A do\n  def f(x\n",
  },
  html: { path: "a.html", good: '<p id="one">x</p>\n', symbols: ["one"], broken: "<p <\n" },
  kotlin: { path: "a.kt", good: "fun f() {}\n", symbols: ["f"], broken: "fun f( {\n" },
  lua: { path: "a.lua", good: "function f()\nend\n", symbols: ["f"], broken: "function f(\n" },
  scala: {
    path: "a.scala",
    good: "object A {\n  def f = 1\n}\n",
    symbols: ["A", "A.f"],
    broken: "object A {\n  def f = (\n",
  },
  sql: {
    path: "a.sql",
    good: "CREATE TABLE t (id INT);\n",
    symbols: ["t", "t.id"],
    broken: "CREATE TABLE (((\n",
  },
  swift: { path: "a.swift", good: "func f() {}\n", symbols: ["f"], broken: "func f( {\n" },
  json: { path: "a.json", good: '{ "a": 1 }\n', symbols: ["a"], broken: '{ "a": \n' },
  jsonc: { path: "a.jsonc", good: '{ "a": 1 } // b\n', symbols: ["a"], broken: '{ "a": \n' },
  yaml: { path: "a.yaml", good: "a: 1\n", symbols: ["a"], broken: "a: [1\nb: 2\n" },
  toml: { path: "a.toml", good: "a = 1\n", symbols: ["a"], broken: "a = \n" },
};

const questionsOf = (language: string, { path, good, broken }: Sample): Question[] => [
  { do: "outline", language, text: good },
  { do: "syntax", language, path, text: good },
  { do: "syntax", language, path, text: broken },
];

const pathsIn = (symbols: readonly OutlineSymbol[]): string[] =>
  symbols.flatMap(({ path, children }) => [path, ...pathsIn(children)]);

it("every grammar that is shipped has a sample here", () => {
  const used = Object.keys(samples).map((language) => rulesOf(language)?.grammar);
  const shipped = readdirSync(resolve(root, "grammars")).filter((name) => name.endsWith(".wasm"));
  expect(new Set(used.filter((name) => name !== undefined))).toEqual(
    new Set(shipped.map((name) => name.replace(/\.wasm$/, ""))),
  );
});

describe("the parsing process as it is shipped", () => {
  let child: ChildProcess;
  const next = () => new Promise<Reply>((done) => child.once("message", (m) => done(m as Reply)));
  beforeAll(async () => {
    // As parser-host.ts starts it.
    child = fork(resolve(root, "dist/cli/worker/main.cjs"), [], {
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: ["--stack-size=3900", "--no-warnings"],
      env: {},
    });
    // It says that it is ready before it is asked anything.
    await next();
  });
  afterAll(() => child.disconnect());

  const ask = async (question: Question): Promise<Reply> => {
    const reply = next();
    child.send(question);
    return reply;
  };

  it.each(Object.entries(samples))(
    "E-01 E-02 answers about %s as the sources do",
    async (language, sample) => {
      const replies: unknown[] = [];
      for (const question of questionsOf(language, sample)) {
        const reply = await ask(question);
        expect(reply).toMatchObject({ ok: true });
        const value = "answer" in reply ? readAnswer(reply.answer) : undefined;
        expect(value).toEqual(await answer(question));
        replies.push(value);
      }
      const [outline, good, broken] = replies;
      expect(pathsIn((outline as ParsedOutline).symbols)).toEqual(sample.symbols);
      expect(good).toMatchObject({ state: "valid", errors: [] });
      expect(broken).toMatchObject({ state: "invalid" });
    },
  );
});
