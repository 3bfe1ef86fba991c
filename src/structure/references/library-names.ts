/** Names of what a project builds upon: one big set per language, made by scanning words. */
import { systemClock } from "../../base/clock.ts";
import { SourceText } from "../source-text.ts";
import { environmentNames } from "./environment-names.ts";
import { pythonBuiltins, pythonNative, pythonNewer } from "./python-names.ts";
import { browserNames, engineNames } from "./script-names.ts";
import { factsOf, wordsBesides, wordsOf } from "./source-facts.ts";
import type { Family, SourceFiles } from "./types.ts";

/** One package, or one library of a language, as far as its key does not change. */
export interface LibraryPart {
  /** Names of packages that it imports in turn. */
  readonly needs: readonly string[];
  readonly bytes: number;
  /** False: too large; nothing of it is known. */
  readonly isRead: boolean;
}

export interface LibraryState {
  readonly parts: readonly (readonly [string, LibraryPart])[];
  readonly words: readonly string[];
  readonly defined: readonly string[];
  readonly packages: readonly (readonly [string, { readonly answersAnything: boolean }])[];
}

/** Larger than any source; a compiled module of that size is not read, and nothing is said about it. */
const fileBytesMax = 32 * 1024 * 1024;

export class LibraryNames {
  readonly #family: Family;
  readonly #parts = new Map<string, LibraryPart>();
  readonly #words = new Set<string>();
  readonly #defined = new Set<string>();
  readonly #packages = new Map<string, { answersAnything: boolean }>();
  #own: ReadonlySet<string> | undefined;

  constructor(family: Family) {
    this.#family = family;
  }

  /** Without sources nothing is known about what the language's own library offers. */
  get isRead(): boolean {
    return [...this.#parts.values()].some(({ isRead }) => isRead);
  }

  get packages(): ReadonlyMap<string, { readonly answersAnything: boolean }> {
    return this.#packages;
  }

  has(name: string): boolean {
    return this.#words.has(name) || this.#native().has(name) || this.#isNewer(name);
  }

  isDefined(name: string): boolean {
    return this.#defined.has(name) || this.#native().has(name) || this.#isNewer(name);
  }

  isBuiltin(name: string): boolean {
    return this.#native().has(name);
  }

  part(key: string): LibraryPart | undefined {
    return this.#parts.get(key);
  }

  /** Each names the folder that was read. */
  partKeys(): string[] {
    return [...this.#parts.keys()];
  }

  /** Whether a declared package was found and read, or its types were. */
  isThere(name: string): boolean {
    const types = `@types/${name.replace(/^@([^/]+)\//, "$1__")}`;
    if (this.#packages.has(name) || this.#packages.has(types)) return true;
    for (const [key, { isRead }] of this.#parts) {
      if (isRead && [name, types].some((one) => key.includes(`/node_modules/${one} `))) return true;
    }
    return false;
  }

  /** Remembers one that is not read, so that it is not measured each time. */
  leaveOut(key: string, bytes: number): void {
    this.#parts.set(key, { needs: [], bytes, isRead: false });
  }

  async add(
    key: string,
    sources: SourceFiles,
    about: Pick<LibraryPart, "needs" | "bytes"> = { needs: [], bytes: 0 },
  ): Promise<boolean> {
    if (this.#parts.get(key)?.isRead) return false;
    let scanned = 0;
    for (const path of sources.list()) {
      const kind = kindOf(path, this.#family);
      if (!kind) continue;
      const bytes = sources.read(path);
      if (!bytes) continue;
      this.#take(path, bytes, kind);
      scanned += 1;
      if (scanned % 50 === 0) await systemClock.yield();
    }
    this.#parts.set(key, { ...about, isRead: true });
    return true;
  }

  state(): LibraryState {
    return {
      parts: [...this.#parts],
      words: [...this.#words],
      defined: [...this.#defined],
      packages: [...this.#packages],
    };
  }

  takeUp({ parts, words, defined, packages }: LibraryState): void {
    for (const [key, part] of parts) this.#parts.set(key, part);
    for (const word of words) this.#words.add(word);
    for (const name of defined) this.#defined.add(name);
    for (const [name, state] of packages) this.#packages.set(name, { ...state });
  }

  #take(path: string, bytes: Buffer, kind: "source" | "binary"): void {
    const owner = packageOf(path, this.#family);
    const known = this.#packages.get(owner) ?? { answersAnything: false };
    this.#packages.set(owner, known);
    if (bytes.length > fileBytesMax) {
      known.answersAnything = true;
      return;
    }
    if (kind === "binary" || this.#family !== "python") {
      const text = kind === "binary" ? bytes.toString("latin1") : SourceText.of(bytes).text;
      if (kind === "source" && /\bnew\s+Proxy\s*\(/.test(text)) known.answersAnything = true;
      // The language's own library speaks of many things in its comments.
      const isOwn = /(?:^|\/)lib(?:\.[\w.]+)?\.d\.ts$/.test(path);
      for (const word of isOwn ? wordsBesides(text, "script", none) : wordsOf(text)) {
        // Machine code is full of what only looks like a word.
        if (kind === "binary" && !/^[A-Za-z_]\w{2,}$/.test(word)) continue;
        this.#words.add(word);
        this.#defined.add(word);
      }
      return;
    }
    const { words, defined, answersAnything } = factsOf(SourceText.of(bytes).text, "python");
    for (const word of words) this.#words.add(word);
    for (const name of defined) this.#defined.add(name);
    if (answersAnything) known.answersAnything = true;
  }

  /** The project may run on a newer interpreter than the one that was read. */
  #isNewer(name: string): boolean {
    return this.#family === "python" && newer.has(name);
  }

  #native(): ReadonlySet<string> {
    this.#own ??=
      this.#family === "python"
        ? new Set([...pythonBuiltins, ...pythonNative])
        : new Set([...engineNames(), ...browserNames, ...environmentNames()]);
    return this.#own;
  }
}

const none: ReadonlySet<number> = new Set();

const newer: ReadonlySet<string> = new Set(pythonNewer);

const kindOf = (path: string, family: Family): "source" | "binary" | undefined => {
  if (/\.(?:so|pyd|dylib|node)$/.test(path)) return "binary";
  const wanted = family === "python" ? /\.(?:pyi?|pyx|pxd)$/ : /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
  return wanted.test(path) ? "source" : undefined;
};

/** The name by which programs import it. */
const packageOf = (path: string, family: Family): string => {
  if (family === "python") {
    const [top = ""] = path
      .replace(/^(?:.*\/)?(?:site-packages|dist-packages|lib-dynload)\//, "")
      .split("/");
    return top.split(".")[0] ?? top;
  }
  const parts = path.replace(/^(?:.*\/)?node_modules\//, "").split("/");
  return parts.slice(0, parts[0]?.startsWith("@") ? 2 : 1).join("/");
};
