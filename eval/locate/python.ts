/** Definitions of a Python file, as CPython's own parser sees them. */
import { join } from "node:path";
import { findPython } from "../oracles/index.ts";
import { LineProcess } from "../oracles/line-process.ts";
import type { ClassLike, Located, Member } from "../types.ts";

interface Seen {
  readonly kind: "class" | "function" | "method";
  readonly name: string;
  readonly line: number;
  readonly core: number;
  readonly end: number;
  readonly endColumn: number;
  readonly column: number;
  readonly body: number;
  readonly decorators: readonly string[];
  readonly members: readonly Seen[];
}

export class PythonLocator {
  readonly #program: LineProcess | undefined;

  constructor() {
    const python = findPython();
    this.#program =
      python && new LineProcess(python.file, [join(import.meta.dirname, "../oracles/python.py")]);
  }

  async locate(text: string): Promise<Located | undefined> {
    const content = Buffer.from(text).toString("base64");
    const answer = (await this.#program?.ask({ do: "locate", content })) as
      | { symbols: Seen[]; imports: [number, number][] }
      | false
      | undefined;
    if (!answer) return undefined;
    const lines = lineSpans(text);
    const top = answer.symbols.flatMap((seen) => toMember(seen, text, lines));
    return {
      classes: top.filter((one): one is ClassLike => one.kind === "class"),
      functions: top.filter((one) => one.kind === "function"),
      imports: answer.imports
        .map(([first, last]) => ({ from: lines[first - 1]!.from, to: lines[last - 1]!.to }))
        .filter(({ from, to }) => /^(?:from|import)\b/.test(text.slice(from, to)))
        .filter(({ from, to }) => !/;|\*/.test(text.slice(from, to))),
      isIndependent: true,
    };
  }

  close(): void {
    this.#program?.close();
  }
}

export const lineSpans = (text: string): { from: number; to: number }[] => {
  let at = 0;
  return text.split("\n").map((line) => {
    const from = at;
    at += line.length + 1;
    return { from, to: from + line.length };
  });
};

/** A comment under the last statement, as deep as that, belongs to the function. */
const isDeeperComment = (
  text: string,
  line: { from: number; to: number } | undefined,
  indent: string,
): boolean => {
  const found = line && /^([ \t]+)#/.exec(text.slice(line.from, line.to));
  return found !== null && found !== undefined && found[1]!.length > indent.length;
};

const plainDecorator =
  /^(?:staticmethod|classmethod|property|(?:abc\.)?abstractmethod|(?:functools\.)?(?:cache|cached_property|lru_cache))$/;

const toMember = (
  seen: Seen,
  text: string,
  lines: readonly { from: number; to: number }[],
): (Member | ClassLike)[] => {
  const [first, core, last] = [seen.line, seen.core, seen.end].map((line) => lines[line - 1]!);
  const firstText = text.slice(first!.from, first!.to);
  const indent = /^[ \t]*/.exec(firstText)![0];
  const lastBytes = Buffer.from(text.slice(last!.from, last!.to));
  const behind = lastBytes.subarray(seen.endColumn).toString();
  const isOwnLine = indent.length === seen.column || !/^[ \t]/.test(firstText);
  if (
    !isOwnLine ||
    !/^\s*(?:#.*)?$/.test(behind) ||
    text.slice(first!.from, last!.to).includes("\f")
  ) {
    return [];
  }
  const nameFrom = text.indexOf(seen.name, core!.from + indent.length + 3);
  let end = seen.end;
  while (isDeeperComment(text, lines[end], indent)) end += 1;
  const one: Member = {
    name: seen.name,
    kind: seen.kind,
    from: first!.from,
    core: core!.from,
    to: lines[end - 1]!.to,
    indent,
    nameFrom,
    ...(seen.body > seen.core && { body: lines[seen.body - 1]!.from }),
    decorators: seen.decorators,
    isStatic: false,
    isPlain:
      seen.name !== "_" &&
      (seen.kind === "class" || seen.decorators.every((name) => plainDecorator.test(name))),
  };
  if (seen.kind !== "class") return [one];
  const members = seen.members.flatMap((inner) => toMember(inner, text, lines));
  return [{ ...one, members }];
};
