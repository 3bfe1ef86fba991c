/** TypeScript, TSX and JavaScript: one family, three grammars. */
import type { Node } from "web-tree-sitter";
import { memberCall } from "./nodes.ts";
import type { FoundReference, LanguageRules } from "./rules.ts";
import { scriptArguments } from "./script/arguments.ts";
import { fieldDefinition, scriptDefinitions, typedDefinitions } from "./script/definitions.ts";
import {
  commonExports,
  dynamicImport,
  exportStatement,
  importAlias,
  importStatement,
  requireDeclaration,
  requireStatement,
} from "./script/imports.ts";
import { objectEntries } from "./script/objects.ts";
import { runnerUsed, testTitle } from "./script/tests.ts";

const call = (node: Node): FoundReference | undefined => {
  const called = node.childForFieldName("function") ?? node.childForFieldName("constructor");
  const given = scriptArguments(node);
  if (called?.type === "identifier") return { name: called.text, kind: "call", given, at: called };
  if (called?.type !== "member_expression") return undefined;
  const [object, property] = [
    called.childForFieldName("object"),
    called.childForFieldName("property"),
  ];
  const found = memberCall(object, property);
  return found && { ...found, given };
};

/** `<Panel …>`; lower case is an element of the page. */
const component = (node: Node): FoundReference | undefined => {
  const name = node.childForFieldName("name");
  return name?.type === "identifier" && /^[A-Z]/.test(name.text)
    ? { name: name.text, kind: "name", at: name }
    : undefined;
};

const shared = {
  level: "full",
  commentTypes: ["comment"],
  attachedTypes: ["decorator"],
  scopeTypes: [
    "statement_block",
    "class_body",
    "interface_body",
    "object_type",
    "enum_body",
    "object",
    "array",
    "arguments",
    "arrow_function",
    "if_statement",
    "else_clause",
    "switch_case",
    "switch_default",
  ],
  imports: {
    import_statement: importStatement,
    lexical_declaration: requireDeclaration,
    variable_declaration: requireDeclaration,
    expression_statement: requireStatement,
    call_expression: dynamicImport,
  },
  loads: {
    text: /\brequire\b|\bimport\s*(?:\(|\/[/*]|<)/,
    otherwise: ["import_statement", "import_alias"],
  },
  exports: { export_statement: exportStatement, assignment_expression: commonExports },
  references: { call_expression: call, new_expression: call },
  tests: { call_expression: testTitle },
  testsIn: runnerUsed,
  importKey: ({ from }, { name, as }) => `${from} ${name} ${as}`,
  dynamic:
    /\beval\s*\(|\bnew\s+(Proxy|Function)\b|\bReflect\.|\bwith\s*\(|Object\.(assign|definePropert(y|ies)|setPrototypeOf)\s*\(\s*(this\b|[\w$.]+\.prototype\b|[A-Z]\w*\s*,)|\.prototype\[|\bthis\[[^\]]*\]\s*=|__defineGetter__/,
  block: "braces",
  lineComment: "//",
} as const satisfies Partial<LanguageRules>;

const elements = {
  jsx_opening_element: component,
  jsx_self_closing_element: component,
} as const;

export const typescript: LanguageRules = {
  ...shared,
  id: "typescript",
  title: "TypeScript",
  grammar: "typescript",
  definitions: { ...typedDefinitions, object: objectEntries },
  imports: { ...shared.imports, import_alias: importAlias },
};

export const tsx: LanguageRules = {
  ...typescript,
  id: "tsx",
  title: "TypeScript with JSX",
  grammar: "tsx",
  references: { ...shared.references, ...elements },
};

export const javascript: LanguageRules = {
  ...shared,
  id: "javascript",
  title: "JavaScript",
  grammar: "javascript",
  definitions: {
    ...scriptDefinitions,
    field_definition: fieldDefinition,
    object: objectEntries,
  },
  references: { ...shared.references, ...elements },
};
