/** A package that is neither declared nor installed; the first use of one counts only. */
import { foldersAbove, inFolder, isSample, type ModuleView } from "./module-view.ts";

const locks = [
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"],
  ...["bun.lock", "bun.lockb", "deno.lock"],
];

export interface UndeclaredPackage {
  readonly name: string;
  readonly candidates: readonly string[];
  /** A lock file or installed packages list everything. */
  readonly isSure: boolean;
}

export const missingScriptPackage = (
  spec: string,
  from: string,
  view: ModuleView,
): UndeclaredPackage | undefined => {
  const name = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*/.exec(spec)?.[0];
  if (name === undefined || isSample(from)) return undefined;
  const imported = view.importedModules(from);
  if (imported.has(spec) || imported.has(name)) return undefined;
  const folders = foldersAbove(from);
  const manifests = folders.flatMap((folder) => view.text(inFolder(folder, "package.json")) ?? []);
  if (manifests.length === 0) return undefined;
  const isInstalled = folders.some((folder) =>
    [name, `@types/${name.replace(/^@(.+)\//, "$1__")}`].some(
      (one) => view.kind(inFolder(folder, `node_modules/${one}`)) !== undefined,
    ),
  );
  if (isInstalled || hasOtherSources(name, folders, view)) return undefined;
  const kept = folders.flatMap((folder) =>
    locks.flatMap((lock) => view.text(inFolder(folder, lock)) ?? []),
  );
  const written = [...allManifests(view), ...manifests, ...kept];
  const last = name.slice(name.indexOf("/") + 1);
  if (written.some((text) => text.includes(name) || text.includes(`@types/${last}`)))
    return undefined;
  const declared = manifests.flatMap(declaredPackages);
  const isSure =
    kept.length > 0 ||
    declared.length === 0 ||
    folders.some((folder) => view.kind(inFolder(folder, "node_modules")) === "folder");
  return { name, candidates: declared, isSure };
};

/** Workspaces name each other. */
const allManifests = (view: ModuleView): string[] =>
  view.named("package").flatMap((path) => (path.endsWith(".json") ? (view.text(path) ?? []) : []));

/** Settings of tools and ambient declarations may make a module of any name. */
const hasOtherSources = (name: string, folders: readonly string[], view: ModuleView): boolean => {
  const [first = name] = name.split("/");
  const settings = folders.flatMap((folder) =>
    view
      .entries(folder)
      .filter((one) =>
        /config|^deno\.|import[-_]?map|^\.babelrc|^\.storybook|^nx\.|^angular\./.test(one),
      )
      .map((one) => inFolder(folder, one)),
  );
  if (settings.some((path) => view.text(path)?.includes(first))) return true;
  const word = name.match(/\w+/g)?.toSorted((a, b) => b.length - a.length)[0] ?? name;
  const makers = new Set(
    ["declare", "importmap", "virtual", "alias"].flatMap((one) => view.filesWith(one)),
  );
  return view
    .filesWith(word)
    .some((path) => makers.has(path) && view.text(path)?.includes(name) === true);
};

export const declaredPackages = (manifest: string): string[] => {
  try {
    const all = JSON.parse(manifest) as Record<string, unknown>;
    return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap(
      (key) => (typeof all[key] === "object" && all[key] ? Object.keys(all[key]) : []),
    );
  } catch {
    return [];
  }
};
