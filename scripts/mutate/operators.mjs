// The mutants of a source file: each replaces one part of the code so that a test should notice.
import { parseSync, visitorKeys } from "oxc-parser";

const swaps = new Map([
  ...[
    ["<", "<="],
    ["<=", "<"],
    [">", ">="],
    [">=", ">"],
  ],
  ...[
    ["===", "!=="],
    ["!==", "==="],
    ["==", "!="],
    ["!=", "=="],
  ],
  ...[
    ["&&", "||"],
    ["||", "&&"],
  ],
  ...[
    ["+", "-"],
    ["-", "+"],
    ["+=", "-="],
    ["-=", "+="],
  ],
]);

/** Of these the expression is code, the rest a type. */
const wrappers = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression",
]);

/** Every mutant that still parses: `{ operator, start, end, replacement }`. */
export const findMutants = (file, text) => {
  const { program } = parseSync(file, text);
  const found = [];
  walk(program, undefined, (node, parent) => {
    for (const mutant of mutate(node, parent, text)) {
      const mutated = applyMutant(text, mutant);
      if (mutated !== text && parseSync(file, mutated).errors.length === 0) found.push(mutant);
    }
  });
  return found;
};

export const applyMutant = (text, { start, end, replacement }) =>
  text.slice(0, start) + replacement + text.slice(end);

const walk = (node, parent, visit) => {
  if (node.type.startsWith("TS") && !wrappers.has(node.type)) return;
  if (/^(?:Import|ExportAll)/.test(node.type)) return;
  visit(node, parent);
  const keys = wrappers.has(node.type) ? ["expression"] : visitorKeys[node.type];
  for (const key of keys ?? []) {
    for (const child of [node[key]].flat()) if (child?.type) walk(child, node, visit);
  }
};

const mutate = (node, parent, text) => {
  const replace = (operator, part, replacement) => [
    { operator, start: part.start, end: part.end, replacement },
  ];
  const source = (part) => text.slice(part.start, part.end);
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
      return replace("negate condition", node.test, `!(${source(node.test)})`);
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return swapOperator(node, text);
    case "ExpressionStatement":
      return isDroppableCall(node.expression) ? replace("drop call", node, ";") : [];
    case "ReturnStatement":
      if (!node.argument || source(node.argument) === "undefined") return [];
      return replace("return nothing", node.argument, "undefined");
    case "BlockStatement": {
      const isBody = /Function/.test(parent?.type ?? "") && node.body.length > 1;
      const at = { start: node.start + 1, end: node.start + 1 };
      return isBody ? replace("return early", at, " return;") : [];
    }
    case "Literal":
      return mutateLiteral(node, parent, replace);
    case "ArrayExpression":
      return dropElements(node, text);
    case "ObjectExpression":
      return node.properties
        .filter(({ type }) => type === "SpreadElement")
        .flatMap((one) => replace("drop spread", one, "...{}"));
    default:
      return [];
  }
};

const swapOperator = (node, text) => {
  const other = swaps.get(node.operator);
  // Text is put together with +, where - gives NaN: any test sees that.
  const isText = [node.left, node.right].some(
    (side) => side.type === "TemplateLiteral" || typeof side.value === "string",
  );
  if (!other || isText) return [];
  const at = text.indexOf(node.operator, node.left.end);
  if (at < 0 || at >= node.right.start) return [];
  return [
    {
      operator: `${node.operator} → ${other}`,
      start: at,
      end: at + node.operator.length,
      replacement: other,
    },
  ];
};

const isDroppableCall = (expression) => {
  const call = expression.type === "AwaitExpression" ? expression.argument : expression;
  return call.type === "CallExpression" && call.callee.type !== "Super";
};

const mutateLiteral = (node, parent, replace) => {
  const isKey = parent?.key === node && !parent.computed;
  if (isKey) return [];
  if (typeof node.value === "boolean") return replace("swap boolean", node, `${!node.value}`);
  // Larger ones are limits, where one more is the same behaviour.
  const isSmall = Number.isInteger(node.value) && node.value <= 10;
  return isSmall ? replace("off by one", node, `${node.value + 1}`) : [];
};

/** The first and the last element: a table of hundreds would otherwise crowd out everything else. */
const dropElements = ({ elements, start, end }, text) => {
  const operator = "drop element";
  if (elements.length === 0 || elements.includes(null)) return [];
  if (elements.length === 1) return [{ operator, start, end, replacement: "[]" }];
  const [first, second] = elements;
  const [before, last] = elements.slice(-2);
  return [
    { operator, start: first.start, end: second.start, replacement: "" },
    { operator, start: before.end, end: last.end, replacement: "" },
  ].filter((one) => text.slice(one.start, one.end).trim() !== "");
};
