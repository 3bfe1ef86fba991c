import { limits } from "../../base/limits.ts";
import type { ManifestReader } from "./types.ts";
import { dependenciesOf } from "./values.ts";

export const goMod: ManifestReader = {
  files: "go.mod",
  read: (text) => {
    const names: string[] = [];
    let isInside = false;
    let name: string | undefined;
    for (const line of text.split("\n", limits.profileNamesMax)) {
      const words = line.trim().split(/\s+/);
      // What other modules bring along says nothing about this one.
      const isIndirect = line.includes("// indirect");
      if (words[0] === "module") name = words[1];
      else if (words[0] === "require" && words[1] === "(") isInside = true;
      else if (words[0] === ")") isInside = false;
      else if (isInside && !isIndirect && words[0]) names.push(words[0]);
      else if (words[0] === "require" && words[1] && !isIndirect) names.push(words[1]);
    }
    return {
      ecosystem: "go",
      isPackage: true,
      ...(name !== undefined && { name: withoutVersion(name) }),
      dependencies: dependenciesOf("go", names.map(withoutVersion)),
    };
  },
};

export const goWork: ManifestReader = {
  files: "go.work",
  read: (text) => {
    const members: string[] = [];
    let isInside = false;
    for (const line of text.split("\n", limits.profileNamesMax)) {
      const words = line
        .replace(/\/\/.*$/s, "")
        .trim()
        .split(/\s+/);
      if (words[0] === "use" && words[1] === "(") isInside = true;
      else if (words[0] === ")") isInside = false;
      else if (isInside && words[0]) members.push(words[0]);
      else if (words[0] === "use" && words[1]) members.push(words[1]);
    }
    return { ecosystem: "go", members };
  },
};

/** `example.org/x/v2` is the second version of the same thing. */
const withoutVersion = (name: string): string => name.replace(/\/v\d+$/, "");
