/**
 * What independent parsers say about a file's syntax. Runs in the parsing process; a judge and its parser
 * are loaded when the first file of their language comes. A parser that breaks down throws: nothing is
 * known then, and the process is replaced.
 */
import { provenCode } from "../proven-code.ts";
import { SourceText } from "../source-text.ts";
import type { SyntaxError, SyntaxVerdict } from "../types.ts";
import type { Judge, SyntaxQuestion, TreeErrors } from "./verdict.ts";
import { verdict } from "./verdict.ts";

export type { SyntaxQuestion, TreeErrors } from "./verdict.ts";

export const judgeSyntax = async (
  question: SyntaxQuestion,
  treeErrors: TreeErrors,
): Promise<SyntaxVerdict> => {
  const judge = await judges[question.language]?.();
  return judge ? judge(question, treeErrors) : judgeByTree(question, treeErrors);
};

const ecmascript = async (): Promise<Judge> => (await import("./ecmascript.ts")).judgeEcmascript;
const json = async (): Promise<Judge> => (await import("./json.ts")).judgeJson;

const judges: Readonly<Record<string, () => Promise<Judge>>> = {
  python: async () => (await import("./python.ts")).judgePython,
  typescript: ecmascript,
  tsx: ecmascript,
  javascript: ecmascript,
  go: async () => (await import("./go.ts")).judgeGo,
  ruby: async () => (await import("./ruby.ts")).judgeRuby,
  php: async () => (await import("./php.ts")).judgePhp,
  json,
  jsonc: json,
  yaml: async () => (await import("./yaml.ts")).judgeYaml,
  toml: async () => (await import("./toml.ts")).judgeToml,
};

/** Without a judge of its own: where the structure parser lost its way. It guesses; only more of it counts. */
const judgeByTree: Judge = async ({ language, text }, treeErrors) => {
  const problems = await treeErrors(language, text);
  const proof = problems.length > 0 ? await secondOpinion(language, text) : undefined;
  return verdict("tree-sitter", [
    ...(proof ? [proof] : []),
    ...problems.map((one) => ({ ...one, code: "" })),
  ]);
};

/** What is certainly wrong in a file that the grammar of its language only guesses at. */
export const secondOpinion = async (
  language: string,
  text: string,
): Promise<SyntaxError | undefined> => {
  const { findProof } = await import("./proof.ts");
  const found = findProof(language, text);
  if (!found) return undefined;
  return { ...new SourceText(text).position(found.at), message: found.message, code: provenCode };
};
