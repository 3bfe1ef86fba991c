import type { Parser, Tree } from "web-tree-sitter";
import { rulesOf } from "../languages/index.ts";
import type { LanguageRules } from "../languages/rules.ts";
import { buildOutline } from "../outline/build-outline.ts";
import { readOutlineShape, shapedLanguages } from "../modules/outline-shape.ts";
import { readProblems, treeProblems } from "../outline/problems.ts";
import { SourceText } from "../source-text.ts";
import { judgeSyntax, secondOpinion, type TreeErrors } from "../syntax/index.ts";
import type { Answers, ParsedOutline, Question } from "./protocol.ts";
import { flatTree } from "./flat-tree.ts";

export const answer = (question: Question): Promise<Answers[Question["do"]]> => {
  if (question.do === "outline") return outlineOf(question);
  if (question.do === "syntax") return judgeSyntax(question, treeErrors);
  const { language, text } = question;
  if (question.do === "module") return readShape(language, text);
  return withTree(language, text, (tree) => flatTree(tree, language));
};

const outlineOf = async ({
  language,
  text,
}: {
  language: string;
  text: string;
}): Promise<ParsedOutline> => {
  if (!rulesOf(language)) {
    const { outlineData } = await import("../data/index.ts");
    const data = outlineData(language, new SourceText(text));
    if (data) return data;
  }
  const outline = await withTree(language, text, buildOutline);
  if (outline.problems.length === 0) return outline;
  const isProvenWrong = (await secondOpinion(language, text)) !== undefined;
  return isProvenWrong ? { ...outline, isProvenWrong } : outline;
};

const readShape = async (language: string, text: string): Promise<Answers["module"]> => {
  if (language === "python") {
    const { readPythonShape } = await import("../modules/python-shape.ts");
    return withTree(language, text, ({ rootNode }) => readPythonShape(rootNode, text) ?? null);
  }
  if (shapedLanguages.has(language)) {
    return withTree(language, text, (tree, rules, source) =>
      readOutlineShape(language, buildOutline(tree, rules, source), text),
    );
  }
  if (!["typescript", "tsx", "javascript"].includes(language)) return null;
  const { readScriptShape } = await import("../modules/script-shape.ts");
  return readScriptShape(language, text) ?? null;
};

/** Where the structure parser lost its way, and what it took although the language does not. */
const treeErrors: TreeErrors = async (language, text) => withTree(language, text, treeProblems);

const withTree = async <T>(
  language: string,
  text: string,
  read: (tree: Tree, rules: LanguageRules, source: SourceText) => T,
): Promise<T> => {
  const rules = rulesOf(language);
  if (!rules) throw new Error(`no rules for ${language}`);
  // Whoever only judges syntax needs no grammars.
  const { parserFor } = await import("./grammars.ts");
  const parser = await parserFor(rules.grammar);
  const source = new SourceText(text);
  const tree = bestTree(parser, rules, source);
  try {
    return read(tree, rules, source);
  } finally {
    tree.delete();
  }
};

const parsed = (parser: Parser, text: string): Tree => {
  const tree = parser.parse(text);
  if (!tree) throw new Error("the parser gave up");
  return tree;
};

/** Of both readings the one that the grammar understands better. */
const bestTree = (parser: Parser, { secondReading }: LanguageRules, source: SourceText): Tree => {
  const tree = parsed(parser, source.text);
  if (!tree.rootNode.hasError || !secondReading) return tree;
  const other = parsed(parser, secondReading(source.text));
  const count = ({ rootNode }: Tree): number => readProblems(rootNode, source).length;
  const [better, worse] = count(other) < count(tree) ? [other, tree] : [tree, other];
  worse.delete();
  return better;
};
