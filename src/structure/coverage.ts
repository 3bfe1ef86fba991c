/** Which checks are live for a language: "allowed" must never mean "not looked at". */
import { rulesOf } from "./languages/index.ts";
import type { Coverage, Outline, UnreadSource } from "./types.ts";

const off = (why: string) => ({ state: "off", why }) as const;

/** `isProvenWrong`: a second judge agreed with the structure parser about this very file. */
export const coverageOf = (language: string, isProvenWrong = false): Coverage => {
  const rules = rulesOf(language);
  const judge = judges[language];
  const isData = ["json", "jsonc", "yaml", "toml"].includes(language);
  if (!rules && !isData) return nothing("no language is known for this file");
  return {
    outline: {
      state: "live",
      by: isData ? (dataParsers[language] ?? "headgate") : `tree-sitter ${rules?.grammar}`,
    },
    duplicates:
      isData || rules?.level === "full"
        ? { state: "live", by: "headgate" }
        : off("only the outline is known for this language"),
    syntax: judge
      ? { state: "live", by: judge }
      : isProvenWrong
        ? { state: "live", by: "tree-sitter and headgate" }
        : { state: "delta", by: "tree-sitter" },
    calls: ["python", "typescript", "tsx", "javascript"].includes(language)
      ? { state: "live", by: "headgate" }
      : off("calls are not followed in this language"),
    types: off("no type checker was asked"),
  };
};

/** Whether another parser than that of the structure says if a file is right. */
export const hasOwnJudge = (language: string): boolean => judges[language] !== undefined;

const judges: Readonly<Record<string, string>> = {
  python: "ruff",
  typescript: "oxc",
  tsx: "oxc",
  javascript: "oxc",
  vue: "oxc",
  svelte: "oxc",
  go: "gofmt",
  ruby: "prism",
  php: "php-parser",
  json: "jsonc-parser",
  jsonc: "jsonc-parser",
  yaml: "yaml",
  toml: "smol-toml",
};

const dataParsers: Readonly<Record<string, string>> = {
  json: "jsonc-parser",
  jsonc: "jsonc-parser",
  yaml: "yaml",
  toml: "headgate",
};

const nothing = (why: string): Coverage => ({
  outline: off(why),
  duplicates: off(why),
  syntax: off(why),
  calls: off(why),
  types: off(why),
});

/** An outline of a file that was not looked at, with the reason. */
export const notAnalysed = (
  path: string,
  language: string,
  why: string,
  unread?: UnreadSource,
): Outline => ({
  path,
  language,
  symbols: [],
  imports: [],
  exports: [],
  references: [],
  problems: [],
  isDynamic: true,
  coverage: nothing(`structure not analysed: ${why}`),
  ...(unread && { unread }),
});
