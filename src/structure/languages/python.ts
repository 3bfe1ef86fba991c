import type { Node } from "web-tree-sitter";
import { namedChildrenOf } from "./nodes.ts";
import { pythonArguments, pythonParameters } from "./python-arguments.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

const decoratorsOf = (node: Node): { outer: Node; decorators: string[] } => {
  const { parent } = node;
  if (parent?.type !== "decorated_definition") return { outer: node, decorators: [] };
  const decorators = namedChildrenOf(parent).filter((child) => child.type === "decorator");
  return { outer: parent, decorators: decorators.map((one) => squeeze(one.text.slice(1))) };
};

/** A second definition of the name is meant: overloads, dispatch. */
const isOverload = (decorator: string): boolean =>
  /\.(register|overload|dispatch|variant)\b/.test(decorator) ||
  /^(\w+\.)*(overload|singledispatch|singledispatchmethod|dispatch|typechecked_overload)\b/.test(
    decorator,
  );

/** The function goes somewhere else under the decorator's arguments, or is another part of a property. */
const isPlacedElsewhere = (decorator: string): boolean =>
  /\.(setter|getter|deleter)\b/.test(decorator) ||
  (decorator.includes("(") && !leavesInPlace.test(decorator));

/** Decorators with arguments that leave the function where it is: a second one of its name hides it. */
const leavesInPlace =
  /^(\w+\.)*(lru_cache|cache|wraps|patch|skip|skipIf|skipUnless|expectedFailure|deprecated|contextmanager)\b|^pytest\.(mark|fixture)\b|^(mock\.|unittest\.mock\.)?patch\b/;

/** Undefined where twins are allowed; the same decorators twice are the same place twice. */
const keyOf = (name: string, decorators: readonly string[]): string | undefined => {
  if (name === "_" || decorators.some(isOverload)) return undefined;
  return decorators.some(isPlacedElsewhere) ? `${name} @${decorators.join(" @")}` : name;
};

const named = (node: Node, kind: Found["kind"]): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const { outer, decorators } = decoratorsOf(node);
  const name = nameNode.text;
  // Inside a function a decorated one has been registered by its decorator.
  const isGiven = decorators.length > 0 && isInFunction(outer);
  const key = isGiven ? undefined : keyOf(name, kind === "class" ? [] : decorators);
  const list = node.childForFieldName("superclasses");
  const bases = list ? namedChildrenOf(list) : [];
  return {
    name,
    kind,
    nameNode,
    outer,
    body: node.childForFieldName("body"),
    key,
    isExported: !name.startsWith("_"),
    isPrivate: name.startsWith("_") && !/^__\w+__$/.test(name),
    decorators,
    ...(kind !== "class" && { parameters: pythonParameters(node) }),
    ...(kind === "class" && {
      bases: bases
        .filter((one) => one.type !== "keyword_argument" && one.type !== "comment")
        .map((one) => squeeze(one.text)),
    }),
  };
};

/** A function directly inside a class is a method. */
const isInClass = (node: Node): boolean => {
  const outer = node.parent?.type === "decorated_definition" ? node.parent : node;
  let block = outer.parent;
  while (block && ["block", "if_statement", "else_clause", "try_statement"].includes(block.type)) {
    block = block.parent;
  }
  return block?.type === "class_definition";
};

/** Inside a function a definition is a step of the work. */
const isInFunction = (node: Node): boolean => {
  for (let around = node.parent; around; around = around.parent) {
    if (around.type === "function_definition") return true;
    if (around.type === "class_definition") return false;
  }
  return false;
};

const kindOfFunction = (node: Node): Found["kind"] => {
  if (!isInClass(node)) return "function";
  return fieldText(node, "name") === "__init__" ? "constructor" : "method";
};

/** `NAME = …` at module level or in a class body. Writing a variable twice is normal, so it has no key. */
const assigned = (node: Node): Found | undefined => {
  const holder = node.parent?.parent;
  const isOutside = holder?.type === "module" || holder?.parent?.type === "class_definition";
  const left = node.childForFieldName("left");
  if (!isOutside || node.parent?.type !== "expression_statement" || left?.type !== "identifier") {
    return undefined;
  }
  const name = left.text;
  const kind =
    holder?.type !== "module" ? "property" : /^[A-Z0-9_]+$/.test(name) ? "constant" : "variable";
  return { name, kind, nameNode: left, outer: node.parent, isExported: !name.startsWith("_") };
};

/** Comments and line continuations may stand between the names. */
const namesIn = (node: Node): Node[] =>
  namedChildrenOf(node).filter(
    (child) => child.type !== "comment" && child.type !== "line_continuation",
  );

const importedName = (node: Node): { name: string; as: string } => {
  if (node.type !== "aliased_import") return { name: node.text, as: node.text };
  const name = fieldText(node, "name") ?? "";
  return { name, as: fieldText(node, "alias") ?? name };
};

const plainImport = (node: Node): FoundImport[] =>
  namesIn(node).map((child) => {
    const { name, as } = importedName(child);
    return { from: name, names: [{ name: "", as }] };
  });

const fromImport = (node: Node): FoundImport => {
  const module = node.childForFieldName("module_name");
  const rest = namesIn(node).filter((child) => child.id !== module?.id);
  const names = rest.map((child) =>
    child.type === "wildcard_import" ? { name: "*", as: "*" } : importedName(child),
  );
  return { from: module?.text ?? "", names };
};

export const python: LanguageRules = {
  id: "python",
  title: "Python",
  grammar: "python",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes: ["module", "block"],
  definitions: {
    class_definition: (node) => named(node, "class"),
    function_definition: (node) => named(node, kindOfFunction(node)),
    assignment: assigned,
  },
  imports: {
    import_statement: plainImport,
    import_from_statement: fromImport,
    future_import_statement: (node) => ({
      from: "__future__",
      names: namesIn(node).map(importedName),
    }),
  },
  references: {
    call: (node) => {
      const called = node.childForFieldName("function");
      const given = pythonArguments(node);
      if (called?.type === "identifier")
        return { name: called.text, kind: "call", given, at: called };
      if (called?.type !== "attribute") return undefined;
      const member = called.childForFieldName("attribute");
      const receiver = fieldText(called, "object");
      if (!member || receiver === undefined) return undefined;
      return { name: member.text, kind: "member-call", receiver, given, at: member };
    },
  },
  importKey: ({ from }, { name, as }) => (as === "*" ? undefined : `${from} ${name} ${as}`),
  dynamic:
    /__getattr__|__getattribute__|\bgetattr\s*\(|\bsetattr\s*\(|\bglobals\s*\(|\bvars\s*\(|__dict__|\bexec\s*\(|\beval\s*\(|metaclass\s*=|__import__/,
  takesOver: /^(async\s+def|def|class|@|#)/,
  block: "indent",
  lineComment: "#",
};
