/** Files as they become while operations are applied one after the other. Nothing is written. */
import { HeadgateError } from "../../errors.ts";
import type { Tree } from "../../gate/index.ts";
import { SourceText } from "../../structure/index.ts";
import type { FileChange } from "../types.ts";
import { encodeFor } from "./encode.ts";
import { nearest } from "./nearest.ts";

interface Working {
  readonly before: Buffer | null;
  now: Buffer | null;
  mode: number | undefined;
}

export class WorkingFiles {
  readonly #tree: Tree;
  readonly #files = new Map<string, Working>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  has(path: string): boolean {
    return this.#file(path).now !== null;
  }

  read(path: string): Buffer {
    const { now } = this.#file(path);
    if (now) return now;
    const known = [...this.#files].filter(([, file]) => file.now !== null).map(([name]) => name);
    const near = nearest(path, known, (name) => name, 3);
    throw new HeadgateError("FILE_ABSENT", `There is no file ${path}.`, {
      data: { path, nearest: near },
    });
  }

  readText(path: string): { readonly path: string; readonly source: SourceText } {
    return { path, source: SourceText.of(this.read(path)) };
  }

  /** In the encoding of what it replaces. */
  writeText(file: { readonly path: string; readonly source: SourceText }, text: string): void {
    this.#file(file.path).now = encodeFor(file, text);
  }

  create(path: string, content: Buffer, mode?: number): void {
    const file = this.#file(path);
    if (file.now) {
      throw new HeadgateError("FILE_EXISTS", `${path} exists already.`, { data: { path } });
    }
    file.now = content;
    file.mode = mode;
  }

  delete(path: string): void {
    this.read(path);
    this.#file(path).now = null;
  }

  changes(): FileChange[] {
    return [...this.#files].flatMap(([path, { before, now, mode }]) => {
      const isSame = before === now || (before !== null && now !== null && before.equals(now));
      if (isSame && mode === undefined) return [];
      const kind = before === null ? "create" : now === null ? "delete" : "modify";
      return [{ path, kind, before, after: now, ...(mode !== undefined && { mode }) } as const];
    });
  }

  #file(path: string): Working {
    const known = this.#files.get(path);
    if (known) return known;
    const before = this.#tree.read(path) ?? null;
    const file: Working = { before, now: before, mode: undefined };
    this.#files.set(path, file);
    return file;
  }
}
