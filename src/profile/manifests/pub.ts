import type { ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  isPresent,
  keysOf,
  member,
  nameAndDescription,
  parseYaml,
  textsOf,
} from "./values.ts";

export const pubspec: ManifestReader = {
  files: "pubspec.yaml",
  read: async (text) => {
    const manifest = await parseYaml(text);
    const isWithheld = member(manifest, "publish_to") === "none";
    return {
      ecosystem: "pub",
      isPackage: true,
      ...nameAndDescription(member(manifest, "name"), member(manifest, "description")),
      dependencies: [
        ...dependenciesOf("pub", keysOf(member(manifest, "dependencies"))),
        ...dependenciesOf("pub", keysOf(member(manifest, "dev_dependencies")), "dev"),
      ],
      keywords: textsOf(member(manifest, "topics")),
      entries: !isWithheld && isPresent(member(manifest, "repository")) ? ["pub:library"] : [],
      members: textsOf(member(manifest, "workspace")),
    };
  },
};
