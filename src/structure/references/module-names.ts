/** Which file of the project, or which package, a module name means. Nothing is read here. */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { pythonModules } from "./python-names.ts";
import type { Family } from "./types.ts";

export type Resolved =
  | { readonly kind: "project"; readonly path?: string }
  | { readonly kind: "package"; readonly name: string }
  | { readonly kind: "unknown" };

/** Only on some systems: elsewhere nothing is known about them. */
const notEverywhere = new Set(
  "_overlapped _scproxy _winapi _winreg _wmi crypt msvcrt nis nt ossaudiodev spwd winreg winsound".split(
    " ",
  ),
);
const pythonOwn = new Set(pythonModules.filter((name) => !notEverywhere.has(name)));
const nodeOwn = new Set(builtinModules);
/** Part of the language's own library. Its objects that answer by `__getattr__` pass on names that exist. */
export const isOwnModule = (name: string, family: Family): boolean =>
  family === "python" ? pythonOwn.has(name) : name === "" || nodeOwn.has(name);

const stdlib = { kind: "package", name: "" } as const;
const unknown = { kind: "unknown" } as const;
const inProject = { kind: "project" } as const;

/** The project's files by the last part of the module name they answer to. */
export class ModuleNames {
  readonly #byStem = new Map<string, Set<string>>();
  readonly #folders = new Map<string, number>();

  add(path: string): void {
    const stem = stemOf(path);
    const known = this.#byStem.get(stem);
    if (known) known.add(path);
    else this.#byStem.set(stem, new Set([path]));
    for (const folder of path.split("/").slice(0, -1)) {
      this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + 1);
    }
  }

  remove(path: string): void {
    this.#byStem.get(stemOf(path))?.delete(path);
    for (const folder of path.split("/").slice(0, -1)) {
      const left = (this.#folders.get(folder) ?? 1) - 1;
      if (left > 0) this.#folders.set(folder, left);
      else this.#folders.delete(folder);
    }
  }

  copy(): ModuleNames {
    const other = new ModuleNames();
    for (const [stem, paths] of this.#byStem) other.#byStem.set(stem, new Set(paths));
    for (const [folder, count] of this.#folders) other.#folders.set(folder, count);
    return other;
  }

  /** Files that answer to this last part of a module's name. */
  named(stem: string): Iterable<string> {
    return this.#byStem.get(stem) ?? [];
  }

  resolve(
    module: string,
    from: string,
    family: Family,
    packages: ReadonlyMap<string, unknown>,
  ): Resolved {
    return family === "python"
      ? this.#python(module, from, packages)
      : this.#script(module, from, packages);
  }

  #python(module: string, from: string, packages: ReadonlyMap<string, unknown>): Resolved {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const parts = module.slice(dots).split(".").filter(Boolean);
    if (dots > 0) {
      const folder = from.split("/").slice(0, -dots);
      return this.#pythonFile([...folder, ...parts].join("/"), true) ?? inProject;
    }
    const found = this.#pythonFile(parts.join("/"), false);
    if (found) return found;
    const [top = ""] = parts;
    if (packages.has(top)) return { kind: "package", name: top };
    if (pythonOwn.has(top)) return { ...stdlib, name: top };
    // The root itself may be the package.
    const inside = parts.length > 1 ? this.#pythonFile(parts.slice(1).join("/"), true) : undefined;
    if (inside) return inside;
    return this.#folders.has(top) || this.#byStem.has(top) ? inProject : unknown;
  }

  #pythonFile(wanted: string, isWhole: boolean): Resolved | undefined {
    const stem = wanted.slice(wanted.lastIndexOf("/") + 1);
    for (const path of this.#byStem.get(stem) ?? []) {
      const name = path.replace(/(?:\/__init__)?\.pyi?$/, "");
      if (name === wanted || (!isWhole && name.endsWith(`/${wanted}`)))
        return { kind: "project", path };
    }
    return undefined;
  }

  #script(module: string, from: string, packages: ReadonlyMap<string, unknown>): Resolved {
    if (module.startsWith(".")) {
      const wanted = posix.join(posix.dirname(from), module).replace(/\.[cm]?[jt]sx?$/, "");
      const stem = wanted.slice(wanted.lastIndexOf("/") + 1);
      for (const path of this.#byStem.get(stem) ?? []) {
        if (path.replace(/(?:\/index)?(?:\.d)?\.\w+$/, "") === wanted)
          return { kind: "project", path };
      }
      return inProject;
    }
    if (/^(?:[~#]|@\/|\/)/.test(module)) return inProject;
    const name = module
      .split("/")
      .slice(0, module.startsWith("@") ? 2 : 1)
      .join("/");
    if (module.startsWith("node:") || nodeOwn.has(name)) return stdlib;
    const typed = `@types/${name.replace(/^@([^/]+)\//, "$1__")}`;
    if (packages.has(name) || packages.has(typed)) return { kind: "package", name };
    return this.#folders.has(name) ? inProject : unknown;
  }
}

/** `pkg/__init__.py` and `pkg/index.ts` answer to the name of their folder. */
export const stemOf = (path: string): string => {
  const parts = path.replace(/(?:\.d)?\.[^./]+$/, "").split("/");
  const last = parts.at(-1) ?? "";
  return (last === "__init__" || last === "index" ? parts.at(-2) : last) ?? last;
};
