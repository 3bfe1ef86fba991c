import type { ManifestFacts, ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  isPresent,
  keysOf,
  member,
  nameAndDescription,
  parseJson,
  parseYaml,
  textOf,
  textsOf,
} from "./values.ts";

export const packageJson: ManifestReader = {
  files: "package.json",
  read: async (text) => {
    const manifest = await parseJson(text);
    const has = (...keys: string[]): boolean => isPresent(member(manifest, ...keys));
    return {
      ecosystem: has("packageManager")
        ? managerOf(textOf(member(manifest, "packageManager")))
        : "npm",
      isPackage: true,
      ...nameAndDescription(member(manifest, "name"), member(manifest, "description")),
      dependencies: [
        ...dependenciesOf("npm", keysOf(member(manifest, "dependencies"))),
        ...dependenciesOf("npm", keysOf(member(manifest, "optionalDependencies")), "optional"),
        ...dependenciesOf("npm", keysOf(member(manifest, "peerDependencies")), "peer"),
        ...dependenciesOf("npm", keysOf(member(manifest, "devDependencies")), "dev"),
      ],
      keywords: textsOf(member(manifest, "keywords")),
      entries: entriesOf(has),
      members: [
        ...textsOf(member(manifest, "workspaces")),
        ...textsOf(member(manifest, "workspaces", "packages")),
      ],
    };
  },
};

const managerOf = (text: string | undefined): string => {
  const name = text?.split("@", 1)[0];
  return name === "pnpm" || name === "yarn" || name === "bun" ? name : "npm";
};

const entriesOf = (has: (...keys: string[]) => boolean): string[] => {
  const isPrivate = has("private");
  const offers = ["exports", "main", "module", "types", "typings", "browser"].some((key) =>
    has(key),
  );
  const entries: string[] = [];
  const isCommand = has("bin") || has("directories", "bin");
  if (isCommand) entries.push("npm:bin");
  if (has("engines", "vscode")) entries.push("npm:vscode-extension");
  else if (offers && !isPrivate) entries.push("npm:library");
  if (has("types") || has("typings")) entries.push("npm:types");
  const isPublished = !isPrivate && (has("files") || has("publishConfig"));
  // A command is published too; that makes it nothing to build on.
  if (isPublished && (offers || !isCommand)) entries.push("npm:published");
  if (isPrivate && !has("workspaces") && !has("exports")) entries.push("npm:private");
  if (has("scripts", "start")) entries.push("npm:start");
  return entries;
};

export const pnpmWorkspace: ManifestReader = {
  files: "pnpm-workspace.yaml",
  read: async (text): Promise<ManifestFacts> => ({
    ecosystem: "pnpm",
    members: textsOf(member(await parseYaml(text), "packages")),
  }),
};

export const denoJson: ManifestReader = {
  files: "deno.json deno.jsonc",
  read: async (text) => {
    const manifest = await parseJson(text);
    const imports = member(manifest, "imports");
    const targets = keysOf(imports).flatMap((key) => textOf(member(imports, key)) ?? []);
    return {
      ecosystem: "deno",
      isPackage: true,
      ...nameAndDescription(member(manifest, "name"), member(manifest, "description")),
      dependencies: dependenciesOf("npm", targets.flatMap(denoPackage)),
      entries: isPresent(member(manifest, "exports")) ? ["deno:exports"] : [],
      members: textsOf(member(manifest, "workspace")),
    };
  },
};

/** `npm:express@4`, `jsr:@hono/hono@^4`: the package's name alone. */
const denoPackage = (target: string): string[] => {
  const match = /^(?:npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)/.exec(target);
  if (!match?.[1]) return [];
  return [match[1] === "@hono/hono" ? "hono" : match[1]];
};

/** Only what a browser takes for an extension; a web app's manifest has another shape. */
export const webExtension: ManifestReader = {
  files: "manifest.json manifest-v3.json manifest.v3.json manifest-mv3.json manifest.chrome.json",
  read: async (text) => {
    const manifest = await parseJson(text);
    const isExtension = typeof member(manifest, "manifest_version") === "number";
    return { ecosystem: "webextension", entries: isExtension ? ["webextension:manifest"] : [] };
  },
};
