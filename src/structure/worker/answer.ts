import { outlineData } from "../data/index.ts";
import { buildOutline } from "../outline/build-outline.ts";
import { rulesOf } from "../languages/index.ts";
import { SourceText } from "../source-text.ts";
import { judgeSyntax } from "../syntax/index.ts";
import type { Answers, ParsedOutline, Question } from "./protocol.ts";
import { parserFor } from "./grammars.ts";

export const answer = (question: Question): Promise<Answers[Question["do"]]> =>
  question.do === "outline" ? outlineOf(question) : judgeSyntax(question, treeErrors);

const outlineOf = async ({
  language,
  text,
}: {
  language: string;
  text: string;
}): Promise<ParsedOutline> => {
  const data = outlineData(language, new SourceText(text));
  if (data) return data;
  const rules = rulesOf(language);
  if (!rules) throw new Error(`no rules for ${language}`);
  const parser = await parserFor(rules.grammar);
  const tree = parser.parse(text);
  if (!tree) throw new Error("the parser gave up");
  try {
    return buildOutline(tree, rules, new SourceText(text));
  } finally {
    tree.delete();
  }
};

/** For languages without a judge of their own: where the structure parser lost its way. */
const treeErrors = async (language: string, text: string) => {
  const { problems } = await outlineOf({ language, text });
  return problems;
};
