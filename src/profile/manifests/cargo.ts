import type { ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  isPresent,
  keysOf,
  listOf,
  member,
  nameAndDescription,
  parseToml,
  textsOf,
} from "./values.ts";

export const cargoToml: ManifestReader = {
  files: "Cargo.toml",
  read: async (text) => {
    const manifest = await parseToml(text);
    const own = member(manifest, "package");
    const table = (...keys: string[]) => namesIn(member(manifest, ...keys));
    const targets = member(manifest, "target");
    const perTarget = keysOf(targets).flatMap(
      (key) => namesIn(member(targets, key, "dependencies")).plain,
    );
    const main = table("dependencies");
    return {
      ecosystem: "cargo",
      isPackage: own !== undefined,
      ...nameAndDescription(member(own, "name"), member(own, "description")),
      dependencies: [
        ...dependenciesOf("cargo", [...main.plain, ...perTarget]),
        ...dependenciesOf("cargo", main.optional, "optional"),
        ...dependenciesOf("cargo", table("dev-dependencies").plain, "dev"),
        ...dependenciesOf("cargo", table("build-dependencies").plain, "dev"),
      ],
      keywords: textsOf(member(own, "keywords")),
      categories: textsOf(member(own, "categories")).map((name) => `cargo:${name}`),
      entries: own === undefined ? [] : entriesOf(manifest),
      members: [
        ...textsOf(member(manifest, "workspace", "members")),
        ...textsOf(member(manifest, "workspace", "exclude")).map((one) => `!${one}`),
      ],
    };
  },
};

const namesIn = (table: unknown): { plain: string[]; optional: string[] } => {
  const plain: string[] = [];
  const optional: string[] = [];
  for (const key of keysOf(table)) {
    const renamed = member(table, key, "package");
    const list = member(table, key, "optional") === true ? optional : plain;
    list.push(typeof renamed === "string" ? renamed : key);
  }
  return { plain, optional };
};

const entriesOf = (manifest: unknown): string[] => {
  const entries: string[] = [];
  const publish = member(manifest, "package", "publish");
  const isWithheld = publish === false || (Array.isArray(publish) && publish.length === 0);
  if (listOf(member(manifest, "bin")).length > 0) entries.push("cargo:bin");
  if (member(manifest, "lib") !== undefined) entries.push("cargo:lib");
  if (member(manifest, "lib", "proc-macro") === true) entries.push("cargo:proc-macro");
  if (textsOf(member(manifest, "lib", "crate-type")).includes("cdylib"))
    entries.push("cargo:cdylib");
  if (isPresent(member(manifest, "package", "metadata", "binstall")))
    entries.push("cargo:binstall");
  entries.push(isWithheld ? "cargo:unpublished" : "");
  const isOffered = ["license", "license-file", "repository"].some((key) =>
    isPresent(member(manifest, "package", key)),
  );
  // Without a version a crate cannot be on a registry.
  if (isOffered && !isWithheld && isPresent(member(manifest, "package", "version"))) {
    entries.push("cargo:published");
  }
  return entries.filter((entry) => entry !== "");
};
