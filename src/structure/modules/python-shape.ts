/** The shape of a Python module: bindings from the tree, names without one from ruff (F821). */
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import type { Diagnostic } from "@astral-sh/ruff-wasm-nodejs";
import type { Node } from "web-tree-sitter";
import { namedChildrenOf } from "../languages/nodes.ts";
import type { ImportedName, MemberUse, ModuleShape, UnboundName } from "./module-shape.ts";

export const readPythonShape = (root: Node, text: string): ModuleShape | undefined => {
  if (root.hasError) return undefined;
  const draft = newDraft();
  visitAll(root, draft, {
    ...{ isTop: true, isStored: false },
    isGuarded: /\bimportorskip\b/.test(text),
  });
  const { exports, imports, stars, members, counts } = draft;
  const open = openReason(text, draft);
  const once = new Set(
    imports.filter(({ as }) => counts.get(as.split(".")[0] ?? "") === 1).map(({ as }) => as),
  );
  return {
    exports: Array.from(exports, ([name, line]) => ({ name, line })),
    passedOn: [],
    ...{ stars, imports },
    members: members.filter(({ of }) => once.has(of)),
    ...(open !== undefined && { openBecause: open }),
    bound: [...exports.keys()],
    unbound: undefinedNames(text),
    classes: [],
  };
};

const openReason = (text: string, { exports, runsText }: ShapeDraft): string | undefined => {
  if (exports.has("__getattr__")) return "it answers to names by __getattr__";
  return runsText || makesNames.test(text) ? "it makes names at run time" : undefined;
};

/** Of its own or as another module; reading `sys.modules` makes none. */
const makesNames =
  /\b(?:globals|vars)\s*\(\s*\)|\blocals\s*\(\s*\)\s*(?:\[|\.update)|\bsys\.modules\s*\[[^\]]*\]\s*(?:=(?!=)|\.)|\bmodules\s*\[\s*__name__|\bsetattr\s*\(\s*(?:sys\.modules|\w*mod\w*\s*,)|\b__path__\b|__dict__\s*(?:\.update|\[)/;

let workspace: Workspace | undefined;

const undefinedNames = (text: string): UnboundName[] => {
  workspace ??= new Workspace(
    { "target-version": "py313", lint: { select: ["F821"] } },
    PositionEncoding.Utf16,
  );
  return (workspace.check(text) as Diagnostic[]).flatMap(({ code, message, start_location }) => {
    const name = code === "F821" ? /`([^`]+)`/.exec(message)?.[1] : undefined;
    return name === undefined ? [] : [{ name, line: start_location.row }];
  });
};

interface ShapeDraft {
  readonly exports: Map<string, number>;
  readonly imports: ImportedName[];
  readonly stars: string[];
  readonly members: MemberUse[];
  /** How often each name is bound, in whatever scope. */
  readonly counts: Map<string, number>;
  /** `exec` at module level may bind anything. */
  runsText: boolean;
}

const newDraft = (): ShapeDraft => ({
  ...{ exports: new Map(), imports: [], stars: [], members: [], counts: new Map() },
  runsText: false,
});

interface PythonPlace {
  readonly isTop: boolean;
  readonly isGuarded: boolean;
  /** Names here are bound, not read. */
  readonly isStored: boolean;
}

const bind = (name: string, at: Node, draft: ShapeDraft, { isTop }: PythonPlace): void => {
  draft.counts.set(name, (draft.counts.get(name) ?? 0) + 1);
  if (isTop && !draft.exports.has(name)) draft.exports.set(name, at.startPosition.row + 1);
};

type VisitedNode = readonly [node: Node, place: PythonPlace];

/** By a list of what is left to do: a chain of calls may be deeper than any stack. */
const visitAll = (root: Node, draft: ShapeDraft, place: PythonPlace): void => {
  const left: VisitedNode[] = [[root, place]];
  for (let next = left.pop(); next; next = left.pop()) {
    for (const one of visit(next[0], draft, next[1]).toReversed()) left.push(one);
  }
};

/** The nodes to visit next. */
const visit = (node: Node, draft: ShapeDraft, place: PythonPlace): readonly VisitedNode[] => {
  // They have no names inside.
  if (silent.has(node.type)) return [];
  if (node.type === "identifier") {
    if (place.isStored) bind(node.text, node, draft, place);
    return [];
  }
  const children = namedChildrenOf(node);
  const all = (below: PythonPlace): VisitedNode[] => children.map((child) => [child, below]);
  switch (node.type) {
    case "import_statement":
    case "import_from_statement":
      readImport(node, draft, place);
      return [];
    case "function_definition":
    case "class_definition": {
      const name = node.childForFieldName("name");
      if (name) bind(name.text, name, draft, place);
      return children
        .filter((child) => child.id !== name?.id)
        .map((child) => [child, { ...place, isTop: false, isStored: child.type === "parameters" }]);
    }
    case "lambda":
    case "list_comprehension":
    case "set_comprehension":
    case "dictionary_comprehension":
    case "generator_expression":
      // A walrus inside binds outside; all the rest stays inside.
      return all({ ...place, isStored: false });
    case "global_statement":
      for (const child of children) bind(child.text, child, draft, { ...place, isTop: true });
      return [];
    case "attribute": {
      const [object, member] = [
        node.childForFieldName("object"),
        node.childForFieldName("attribute"),
      ];
      const isRead = !place.isStored && !place.isGuarded;
      if (object && member && isRead && /^[\w.]+$/.test(object.text)) {
        const line = member.startPosition.row + 1;
        draft.members.push({ of: object.text, name: member.text, line });
      }
      return object ? [[object, { ...place, isStored: false }]] : [];
    }
    case "subscript":
    case "call":
      if (place.isTop && /^(?:exec|execfile)\b/.test(node.text)) draft.runsText = true;
      return all({ ...place, isStored: false });
    case "keyword_argument": {
      const value = node.childForFieldName("value");
      return value ? [[value, { ...place, isStored: false }]] : [];
    }
    default:
      return visitParts(node, children, draft, place);
  }
};

/** Names in f-strings are only read. */
const silent = new Set(["comment", "string", "integer", "float", "true", "false", "none"]);

/** Fields that bind the names in them. */
const storing: Readonly<Record<string, string>> = {
  assignment: "left",
  augmented_assignment: "left",
  for_statement: "left",
  for_in_clause: "left",
  named_expression: "name",
  as_pattern: "alias",
  type_alias_statement: "left",
};

const visitParts = (
  node: Node,
  children: readonly Node[],
  draft: ShapeDraft,
  place: PythonPlace,
): readonly VisitedNode[] => {
  const stored = storing[node.type];
  const target = stored === undefined ? undefined : node.childForFieldName(stored);
  const isGuarded = place.isGuarded || isGuard(node);
  // `except E as name`, where the grammar has no pattern around it.
  if (node.type === "except_clause") {
    const name = /^except\*?\s[^:]*?\bas\s+(\w+)\s*:/.exec(node.text)?.[1];
    if (name !== undefined) bind(name, node, draft, place);
  }
  return children.map((child) => {
    const isStored =
      child.id === target?.id ||
      child.type === "as_pattern_target" ||
      child.type === "case_pattern" ||
      (place.isStored && !readingFields.has(child.type)) ||
      node.type === "type_alias_statement";
    return [child, { ...place, isGuarded, isStored }];
  });
};

/** Inside parameters these are read. */
const readingFields = new Set(["type", "call", "string", "binary_operator"]);

const isGuard = (node: Node): boolean => {
  if (node.type === "try_statement") return true;
  if (node.type === "if_statement")
    return !/\bTYPE_CHECKING$/.test(node.childForFieldName("condition")?.text ?? "");
  return (
    node.type === "with_statement" &&
    /suppress|raises|warns|ignore/.test(node.firstNamedChild?.text ?? "")
  );
};

const readImport = (node: Node, draft: ShapeDraft, place: PythonPlace): void => {
  const guard = place.isGuarded ? { isGuarded: true as const } : {};
  const module = node.childForFieldName("module_name");
  const from = module?.text.replaceAll(/\s/g, "") ?? "";
  for (const child of namedChildrenOf(node)) {
    const line = child.startPosition.row + 1;
    if (child.id === module?.id) continue;
    if (child.type === "wildcard_import") {
      draft.stars.push(from);
      draft.imports.push({ from, name: "", as: "", line, ...guard });
      continue;
    }
    if (child.type !== "aliased_import" && child.type !== "dotted_name") continue;
    const alias = child.childForFieldName("alias");
    const named = child.childForFieldName("name") ?? child;
    const name = named.text;
    const as = alias?.text ?? name;
    bind(as.split(".")[0] ?? as, child, draft, place);
    draft.imports.push(
      module ? { from, name, as, line, ...guard } : { from: name, name: "*", as, line, ...guard },
    );
  }
};
