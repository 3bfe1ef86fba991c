/**
 * Whether a text in the middle of a commit still parses: by a parser that has nothing to do with the gate's where
 * this machine has one. Elsewhere brackets are counted and the grammar is asked, and only texts that are no worse than
 * both landed versions are played: what it refuses there is not counted against anybody.
 */
import {
  type Analyser,
  isNotebook,
  readNotebook,
  withoutMagics,
} from "../../src/structure/index.ts";
import { openOracle } from "../oracles/index.ts";
import type { Oracle } from "../types.ts";

export interface Parsers {
  /** Undefined where nobody can say. */
  isRight(language: string, text: Buffer, path: string): Promise<boolean | undefined>;
  isPlayable(
    language: string,
    text: Buffer,
    landed: { readonly path: string; readonly versions: readonly Buffer[] },
  ): Promise<boolean>;
  close(): void;
}

export const openParsers = (analyser: Pick<Analyser, "syntax">): Parsers => {
  const oracles = new Map<string, Oracle | undefined>();
  const oracleFor = (language: string): Oracle | undefined => {
    if (!oracles.has(language)) oracles.set(language, openOracle(language));
    return oracles.get(language);
  };
  const isRight: Parsers["isRight"] = async (language, text, path) => {
    if (isNotebook(path)) return isRightNotebook(text, []);
    const oracle = oracleFor(language);
    const word = await oracle?.judge(text, path, path);
    return word === false && oracle?.second ? ((await oracle.second(text, path)) ?? word) : word;
  };
  /** Its cells are Python, but for those that landed so. */
  const isRightNotebook = async (text: Buffer, landed: readonly Buffer[]): Promise<boolean> => {
    const known = landed.flatMap((one) => readNotebook(one.toString())?.cells ?? []);
    const codes = new Set(known.map(({ code }) => code));
    const notebook = readNotebook(text.toString());
    if (notebook?.ending !== "py") return notebook !== undefined;
    for (const { code } of notebook.cells) {
      const plain = Buffer.from(withoutMagics(code));
      if (!codes.has(code) && (await isRight("python", plain, "cell.py")) === false) return false;
    }
    return true;
  };
  const errors = async (text: Buffer, path: string): Promise<number> =>
    (await analyser.syntax(text, path)).errors.length;
  return {
    isRight,
    isPlayable: async (language, text, { path, versions }) => {
      if (isNotebook(path)) return isRightNotebook(text, versions);
      // Compilers of C read headers, which are not all there.
      const isAsked = language !== "c" && language !== "cpp";
      const word = isAsked ? await isRight(language, text, path) : undefined;
      if (word !== undefined) return word;
      if (!versions.some((one) => balance(one) === balance(text))) return false;
      const known = await Promise.all(versions.map((one) => errors(one, path)));
      return (await errors(text, path)) <= Math.min(...known);
    },
    close: () => {
      for (const oracle of oracles.values()) oracle?.close();
    },
  };
};

/** Of each bracket, how many more are opened than closed: by counting, whatever they stand in. */
const balance = (content: Buffer): string => {
  const text = content.toString("latin1");
  const count = (sign: string): number => text.split(sign).length;
  return ["()", "[]", "{}"].map(([open, close]) => count(open!) - count(close!)).join();
};
