import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** The sources as syntax trees, for rules that are tests instead of advice. */
export const sourceRoot = resolve(import.meta.dirname, "../../src");

export interface SourceFile {
  /** Relative to src, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Relative to src for our own files. */
  readonly target: string | undefined;
  readonly names: readonly string[];
  readonly isDynamic: boolean;
  readonly isTypeOnly: boolean;
  readonly line: number;
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly parent?: Node;
  readonly [key: string]: unknown;
}

export const readSources = (folder = sourceRoot): SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) =>
      parseSource(
        relative(sourceRoot, join(folder, name)).replaceAll("\\", "/"),
        readFileSync(join(folder, name), "utf8"),
      ),
    );

export const parseSource = (path: string, text: string): SourceFile => {
  const nodes: Node[] = [];
  collect(
    parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as Node,
    undefined,
    nodes,
  );
  return { path, text, nodes, imports: nodes.flatMap((node) => importOf(path, text, node)) };
};

export const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length;

const collect = (node: Node, parent: Node | undefined, into: Node[]): void => {
  const own = { ...node, parent } as Node;
  into.push(own);
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === "object" && typeof (child as Node).type === "string") {
        collect(child as Node, { ...own, childKey: key } as Node, into);
      }
    }
  }
};

const importOf = (path: string, text: string, node: Node): Import[] => {
  const isStatic =
    node.type === "ImportDeclaration" ||
    node.type === "ExportNamedDeclaration" ||
    node.type === "ExportAllDeclaration";
  if (!isStatic && node.type !== "ImportExpression") return [];
  const source = node["source"] as { value?: unknown } | null | undefined;
  if (!source) return [];
  const line = lineOf(text, node.start);
  if (typeof source.value !== "string") {
    return [
      {
        specifier: "<computed>",
        target: undefined,
        names: [],
        isDynamic: true,
        isTypeOnly: false,
        line,
      },
    ];
  }
  const specifier = source.value;
  const specifiers = (node["specifiers"] as Node[] | undefined) ?? [];
  return [
    {
      specifier,
      target: specifier.startsWith(".")
        ? relative(sourceRoot, resolve(sourceRoot, dirname(path), specifier)).replaceAll("\\", "/")
        : undefined,
      names: specifiers.map((one) =>
        String((one["imported"] as { name?: string } | undefined)?.name ?? "*"),
      ),
      isDynamic: !isStatic,
      isTypeOnly: node["importKind"] === "type" || node["exportKind"] === "type",
      line,
    },
  ];
};
