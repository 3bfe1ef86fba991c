/** Game engines and boards: the presence of these files says nearly everything. */
import type { ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  linesOf,
  keysOf,
  member,
  nameAndDescription,
  parseJson,
} from "./values.ts";

export const godotProject: ManifestReader = {
  files: "project.godot",
  read: (text) => ({
    ecosystem: "godot",
    isPackage: true,
    ...nameAndDescription(
      /^config\/name="([^"\n]+)"/m.exec(text)?.[1],
      /^config\/description="([^"]{1,500})/m.exec(text)?.[1],
    ),
    entries: ["godot:project"],
  }),
};

export const unityProject: ManifestReader = {
  files: "ProjectSettings/ProjectVersion.txt",
  read: () => ({ ecosystem: "unity", entries: ["unity:project"] }),
};

export const unityPackages: ManifestReader = {
  files: "Packages/manifest.json",
  read: async (text) => {
    const names = keysOf(member(await parseJson(text), "dependencies"));
    const isUnity = names.some((name) => name.startsWith("com.unity."));
    return { ecosystem: "unity", entries: isUnity ? ["unity:project"] : [] };
  },
};

export const unrealProject: ManifestReader = {
  files: "*.uproject",
  read: async (text) => {
    const manifest = await parseJson(text);
    return {
      ecosystem: "unreal",
      isPackage: true,
      ...nameAndDescription(undefined, member(manifest, "Description")),
      entries: ["unreal:project"],
    };
  },
};

export const platformio: ManifestReader = {
  files: "platformio.ini",
  read: (text) => {
    const lines = linesOf(text, ";").filter((line) => !line.startsWith("#"));
    const platforms = lines.flatMap((line) => /^platform\s*=\s*([\w./@-]+)/.exec(line)?.[1] ?? []);
    const names = platforms.map((name) => name.replace(/@.*$/s, "").replace(/^.*\//, ""));
    return {
      ecosystem: "platformio",
      isPackage: true,
      dependencies: dependenciesOf("platformio", names),
      entries: ["platformio:project"],
    };
  },
};
