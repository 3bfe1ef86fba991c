/** What is wrong with a file in the eyes of the structure parser. */
import type { Node, Tree } from "web-tree-sitter";
import type { LanguageRules } from "../languages/rules.ts";
import type { SourceText } from "../source-text.ts";
import type { SourceProblem } from "../types.ts";

const problemsMax = 50;

/** Nodes that the grammar could not make sense of. */
export const readProblems = (root: Node, source: SourceText): SourceProblem[] => {
  if (!root.hasError) return [];
  const problems: SourceProblem[] = [];
  const walk = (node: Node): void => {
    if (problems.length >= problemsMax) return;
    if (node.isMissing || node.isError) {
      const { line, column } = source.position(node.startIndex);
      const what = node.isMissing ? `${node.type} is missing` : "unexpected text";
      problems.push({ message: what, line, column });
      if (node.isMissing) return;
    }
    for (const child of node.children)
      if (child && (child.hasError || child.isMissing)) walk(child);
  };
  walk(root);
  // Some grammars say that there is an error and show none.
  if (problems.length === 0)
    problems.push({ message: "the parser lost its way", line: 1, column: 1 });
  return problems;
};

/** Problems, and what the grammar took although the language does not. */
export const treeProblems = (
  { rootNode }: Tree,
  { mistakes = {} }: LanguageRules,
  source: SourceText,
): SourceProblem[] => {
  const types = Object.keys(mistakes);
  const nodes = types.length === 0 ? [] : rootNode.descendantsOfType(types);
  const found = nodes.flatMap((node) => {
    const message = node ? mistakes[node.type]?.(node) : undefined;
    return node && message !== undefined ? [{ message, ...source.position(node.startIndex) }] : [];
  });
  return [...readProblems(rootNode, source), ...found.slice(0, problemsMax)];
};
