/** Modules that are folders or files by convention: Go packages, Java classes, Rust modules. In doubt unknown. */
import { posix } from "node:path";
import { isSlip } from "../references/nearest-names.ts";
import {
  foldersAbove,
  inFolder,
  isSample,
  mayBeGenerated,
  mentions,
  type ModuleView,
  type ResolvedModule,
  unknownModule,
} from "./module-view.ts";

type ModuleResolver = (module: string, from: string, view: ModuleView) => Promise<ResolvedModule>;

const missing = (name: string, candidates: readonly string[]): ResolvedModule => ({
  ...{ state: "missing", what: "module", name, candidates },
});

/** Where the module of a Go file begins, and its name. */
const goModule = (from: string, view: ModuleView) => {
  const home = foldersAbove(from).find((folder) => view.kind(inFolder(folder, "go.mod")));
  const manifest = home === undefined ? undefined : view.text(inFolder(home, "go.mod"));
  const own = /^module\s+"?([^\s"]+)/m.exec(manifest ?? "")?.[1];
  return home === undefined || own === undefined ? undefined : { home, manifest, own };
};

/** The folder of a package of the file's own module; undefined where there is none. */
export const resolveGoFolder = (
  module: string,
  from: string,
  view: ModuleView,
): string | undefined => {
  const known = goModule(from, view);
  if (!known) return undefined;
  const { home, own } = known;
  const folder = module === own ? home : inFolder(home, module.slice(own.length + 1));
  const isOwn = module === own || module.startsWith(`${own}/`);
  return isOwn && (folder === "" || view.kind(folder) === "folder") ? folder : undefined;
};

/** A path below the module's own name that no folder has. */
const resolveGo: ModuleResolver = async (module, from, view) => {
  const known = goModule(from, view);
  if (!known || !module.startsWith(`${known.own}/`)) return unknownModule;
  const { home, manifest, own } = known;
  const target = inFolder(home, module.slice(own.length + 1));
  if (view.kind(target) !== undefined) return goPackage(target, view);
  const [first = ""] = module.slice(own.length + 1).split("/");
  const isElsewhere = /^v\d+$/.test(first) || mentions(manifest, `${own}/${first}`);
  if (
    isElsewhere ||
    view.kind("go.work") !== undefined ||
    view.kind(inFolder(home, "vendor")) !== undefined
  )
    return unknownModule;
  if (mayBeGenerated(`${target}/x`, view) || (await view.isIgnored([target, `${target}/x.go`])))
    return unknownModule;
  const folder = posix.dirname(target);
  return missing(posix.basename(target), view.entries(folder === "." ? "" : folder));
};

/** All files of a folder are one package; named otherwise than its folder, it proves nothing. */
const goPackage = async (folder: string, view: ModuleView): Promise<ResolvedModule> => {
  const names = view.entries(folder).filter((name) => /(?<!_test)\.go$/.test(name));
  const paths = names.map((name) => inFolder(folder, name));
  const isNamed = (path: string): boolean =>
    new RegExp(String.raw`^package\s+${posix.basename(folder)}\b`, "m").test(view.text(path) ?? "");
  if (paths.length === 0 || !paths.every(isNamed)) return unknownModule;
  return (await view.isIgnored([inFolder(folder, "x.pb.go"), inFolder(folder, "zz_generated.go")]))
    ? unknownModule
    : { state: "files", paths };
};

/** Generated classes share packages with written ones: only a slip of a class that exists is proof. */
const resolveJava: ModuleResolver = async (module, from, view) => {
  const at = module.lastIndexOf(".");
  const [folder, name] = [module.slice(0, at).replaceAll(".", "/"), module.slice(at + 1)];
  const classes = [...view.paths()].filter((path) => {
    const above = posix.dirname(path);
    return (
      path !== from &&
      /\.(?:java|kt|groovy|scala)$/.test(path) &&
      (above === folder || above.endsWith(`/${folder}`))
    );
  });
  if (classes.length === 0) return unknownModule;
  if (classes.some((path) => mentions(view.text(path), name))) return { state: "files", paths: [] };
  const names = classes.map((path) => posix.basename(path).replace(/\.\w+$/, ""));
  if (names.some((one) => isMadeFrom(name, one))) return unknownModule;
  return names.some((one) => isSlip(name, one)) ? missing(name, names) : unknownModule;
};

/** Compilers and generators make classes under these names: Kotlin's functions, JPA's and Querydsl's models. */
const isMadeFrom = (name: string, written: string): boolean =>
  [`${written}Kt`, `${written}_`, `Q${written}`].includes(name);

/** `crate::a::b` by the files of the crate that this one belongs to; modules inside of files are not known. */
const resolveCrate: ModuleResolver = async (module, from, view) => {
  const home = foldersAbove(from).find((folder) => view.kind(inFolder(folder, "Cargo.toml")));
  const source = home === undefined ? undefined : inFolder(home, "src");
  if (source === undefined || !from.startsWith(`${source}/`) || from.startsWith(`${source}/bin/`))
    return unknownModule;
  let folder = source;
  let path: string | undefined;
  for (const name of module.split("::").slice(1)) {
    const places = [inFolder(folder, `${name}.rs`), inFolder(folder, `${name}/mod.rs`)];
    path = places.find((one) => view.kind(one) === "file");
    if (path === undefined) return unknownModule;
    folder = inFolder(folder, name);
  }
  return path === undefined ? unknownModule : { state: "files", paths: [path] };
};

const resolveRust: ModuleResolver = async (name, from, view) => {
  if (name.startsWith("crate::")) return resolveCrate(name, from, view);
  const folder = posix.dirname(from) === "." ? "" : posix.dirname(from);
  const inner = inFolder(folder, posix.basename(from, ".rs"));
  const places = [folder, inner].flatMap((one) => [
    inFolder(one, `${name}.rs`),
    inFolder(one, `${name}/mod.rs`),
  ]);
  if (places.some((path) => view.kind(path) === "file")) return { state: "files", paths: [] };
  if (mayBeGenerated(inFolder(folder, name), view) || (await view.isIgnored(places)))
    return unknownModule;
  const names = [...view.entries(folder), ...view.entries(inner)];
  return missing(
    name,
    names.map((one) => one.replace(/\.rs$/, "")),
  );
};

export const resolveFolderModule: ModuleResolver = async (module, from, view) => {
  if (isSample(from) || view.kind(".gitmodules") === "file") return unknownModule;
  if (from.endsWith(".go")) return resolveGo(module, from, view);
  if (from.endsWith(".java")) return resolveJava(module, from, view);
  return from.endsWith(".rs") ? resolveRust(module, from, view) : unknownModule;
};
