/** Which identifiers of a JavaScript or TypeScript tree bind a name, and which are no names of the file at all. */

/** A node of the tree as the parser gives it. */
export interface ScriptNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export const isScriptNode = (value: unknown): value is ScriptNode =>
  typeof value === "object" && value !== null && typeof (value as ScriptNode).type === "string";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Children that bring a name into the file, by the type of their parent. */
const binding: Readonly<Record<string, ReadonlySet<string>>> = {
  VariableDeclarator: words("id"),
  FunctionDeclaration: words("id params"),
  FunctionExpression: words("id params"),
  ArrowFunctionExpression: words("params"),
  TSDeclareFunction: words("id params"),
  TSEmptyBodyFunctionExpression: words("id params"),
  ClassDeclaration: words("id"),
  ClassExpression: words("id"),
  CatchClause: words("param"),
  ImportSpecifier: words("local"),
  ImportDefaultSpecifier: words("local"),
  ImportNamespaceSpecifier: words("local"),
  TSImportEqualsDeclaration: words("id"),
  TSTypeAliasDeclaration: words("id"),
  TSInterfaceDeclaration: words("id"),
  TSEnumDeclaration: words("id"),
  TSEnumMember: words("id"),
  TSModuleDeclaration: words("id"),
  TSTypeParameter: words("name"),
  TSMappedType: words("key"),
  TSFunctionType: words("params"),
  TSConstructorType: words("params"),
  TSCallSignatureDeclaration: words("params"),
  TSConstructSignatureDeclaration: words("params"),
  TSMethodSignature: words("params"),
  TSIndexSignature: words("parameters"),
  TSNamespaceExportDeclaration: words("id"),
};

/** Parts of patterns, which bind when the pattern does. */
const patterns: Readonly<Record<string, ReadonlySet<string>>> = {
  ObjectPattern: words("properties"),
  ArrayPattern: words("elements"),
  Property: words("value"),
  AssignmentPattern: words("left"),
  RestElement: words("argument"),
  TSParameterProperty: words("parameter"),
};

const keyed = words(
  "Property MethodDefinition PropertyDefinition AccessorProperty TSAbstractMethodDefinition TSAbstractPropertyDefinition TSAbstractAccessorProperty TSPropertySignature TSMethodSignature",
);

/** Children that name a member, a label, something of another module. */
const foreign: Readonly<Record<string, ReadonlySet<string>>> = {
  ImportSpecifier: words("imported"),
  ExportSpecifier: words("exported"),
  ExportAllDeclaration: words("exported"),
  LabeledStatement: words("label"),
  BreakStatement: words("label"),
  ContinueStatement: words("label"),
  MetaProperty: words("meta property"),
  JSXAttribute: words("name"),
  JSXClosingElement: words("name"),
  JSXMemberExpression: words("property"),
  JSXNamespacedName: words("namespace name"),
  TSQualifiedName: words("right"),
  TSNamedTupleMember: words("label"),
  TSImportType: words("qualifier"),
  TSTypePredicate: words("parameterName"),
  ImportAttribute: words("key value"),
};

const typePlaces = words(
  "TSTypeAnnotation TSTypeParameterInstantiation TSTypeParameterDeclaration TSTypeAliasDeclaration TSInterfaceDeclaration TSClassImplements TSAsExpression TSSatisfiesExpression",
);

export const isBinding = (parent: ScriptNode, key: string, isInPattern: boolean): boolean =>
  (binding[parent.type]?.has(key) ?? false) ||
  (isInPattern && (patterns[parent.type]?.has(key) ?? false));

export const isForeign = (parent: ScriptNode, key: string): boolean => {
  if (parent.type === "MemberExpression") return key === "property" && parent["computed"] !== true;
  if (keyed.has(parent.type) && key === "key") return parent["computed"] !== true;
  return foreign[parent.type]?.has(key) ?? false;
};

/** Everything below it is about types, but for the value of `value as Type`. */
export const isTypePlace = (parent: ScriptNode, key: string): boolean =>
  typePlaces.has(parent.type) && key !== "expression";
