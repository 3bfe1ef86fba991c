import type { Dependency, ManifestReader } from "./types.ts";
import { linesOf, nameAndDescription } from "./values.ts";

export const gemfile: ManifestReader = {
  files: "Gemfile gems.rb",
  read: (text) => {
    const dependencies: Dependency[] = [];
    let isForDevelopment = false;
    for (const line of linesOf(text, "#")) {
      if (/^group\b/.test(line)) isForDevelopment = !/:production|:default/.test(line);
      else if (line === "end") isForDevelopment = false;
      const name = /^gem[\s(]+["']([\w.-]+)["']/.exec(line)?.[1];
      const isDev = isForDevelopment || /group:\s*\[?:(?:test|development)/.test(line);
      if (name)
        dependencies.push({ ecosystem: "gems", name, ...(isDev && { use: "dev" as const }) });
    }
    return { ecosystem: "bundler", isPackage: true, dependencies };
  },
};

export const gemspec: ManifestReader = {
  files: "*.gemspec",
  read: (text) => {
    const dependencies: Dependency[] = [];
    for (const match of text.matchAll(
      /\.add_(runtime_|development_)?dependency[\s(]+["']([\w.-]+)["']/g,
    )) {
      const isDev = match[1] === "development_";
      dependencies.push({
        ecosystem: "gems",
        name: match[2] ?? "",
        ...(isDev && { use: "dev" as const }),
      });
    }
    const value = (key: string) =>
      new RegExp(`\\.${key}\\s*=\\s*["']([^"'\\n]+)["']`).exec(text)?.[1];
    return {
      ecosystem: "bundler",
      isPackage: true,
      ...nameAndDescription(value("name"), value("summary") ?? value("description")),
      dependencies,
      entries: ["gems:gemspec", ...(/\.executables\b/.test(text) ? ["gems:executables"] : [])],
    };
  },
};
