/**
 * Every name that exists for a project: its own sources, the sources of what it depends on, and what the
 * language brings along. It says too much rather than too little: "missing here" must mean missing.
 * Contents come in through a port; what was read can be kept (`serialize`) and taken up again.
 */
import { hash } from "node:crypto";
import { systemClock } from "../../base/clock.ts";
import { languageOf } from "../languages/index.ts";
import { SourceText } from "../source-text.ts";
import { declaredPackages, isManifest } from "./closed-world.ts";
import { LibraryNames, type LibraryPart, type LibraryState } from "./library-names.ts";
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

type InternedFacts = Omit<KnownFile, "path" | "family" | "hash" | "stamp">;

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

const version = 3;

/** Facts of contents that are remembered: committed versions are asked about again and again. */
const factsMax = 2048;

export class SymbolUniverse {
  /** These four only grow, and are the same in all copies. */
  #ids = new Map<string, number>();
  #names: string[] = [];
  #facts = new Map<string, InternedFacts>();
  #libraries = new Map<Family, LibraryNames>();
  /** In how many project files each name stands, is defined, is a function. */
  #wordFiles: number[] = [];
  #definedFiles: number[] = [];
  #functionFiles: number[] = [];
  #files = new Map<string, KnownFile>();
  #modules = new ModuleNames();
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
    const facts = this.#remembered(content, sum, family);
    // Of a manifest: the packages that it declares.
    const imports = isManifest(path) ? declaredPackages(content.toString("utf8")) : facts.imports;
    this.#keep({ path, family, hash: sum, stamp, ...facts, imports });
  }

  /** The same names, for another state of the project's files; libraries are shared with it. */
  copy(): SymbolUniverse {
    const other = new SymbolUniverse();
    other.#ids = this.#ids;
    other.#names = this.#names;
    other.#facts = this.#facts;
    other.#libraries = this.#libraries;
    other.#wordFiles = [...this.#wordFiles];
    other.#definedFiles = [...this.#definedFiles];
    other.#functionFiles = [...this.#functionFiles];
    other.#files = new Map(this.#files);
    other.#modules = this.#modules.copy();
    return other;
  }

  library(family: Family): LibraryNames {
    const known = this.#libraries.get(family);
    if (known) return known;
    const made = new LibraryNames(family);
    this.#libraries.set(family, made);
    return made;
  }

  /** Reads the sources of dependencies once; the same key again changes nothing. */
  async addLibrary(
    family: Family,
    key: string,
    sources: SourceFiles,
    about?: Pick<LibraryPart, "needs" | "bytes">,
  ): Promise<void> {
    if (await this.library(family).add(key, sources, about)) this.#revision += 1;
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

  /** Project files that answer to this last part of a module's name. */
  named(stem: string): Iterable<string> {
    return this.#modules.named(stem);
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
      // Another copy may have met names that this one has not.
      while (counts.length < this.#names.length) counts.push(0);
      for (const id of ids) counts[id] = (counts[id] ?? 0) + by;
    }
  }

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#names.length;
    this.#ids.set(name, id);
    this.#names.push(name);
    return id;
  }

  #remembered(content: Buffer, sum: string, family: Family): InternedFacts {
    const key = `${family} ${sum}`;
    const known = this.#facts.get(key);
    this.#facts.delete(key);
    const facts = known ?? this.#interned(factsOf(SourceText.of(content).text, family));
    this.#facts.set(key, facts);
    const [oldest] = this.#facts.keys();
    if (oldest !== undefined && this.#facts.size > factsMax) this.#facts.delete(oldest);
    return facts;
  }

  #interned({ words, defined, functions, ...rest }: SourceFacts): InternedFacts {
    const ids = (names: ReadonlySet<string>) =>
      Uint32Array.from([...names], (name) => this.#idOf(name));
    return { ...rest, words: ids(words), defined: ids(defined), functions: ids(functions) };
  }
}
