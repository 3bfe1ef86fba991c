/** Evidence that follows from how a project is laid out, beside what its files say. */
import type { Package } from "./layout.ts";
import type { SignalKind } from "./types.ts";

/** A piece of evidence as one scope sees it. */
export interface Item {
  readonly key: string;
  readonly kind: SignalKind;
  readonly path: string;
  /** 0–1: how much of its weight counts here. */
  readonly share: number;
  readonly owner: Package;
}

/** Files with a smaller share are examples, tests and the like. */
export const sharedFrom = 0.25;

/** What follows from an absence: a Go module is a library unless its program or no code lies at its top. */
export const impliedItems = (owner: Package, items: readonly Item[]): Item[] => {
  if (!owner.ecosystems.includes("go") || !owner.counts.has("go")) return [];
  const at = owner.path === "" ? "" : `${owner.path}/`;
  const own = owner.name?.split("/").at(-1);
  const isProgram = items.some(({ key, path, share }) =>
    owner.topCounts.has("go")
      ? (key === "entry-point:go:main" && path === `${at}main.go`) ||
        (key === "entry-point:go:cmd" && path === `${at}cmd/${own}/main.go`)
      : key.startsWith("entry-point:go:") && share >= 0.2,
  );
  const says = (domain: string): boolean =>
    items.some(({ key, share }) => key === `statement:${domain}` && share === 1);
  if (says("cli-tool") && !says("library-sdk")) return [];
  if (isProgram) return [];
  const path = `${at}go.mod`;
  return [
    { key: "entry-point:go:library", kind: "entry-point", path, owner, share: owner.importance },
  ];
};

/** A front end in a folder of a server in another language is that server's: both are one application. */
export const ownFrontEnd = (
  owner: Package,
  items: readonly Item[],
  packages: ReadonlyMap<Package, { readonly primary: string | null }>,
): Item[] => {
  const isServer = items.some(
    ({ key, share }) => key === "entry-point:docker:exposes-port" && share >= sharedFrom,
  );
  if (!isServer || !owner.ecosystems.some((name) => serverEcosystems.has(name))) return [];
  for (const [one, { primary }] of packages) {
    if (one.path === "" || one.role !== "main" || primary !== "frontend-spa") continue;
    const { path } = one;
    return [{ key: "entry-point:own-front-end", kind: "entry-point", path, owner, share: 1 }];
  }
  return [];
};
const serverEcosystems = new Set(
  "go cargo python maven gradle dotnet composer bundler mix".split(" "),
);
