/** The shape of a JavaScript or TypeScript module, from the tree of oxc. */
import { parseSync } from "oxc-parser";
import { SourceText } from "../source-text.ts";
import type {
  ClassShape,
  ImportedName,
  MemberUse,
  ModuleShape,
  UnboundName,
} from "./module-shape.ts";
import {
  isBinding,
  isForeign,
  isScriptNode,
  isTypePlace,
  type ScriptNode,
} from "./script-roles.ts";

/** Undefined when it does not parse: then nothing is known. */
export const readScriptShape = (language: string, text: string): ModuleShape | undefined => {
  const lang = language === "tsx" ? "tsx" : language === "javascript" ? "jsx" : "ts";
  const { program, errors } = parseSync(`source.${lang}`, text, { lang, sourceType: "module" });
  if (errors.some(({ severity }) => severity === "Error")) return undefined;
  const reader = newReader(text);
  reader.visitAll(program as unknown as ScriptNode);
  return reader.shape(language);
};

interface ImportPlace {
  readonly isInPattern: boolean;
  readonly isType: boolean;
  readonly isGuarded: boolean;
  /** Directly in the file, not in a function, block or namespace. */
  readonly isTop: boolean;
  /** The class whose `this` counts here. */
  readonly own: ClassDraft | undefined;
}

type PlacedNode = [node: ScriptNode, place: ImportPlace];

interface ClassDraft {
  readonly name: string;
  readonly members: Set<string>;
  readonly uses: { name: string; line: number }[];
}

const noPlace: ImportPlace = {
  isInPattern: false,
  isType: false,
  isGuarded: false,
  isTop: true,
  own: undefined,
};

const newReader = (text: string) => {
  const source = new SourceText(text);
  const exports = new Map<string, number>();
  const passedOn: ImportedName[] = [];
  const stars: string[] = [];
  const imports: ImportedName[] = [];
  const memberUses: MemberUse[] = [];
  const top = new Set<string>();
  const bindings = new Map<string, number>();
  const uses: UnboundName[] = [];
  const classes: ClassDraft[] = [];
  let open: string | undefined;
  let isModule = false;
  const line = ({ start }: ScriptNode): number => source.position(start).line;

  const readImport = (node: ScriptNode, { isGuarded }: ImportPlace): void => {
    isModule = true;
    const from = stringIn(node["source"]);
    const guard = isGuarded ? { isGuarded: true as const } : {};
    const all = nodesIn(node["specifiers"]);
    if (all.length === 0) imports.push({ from, name: "", as: "", line: line(node), ...guard });
    for (const one of all) {
      const as = nameIn(one["local"]);
      const name =
        one.type === "ImportDefaultSpecifier"
          ? "default"
          : one.type === "ImportNamespaceSpecifier"
            ? "*"
            : nameIn(one["imported"]);
      imports.push({ from, name, as, line: line(one), ...guard });
    }
  };

  const readExport = (node: ScriptNode): void => {
    isModule = true;
    if (node.type === "ExportDefaultDeclaration") exports.set("default", line(node));
    if (node.type === "ExportAllDeclaration") {
      const from = stringIn(node["source"]);
      if (!isScriptNode(node["exported"])) stars.push(from);
      else {
        const as = nameIn(node["exported"]);
        passedOn.push({ from, name: "*", as, line: line(node) });
      }
    }
    if (node.type !== "ExportNamedDeclaration") return;
    for (const one of nodesIn(node["specifiers"])) {
      const [name, as] = [nameIn(one["local"]), nameIn(one["exported"])];
      if (isScriptNode(node["source"])) {
        passedOn.push({ from: stringIn(node["source"]), name, as, line: line(one) });
      } else exports.set(as, line(one));
    }
    const { declaration } = node;
    if (isScriptNode(declaration)) {
      for (const name of declaredIn(declaration)) exports.set(name, line(node));
    }
  };

  /** `import("./x")`, `require("./x")`, `import("./x").Type`: that the module exists is all that counts. */
  const readLoading = (node: ScriptNode, place: ImportPlace): void => {
    const isRequire =
      node.type === "CallExpression" && nameIn(node["callee"]) === "require" && place.isTop;
    const isLoading = node.type === "ImportExpression" || node.type === "TSImportType";
    if (!isLoading && !isRequire) return;
    const [given] = isRequire ? nodesIn(node["arguments"]) : [node["source"]];
    if (!isScriptNode(given) || typeof given["value"] !== "string") return;
    const { qualifier } = node;
    const name =
      isScriptNode(qualifier) && qualifier.type === "Identifier" ? nameIn(qualifier) : "";
    const guard =
      place.isGuarded || /^\s*(?:\)\s*)?\.catch\b/.test(text.slice(node.end, node.end + 40));
    imports.push({
      ...{ from: given["value"], name, as: "", line: line(node) },
      ...(guard && { isGuarded: true as const }),
    });
  };

  const readClass = (node: ScriptNode): ClassDraft => {
    const body = isScriptNode(node["body"]) ? nodesIn(node["body"]["body"]) : [];
    const members = new Set<string>();
    let isClosed = !isScriptNode(node["superClass"]);
    for (const one of body) {
      if (one.type === "TSIndexSignature" || one["computed"] === true) isClosed = false;
      members.add(nameIn(one["key"]));
      const { value } = one;
      for (const param of isScriptNode(value) ? nodesIn(value["params"]) : []) {
        if (param.type === "TSParameterProperty")
          for (const name of patternNames(param["parameter"])) members.add(name);
      }
    }
    const draft: ClassDraft = { name: nameIn(node["id"]), members, uses: [] };
    if (isClosed && draft.name !== "") classes.push(draft);
    return draft;
  };

  const readIdentifier = (node: ScriptNode, place: ImportPlace): void => {
    const name = nameIn(node);
    if (place.isInPattern) {
      bindings.set(name, (bindings.get(name) ?? 0) + 1);
      if (place.isTop) top.add(name);
    } else uses.push({ name, line: line(node), ...(place.isType && { isType: true }) });
  };

  const readMember = (node: ScriptNode, { own }: ImportPlace): void => {
    const { object, property } = node;
    if (!isScriptNode(object) || !isScriptNode(property)) return;
    const isComputed = node["computed"] === true;
    const name = isComputed ? "" : nameIn(property);
    if (object.type === "ThisExpression" && own && property.type === "Identifier") {
      own.uses.push({ name, line: line(property) });
    }
    const isOptional = text.startsWith("?.", node.end) || node["optional"] === true;
    if (object.type === "Identifier" && name !== "" && !isOptional)
      memberUses.push({ of: nameIn(object), name, line: line(property) });
  };

  const readCommonJs = (node: ScriptNode): void => {
    const left = node["left"];
    if (isScriptNode(left) && /^(?:module\.)?exports\b/.test(text.slice(left.start, left.end)))
      open = "it is written in CommonJS";
  };

  const inside = (node: ScriptNode, key: string, place: ImportPlace): ImportPlace => {
    const hasOwnThis = node.type === "FunctionExpression" || node.type === "FunctionDeclaration";
    const isInPattern = isBinding(node, key, place.isInPattern);
    const isType = place.isType || isTypePlace(node, key);
    const isGuarded = place.isGuarded || (node.type === "TryStatement" && key === "block");
    const isTop =
      place.isTop && topTypes.has(node.type) && !(innerKeys.has(key) && node.type !== "Program");
    const own = hasOwnThis ? undefined : place.own;
    // Most parts of a tree are in the same place as what is around them.
    const isSame =
      isInPattern === place.isInPattern &&
      isType === place.isType &&
      isGuarded === place.isGuarded &&
      isTop === place.isTop &&
      own === place.own;
    return isSame ? place : { isInPattern, isType, isGuarded, isTop, own };
  };

  /** By a list of what is left to do: a chain of calls may be deeper than any stack. */
  const visitAll = (program: ScriptNode): void => {
    const left: PlacedNode[] = [[program, noPlace]];
    for (let next = left.pop(); next; next = left.pop()) {
      const children: PlacedNode[] = [];
      visit(...next, children);
      for (const child of children.toReversed()) left.push(child);
    }
  };

  const visit = (node: ScriptNode, place: ImportPlace, children: PlacedNode[]): void => {
    let { own } = place;
    switch (node.type) {
      case "ImportDeclaration":
        readImport(node, place);
        break;
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
      case "ExportAllDeclaration":
        if (place.isTop) readExport(node);
        break;
      case "TSExportAssignment":
        open = "it exports by `export =`";
        break;
      case "ImportExpression":
      case "TSImportType":
      case "CallExpression":
        readLoading(node, place);
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        own = readClass(node);
        break;
      case "AssignmentExpression":
        readCommonJs(node);
        break;
      case "Identifier":
        readIdentifier(node, place);
        break;
      case "JSXIdentifier":
        if (/^[A-Z_$]/.test(nameIn(node))) readIdentifier(node, place);
        return;
      case "MemberExpression":
      case "TSQualifiedName":
      case "JSXMemberExpression":
        readMember(toMember(node), place);
        break;
      default:
    }
    const isMethod = node.type === "MethodDefinition" || node.type === "PropertyDefinition";
    const around = own === place.own ? place : { ...place, own };
    for (const key in node) {
      const value = node[key];
      if (typeof value !== "object" || value === null || isForeign(node, key)) continue;
      // A name passed on from another module is not a name of this one.
      if (node.type === "ExportNamedDeclaration" && key === "specifiers" && node["source"])
        continue;
      const below = inside(node, key, around);
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (!isScriptNode(child)) continue;
        // A method has the `this` of its class.
        if (isMethod && key === "value" && child.type === "FunctionExpression")
          visitMethod(child, { ...below, own }, children);
        else children.push([child, below]);
      }
    }
  };
  const visitMethod = (method: ScriptNode, place: ImportPlace, children: PlacedNode[]): void => {
    for (const key in method) {
      const value = method[key];
      const below = { ...inside(method, key, place), own: place.own };
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isScriptNode(child)) children.push([child, below]);
    }
  };

  return {
    visitAll,
    shape: (language: string): ModuleShape => {
      const isTyped = language !== "javascript";
      const isPlain = !isModule && (!isTyped || /\b(?:require|module|exports)\b/.test(text));
      const openBecause = open ?? (isPlain ? "it is not an ECMAScript module" : undefined);
      const spaces = new Set(imports.filter(({ name }) => name === "*").map(({ as }) => as));
      return {
        exports: Array.from(exports, ([name, at]) => ({ name, line: at })),
        ...{ passedOn, stars, imports },
        members: memberUses.filter(({ of }) => spaces.has(of) && bindings.get(of) === 1),
        ...(openBecause !== undefined && { openBecause }),
        bound: [...top],
        unbound: isModule ? uses.filter(({ name }) => !bindings.has(name)) : [],
        classes: isTyped ? classes.filter(isOnlyClass(classes, text)).map(toClassShape) : [],
      };
    },
  };
};

const topTypes = new Set([
  "Program",
  "ImportDeclaration",
  "ImportSpecifier",
  "ImportDefaultSpecifier",
  "ImportNamespaceSpecifier",
  "ExportNamedDeclaration",
  "ExportDefaultDeclaration",
  "VariableDeclaration",
  "VariableDeclarator",
  "ObjectPattern",
  "ArrayPattern",
  "AssignmentPattern",
  "RestElement",
  "Property",
  "FunctionDeclaration",
  "TSDeclareFunction",
  "ClassDeclaration",
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
  "TSImportEqualsDeclaration",
  "ExpressionStatement",
  "CallExpression",
]);

const innerKeys = new Set(["params", "body", "typeParameters", "returnType"]);

const nodesIn = (value: unknown): ScriptNode[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isScriptNode) : [];

/** Of an identifier, a private name or a literal. */
const nameIn = (value: unknown): string => {
  if (!isScriptNode(value)) return "";
  const name = value["name"] ?? value["value"];
  return typeof name === "string" ? name : "";
};

const stringIn = (value: unknown): string => nameIn(value);

const toMember = (node: ScriptNode): ScriptNode =>
  node.type === "TSQualifiedName"
    ? { ...node, object: node["left"], property: node["right"] }
    : node.type === "JSXMemberExpression" && isScriptNode(node["object"])
      ? { ...node, object: { ...node["object"], type: "Identifier" } }
      : node;

const patternNames = (pattern: unknown): string[] => {
  const names: string[] = [];
  const left = [pattern];
  while (left.length > 0) {
    const value = left.shift();
    if (!isScriptNode(value)) continue;
    if (value.type === "Identifier") names.push(nameIn(value));
    else if (value.type === "Property") left.push(value["value"]);
    else {
      left.push(value["left"], value["argument"], value["parameter"]);
      left.push(...nodesIn(value["properties"]), ...nodesIn(value["elements"]));
    }
  }
  return names;
};

const declaredIn = (declaration: ScriptNode): string[] =>
  declaration.type === "VariableDeclaration"
    ? nodesIn(declaration["declarations"]).flatMap((one) => patternNames(one["id"]))
    : patternNames(declaration["id"]);

/** Interfaces of the same name add members to a class. */
const isOnlyClass =
  (all: readonly ClassDraft[], text: string) =>
  ({ name }: ClassDraft): boolean =>
    all.filter((one) => one.name === name).length === 1 &&
    !new RegExp(`\\binterface\\s+${name.replaceAll("$", "\\$")}\\b`).test(text);

const toClassShape = ({ name, members, uses }: ClassDraft): ClassShape => ({
  name,
  members: [...members],
  uses: uses.filter((one) => !members.has(one.name)),
});
