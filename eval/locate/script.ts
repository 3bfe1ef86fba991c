/** Definitions of a JavaScript or TypeScript file, as Babel sees them. */
import { parse } from "@babel/parser";
import type { ClassLike, Located, Member } from "../types.ts";

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export const locateScript = (text: string, path: string): Located | undefined => {
  const isTypeScript = /\.[cm]?tsx?$/.test(path);
  const plugins = isTypeScript
    ? [["typescript", { dts: /\.d\.[cm]?ts$/.test(path) }] as const, "decorators" as const]
    : [];
  const isJsx = !isTypeScript || path.endsWith("x");
  let body: AstNode[];
  try {
    const parsed = parse(text, {
      sourceType: "unambiguous",
      allowReturnOutsideFunction: true,
      plugins: [...plugins, ...(isJsx ? (["jsx"] as const) : [])] as never,
    });
    body = parsed.program.body as unknown as AstNode[];
  } catch {
    return undefined;
  }
  const isAmbient = /\.d\.[cm]?ts$/.test(path);
  const top = body.flatMap((outer) => {
    const inner = outer["declaration"] as AstNode | null | undefined;
    const isExport = outer.type.startsWith("Export");
    return [{ outer, node: isExport && inner ? inner : outer }];
  });
  return {
    classes: top.flatMap(({ outer, node }) =>
      node.type === "ClassDeclaration" ? toClass(text, outer, node, isAmbient) : [],
    ),
    functions: top.flatMap(({ outer, node }) => {
      if (node.type !== "FunctionDeclaration") return [];
      const block = node["body"] as AstNode | undefined;
      const isPlain = !isAmbient && outer.type !== "ExportDefaultDeclaration";
      return toMember(text, { outer, name: node["id"], kind: "function", block, isPlain });
    }),
    imports: body
      .filter((one) => one.type === "ImportDeclaration")
      .filter((one) => (one["specifiers"] as unknown[]).length > 0)
      .filter((one) => isAlone(text, one.start, one.end))
      .map((one) => ({ from: one.start, to: lineEnd(text, one.end) })),
    isIndependent: true,
  };
};

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

const isAlone = (text: string, from: number, to: number): boolean => {
  const before = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  return before.trim() === "" && /^[\s;]*(?:\/\/.*)?$/.test(text.slice(to, lineEnd(text, to)));
};

const toClass = (text: string, outer: AstNode, node: AstNode, isAmbient: boolean): ClassLike[] => {
  const block = node["body"] as AstNode;
  const isPlain = outer.type !== "ExportDefaultDeclaration";
  const own = toMember(text, { outer, name: node["id"], kind: "class", block, isPlain })[0];
  if (!own) return [];
  const members = (block["body"] as AstNode[]).flatMap((one) => {
    if (one.type !== "ClassMethod" || one["computed"] === true) return [];
    const key = one["key"] as AstNode;
    if (key.type !== "Identifier") return [];
    const said = one["kind"] as string;
    const kind = said === "get" ? "getter" : said === "set" ? "setter" : "method";
    return toMember(text, {
      outer: one,
      name: key,
      kind,
      block: one["body"] as AstNode,
      isPlain: !isAmbient && one["declare"] !== true,
      isStatic: one["static"] === true,
    });
  });
  return [{ ...own, members }];
};

const toMember = (
  text: string,
  {
    outer,
    name,
    kind,
    block,
    isPlain,
    isStatic = false,
  }: {
    outer: AstNode;
    name: unknown;
    kind: Member["kind"];
    block: AstNode | undefined;
    isPlain: boolean;
    isStatic?: boolean;
  },
): Member[] => {
  const id = name as AstNode | null | undefined;
  if (!id || !block || !isAlone(text, outer.start, outer.end)) return [];
  const decorators = (outer["decorators"] as AstNode[] | undefined) ?? [];
  const start = Math.min(outer.start, ...decorators.map((one) => one.start));
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const firstLine = /^[^\S\n]*\n/.exec(text.slice(block.start + 1));
  return [
    {
      name: String(id["name"]),
      kind,
      from,
      core: from,
      to: lineEnd(text, outer.end),
      indent: text.slice(from, start),
      nameFrom: id.start,
      ...(firstLine && { body: block.start + 1 + firstLine[0].length }),
      decorators: decorators.map((one) => text.slice(one.start, one.end)),
      isStatic,
      isPlain,
    },
  ];
};
