import type { ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  isPresent,
  keysOf,
  member,
  nameAndDescription,
  parseJson,
  textOf,
  textsOf,
} from "./values.ts";

export const composerJson: ManifestReader = {
  files: "composer.json",
  read: async (text) => {
    const manifest = await parseJson(text);
    const type = textOf(member(manifest, "type")) ?? "library";
    const isNamed = isPresent(member(manifest, "name"));
    return {
      ecosystem: "composer",
      isPackage: true,
      ...nameAndDescription(member(manifest, "name"), member(manifest, "description")),
      dependencies: [
        ...dependenciesOf("composer", keysOf(member(manifest, "require"))),
        ...dependenciesOf("composer", keysOf(member(manifest, "require-dev")), "dev"),
      ],
      keywords: textsOf(member(manifest, "keywords")),
      entries: [
        ...(isPresent(member(manifest, "bin")) ? ["composer:bin"] : []),
        ...(type === "project" ? ["composer:project"] : isNamed ? ["composer:library"] : []),
      ],
    };
  },
};
