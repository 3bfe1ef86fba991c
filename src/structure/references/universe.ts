/**
 * Every name that exists for a project: its own sources, the sources of what it depends on, and what the
 * language brings along. It says too much rather than too little: "missing here" must mean missing.
 * Contents come in through a port; what was read can be kept (`serialize`) and taken up again.
 */
import { hash } from "node:crypto";
import { systemClock } from "../../base/clock.ts";
import { languageOf } from "../languages/index.ts";
import { SourceText } from "../source-text.ts";
import { LibraryNames, type LibraryState } from "./library-names.ts";
import { ModuleNames } from "./module-names.ts";
import { factsOf, familyOf, type SourceFacts } from "./source-facts.ts";
import type { Family, SourceFiles } from "./types.ts";

export interface KnownFile {
  readonly path: string;
  readonly family: Family;
  readonly hash: string;
  readonly stamp?: string | undefined;
  readonly words: Uint32Array;
  readonly defined: Uint32Array;
  readonly functions: Uint32Array;
  readonly imports: readonly string[];
  readonly answersAnything: boolean;
  readonly patchesOthers: boolean;
}

interface SerializedFile extends Omit<KnownFile, "words" | "defined" | "functions"> {
  readonly words: readonly number[];
  readonly defined: readonly number[];
  readonly functions: readonly number[];
}

interface Serialized {
  readonly version: number;
  readonly names: readonly string[];
  readonly files: readonly SerializedFile[];
  readonly libraries: readonly (readonly [Family, LibraryState])[];
}

const version = 1;

export class SymbolUniverse {
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];
  /** In how many project files each name stands, is defined, is a function. */
  readonly #wordFiles: number[] = [];
  readonly #definedFiles: number[] = [];
  readonly #functionFiles: number[] = [];
  readonly #files = new Map<string, KnownFile>();
  readonly #modules = new ModuleNames();
  readonly #libraries = new Map<Family, LibraryNames>();
  #revision = 0;

  /** Grows with every change, so that what was derived from it can be thrown away. */
  get revision(): number {
    return this.#revision;
  }

  /** Brings the project's part up to date: reads what is new or changed, forgets what is gone. */
  async update(sources: SourceFiles): Promise<void> {
    const gone = new Set(this.#files.keys());
    let scanned = 0;
    for (const path of sources.list()) {
      gone.delete(path);
      if (languageOf(path) === "text") continue;
      const stamp = sources.stamp?.(path);
      if (stamp !== undefined && this.#files.get(path)?.stamp === stamp) continue;
      this.setFile(path, sources.read(path), stamp);
      scanned += 1;
      if (scanned % 50 === 0) await systemClock.yield();
    }
    for (const path of gone) this.setFile(path, undefined);
  }

  /** One project file; undefined removes it. */
  setFile(path: string, content: Buffer | undefined, stamp?: string): void {
    const known = this.#files.get(path);
    const sum = content && hash("sha256", content);
    if (known && sum === known.hash) {
      this.#files.set(path, { ...known, stamp });
      return;
    }
    this.#revision += 1;
    if (known) this.#forget(known);
    if (!content || sum === undefined) return;
    const family = familyOf(languageOf(path));
    const facts = factsOf(SourceText.of(content).text, family);
    this.#keep({ path, family, hash: sum, stamp, ...this.#interned(facts) });
  }

  library(family: Family): LibraryNames {
    const known = this.#libraries.get(family);
    if (known) return known;
    const made = new LibraryNames(family);
    this.#libraries.set(family, made);
    return made;
  }

  /** Whether that library has been read. */
  hasLibrary(family: Family, key: string): boolean {
    return this.library(family).hasKey(key);
  }

  /** Reads the sources of dependencies once; the same key again changes nothing. */
  async addLibrary(family: Family, key: string, sources: SourceFiles): Promise<void> {
    if (await this.library(family).add(key, sources)) this.#revision += 1;
  }

  /** Stands anywhere: in the project in whatever language, or in what it builds upon. */
  has(name: string, family: Family): boolean {
    const id = this.#ids.get(name);
    if (id !== undefined && (this.#wordFiles[id] ?? 0) > 0) return true;
    return this.library(family).has(name);
  }

  /** Stands in a place that may define it. */
  isDefined(name: string, family: Family): boolean {
    const id = this.#ids.get(name);
    if (id !== undefined && (this.#definedFiles[id] ?? 0) > 0) return true;
    return this.library(family).isDefined(name);
  }

  file(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  files(): Iterable<KnownFile> {
    return this.#files.values();
  }

  /** Paths of project files in which the name stands. */
  filesWith(name: string, where: "words" | "defined" | "functions" = "words"): string[] {
    const id = this.#ids.get(name);
    if (id === undefined) return [];
    return [...this.#files.values()]
      .filter((file) => file[where].includes(id))
      .map(({ path }) => path);
  }

  /** Names of functions and classes of the project. */
  *functionNames(): Generator<string> {
    for (const [id, count] of this.#functionFiles.entries()) {
      const name = this.#names[id];
      if (count > 0 && name !== undefined) yield name;
    }
  }

  resolve(module: string, from: string, family: Family) {
    return this.#modules.resolve(module, from, family, this.library(family).packages);
  }

  serialize(): string {
    const files = [...this.#files.values()].map((file) => ({
      ...file,
      words: [...file.words],
      defined: [...file.defined],
      functions: [...file.functions],
    }));
    const libraries = [...this.#libraries].map(([family, one]) => [family, one.state()] as const);
    return JSON.stringify({ version, names: this.#names, files, libraries } satisfies Serialized);
  }

  /** Undefined when the text is of another version or damaged: then everything is read again. */
  static restore(text: string): SymbolUniverse | undefined {
    try {
      const kept = JSON.parse(text) as Serialized;
      if (kept.version !== version) return undefined;
      const universe = new SymbolUniverse();
      for (const name of kept.names) universe.#idOf(name);
      for (const file of kept.files) {
        universe.#keep({
          ...file,
          words: Uint32Array.from(file.words),
          defined: Uint32Array.from(file.defined),
          functions: Uint32Array.from(file.functions),
        });
      }
      for (const [family, state] of kept.libraries) universe.library(family).takeUp(state);
      return universe;
    } catch {
      return undefined;
    }
  }

  #keep(file: KnownFile): void {
    this.#files.set(file.path, file);
    this.#modules.add(file.path);
    this.#count(file, 1);
  }

  #forget(file: KnownFile): void {
    this.#files.delete(file.path);
    this.#modules.remove(file.path);
    this.#count(file, -1);
  }

  #count({ words, defined, functions }: KnownFile, by: 1 | -1): void {
    for (const [ids, counts] of [
      [words, this.#wordFiles],
      [defined, this.#definedFiles],
      [functions, this.#functionFiles],
    ] as const) {
      for (const id of ids) counts[id] = (counts[id] ?? 0) + by;
    }
  }

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#names.length;
    this.#ids.set(name, id);
    this.#names.push(name);
    this.#wordFiles.push(0);
    this.#definedFiles.push(0);
    this.#functionFiles.push(0);
    return id;
  }

  #interned({ words, defined, functions, ...rest }: SourceFacts) {
    const ids = (names: ReadonlySet<string>) =>
      Uint32Array.from([...names], (name) => this.#idOf(name));
    return { ...rest, words: ids(words), defined: ids(defined), functions: ids(functions) };
  }
}
