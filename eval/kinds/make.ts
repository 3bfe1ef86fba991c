/** What every kind of attempt needs: a real file, a place in it, fresh names. */
import { type Tree, type Write } from "../../src/gate/index.ts";
import type { Profile } from "../profiles/index.ts";
import type { Random } from "../random.ts";
import type { Attempt, ClassLike, Group, Member, Source } from "../types.ts";

export interface Bench {
  readonly source: Source;
  readonly random: Random;
  readonly profile: Profile;
  readonly language: string;
  /** Never the same twice. */
  fresh(): string;
}

/** Undefined when this file has no place for it. */
export type Maker = (bench: Bench) => Attempt | undefined;

export const treeOfBytes = (files: Readonly<Record<string, Buffer>>): Tree => {
  const known = new Map(Object.entries(files));
  return { read: (path) => known.get(path) };
};

export const toAttempt = (
  { source }: Bench,
  said: {
    readonly group: Group;
    readonly kind: string;
    readonly expect: Attempt["expect"];
    readonly codes?: readonly string[];
    readonly after: string | Buffer;
    readonly before?: Buffer | null;
    /** What is in the tree when that is not the file itself. */
    readonly now?: Buffer | null;
    readonly result?: Buffer | false;
    readonly excerpt: string;
    readonly check?: Attempt["check"];
  },
): Attempt => {
  const after = typeof said.after === "string" ? Buffer.from(said.after) : said.after;
  const now = said.now === undefined ? source.bytes : said.now;
  const write: Write = {
    path: source.path,
    after,
    ...(said.before !== undefined && { before: said.before }),
  };
  return {
    group: said.group,
    kind: said.kind,
    place: source.place,
    proposal: { writes: [write] },
    tree: treeOfBytes(now ? { [source.path]: now } : {}),
    expect: said.expect,
    codes: said.codes ?? [],
    ...(said.result !== false && { result: said.result ?? after }),
    excerpt: said.excerpt,
    ...(said.check && { check: said.check }),
  };
};

export const textOf = ({ source }: Bench, { from, to }: { from: number; to: number }): string =>
  source.text.slice(from, to);

export const insertAt = (text: string, at: number, code: string): string =>
  text.slice(0, at) + code + text.slice(at);

/** Behind everything else in the file. */
export const append = (text: string, code: string): string =>
  `${text.replace(/\s*$/, "")}\n\n\n${code}\n`;

export const rename = ({ source }: Bench, member: Member, name: string): string => {
  const at = member.nameFrom;
  const text = source.text.slice(member.from, member.to);
  const inside = at - member.from;
  return text.slice(0, inside) + name + text.slice(inside + member.name.length);
};

export const pickClass = (
  { source, random }: Bench,
  fits: (one: ClassLike) => boolean,
): ClassLike | undefined => random.pick(source.located.classes.filter(fits));

export const lastOf = ({ members }: ClassLike): Member | undefined => members.at(-1);

/** Methods and functions with a body of their own lines. */
export const callables = ({ source }: Bench): Member[] => [
  ...source.located.functions,
  ...source.located.classes.flatMap(({ members }) => members),
];
