import type { Dependency, ManifestReader } from "./types.ts";
import { linesOf, nameAndDescription } from "./values.ts";

export const mixExs: ManifestReader = {
  files: "mix.exs",
  read: (text) => {
    const dependencies: Dependency[] = [];
    const lines = linesOf(text, "#");
    for (const line of lines) {
      const name = /^\[?\s*\{:(\w+)\s*,/.exec(line)?.[1];
      const isDev = /only:\s*\[?:(?:dev|test)/.test(line);
      if (name)
        dependencies.push({ ecosystem: "hex", name, ...(isDev && { use: "dev" as const }) });
    }
    const plain = lines.join("\n");
    return {
      ecosystem: "mix",
      isPackage: true,
      ...nameAndDescription(
        /\bapp:\s*:(\w+)/.exec(plain)?.[1],
        /\bdescription:\s*"([^"]+)"/.exec(plain)?.[1],
      ),
      dependencies,
      entries: [
        ...(/\bpackage:/.test(plain) ? ["mix:library"] : []),
        ...(/\bescript:/.test(plain) ? ["mix:escript"] : []),
      ],
    };
  },
};
