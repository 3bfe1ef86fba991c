/** Which language a file is in, by its name, and that language's rules. */
import { basename } from "node:path/posix";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { javascript, tsx, typescript } from "./typescript.ts";
import { c } from "./c.ts";
import { cpp } from "./cpp.ts";
import { csharp } from "./csharp.ts";
import { rust } from "./rust.ts";
import { bash } from "./bash.ts";
import { css } from "./css.ts";
import { elixir } from "./elixir.ts";
import { html } from "./html.ts";
import { kotlin } from "./kotlin.ts";
import { lua } from "./lua.ts";
import { scala } from "./scala.ts";
import { sql } from "./sql.ts";
import { swift } from "./swift.ts";
import type { LanguageRules } from "./rules.ts";

/** Components: their scripts may both import the same, which their compilers make one. */
const embeddedIn = (id: string, title: string): LanguageRules => {
  const { importKey: _, ...rules } = typescript;
  return { ...rules, id, title };
};

const all: readonly LanguageRules[] = [
  python,
  typescript,
  tsx,
  javascript,
  go,
  java,
  ruby,
  php,
  c,
  cpp,
  csharp,
  rust,
  bash,
  css,
  elixir,
  html,
  kotlin,
  lua,
  scala,
  sql,
  swift,
  embeddedIn("vue", "Vue"),
  embeddedIn("svelte", "Svelte"),
];
const byId = new Map(all.map((rules) => [rules.id, rules]));

export const rulesOf = (language: string): LanguageRules | undefined => byId.get(language);

/** "text" for what we know nothing about. */
export const languageOf = (path: string, text = ""): string => {
  const name = basename(path);
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = byName.get(name) ?? byEnding.get(ending);
  if (ending === "h" && cppWords.test(text)) return "cpp";
  // `.sh` is the ending of zsh and fish scripts, too, which no grammar here can read.
  if (known === "bash" && /^(?:zsh|t?csh|fish|xonsh)$/.test(programInShebang(text))) return "text";
  return known ?? (ending === "" ? languageOfShebang(text) : "text");
};

/** A header of C or of C++: only its text can tell. */
const cppWords =
  /^[ \t]*(?:class\s+[\w\s]+[:{;]|namespace\s+[\w:]+\s*\{|namespace\s*\{|template\s*<|using\s+(?:namespace\s|\w+\s*=)|(?:public|private|protected)\s*:)|\bstd::/m;

const byEnding = new Map(
  Object.entries({
    python: ["py", "pyi", "pyw"],
    typescript: ["ts", "mts", "cts"],
    tsx: ["tsx"],
    javascript: ["js", "mjs", "cjs", "jsx"],
    go: ["go"],
    java: ["java"],
    ruby: ["rb", "rake", "gemspec", "ru"],
    php: ["php", "phtml"],
    rust: ["rs"],
    csharp: ["cs"],
    c: ["c", "h"],
    cpp: ["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "ipp"],
    kotlin: ["kt", "kts"],
    swift: ["swift"],
    scala: ["scala", "sc"],
    bash: ["sh", "bash"],
    lua: ["lua"],
    elixir: ["ex", "exs"],
    sql: ["sql"],
    html: ["html", "htm"],
    css: ["css"],
    vue: ["vue"],
    svelte: ["svelte"],
    json: ["json"],
    jsonc: ["jsonc", "json5"],
    yaml: ["yaml", "yml"],
    toml: ["toml"],
  }).flatMap(([language, endings]) => endings.map((ending) => [ending, language] as const)),
);

const byName = new Map(
  Object.entries({
    ruby: ["Rakefile", "Gemfile", "Vagrantfile", "Guardfile"],
    jsonc: ["tsconfig.json", "jsconfig.json", ".eslintrc", ".babelrc", "devcontainer.json"],
    python: ["SConstruct", "SConscript"],
    toml: ["Cargo.lock", "poetry.lock", "Pipfile", "uv.lock"],
  }).flatMap(([language, names]) => names.map((name) => [name, language] as const)),
);

/** A script without an ending says who runs it. */
const languageOfShebang = (text: string): string => {
  return (
    {
      python: "python",
      node: "javascript",
      deno: "typescript",
      bun: "typescript",
      ruby: "ruby",
      php: "php",
      sh: "bash",
      bash: "bash",
      dash: "bash",
      lua: "lua",
      elixir: "elixir",
    }[programInShebang(text)] ?? "text"
  );
};

/** `python` of `#!/usr/bin/env -S PYTHONPATH=lib python3.12 -u`. */
const programInShebang = (text: string): string =>
  (shebang.exec(text.slice(0, 200))?.[1] ?? "").replace(/(?<![\d.])[\d.]+$/, "");

const shebang =
  /^#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(?:\S*\/)?)?([\w.+-]+)/;
