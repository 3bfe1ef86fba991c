import type { Dependency, ManifestReader } from "./types.ts";
import { dependenciesOf, keysOf, linesOf, member, parseToml, textOf } from "./values.ts";

/** A program, read line by line for what nearly everybody writes in the same way. */
export const gradleBuild: ManifestReader = {
  files: "build.gradle build.gradle.kts",
  read: (text) => {
    const dependencies: Dependency[] = [];
    const entries: string[] = [];
    for (const line of linesOf(text, "//")) {
      const plugin =
        /\bid\s*(?:\(\s*)?["']([\w.-]+)["']|apply\s+plugin:\s*["']([\w.-]+)["']|^`?([\w-]+)`?$/.exec(
          line,
        );
      const id = plugin?.[1] ?? plugin?.[2] ?? plugin?.[3] ?? kotlinPlugin(line);
      // `apply false` in the root only names the version for the parts.
      if (id && !/\bapply\s*(?:\(\s*)?false/.test(line)) {
        dependencies.push({ ecosystem: "gradle", name: id });
        if (id === "com.android.application") entries.push("gradle:android-application");
        if (id === "application" || id === "org.springframework.boot")
          entries.push("gradle:application");
        if (id === "java-library" || id === "com.android.library") entries.push("gradle:library");
      }
      const dependency =
        /^(\w*(?:[iI]mplementation|[aA]pi|compileOnly|compile|runtimeOnly|modImplementation|kapt|ksp))\b\s*(?:\(\s*)?(?:platform\()?["']([\w.-]+):([\w.-]+)/.exec(
          line,
        );
      if (dependency?.[1]) {
        const isTest = /test/i.test(dependency[1]);
        dependencies.push({
          ecosystem: "maven",
          name: `${dependency[2]}:${dependency[3]}`,
          ...(isTest && { use: "dev" as const }),
        });
      }
      if (/libs\.plugins\.android\.application\b/.test(line) && !/apply\s+false/.test(line)) {
        entries.push("gradle:android-application");
      }
    }
    return { ecosystem: "gradle", isPackage: true, dependencies, entries };
  },
};

const kotlinPlugin = (line: string): string | undefined => {
  const name = /^kotlin\(\s*["']([\w.-]+)["']/.exec(line)?.[1];
  return name && `org.jetbrains.kotlin.${name}`;
};

export const gradleSettings: ManifestReader = {
  files: "settings.gradle settings.gradle.kts",
  read: (text) => {
    const includes = linesOf(text, "//").filter((line) => /^["':]|\binclude\b/.test(line));
    const names = includes.flatMap((line) => [...line.matchAll(/["']:?([\w:./-]+)["']/g)]);
    return {
      ecosystem: "gradle",
      members: names.map((match) => (match[1] ?? "").replaceAll(":", "/")),
    };
  },
};

/** `gradle/libs.versions.toml`: what the parts refer to by short names. */
export const gradleCatalog: ManifestReader = {
  files: "gradle/libs.versions.toml",
  read: async (text) => {
    const catalog = await parseToml(text);
    const libraries = member(catalog, "libraries");
    const names = keysOf(libraries).flatMap((key) => {
      const entry = member(libraries, key);
      const module = textOf(entry) ?? textOf(member(entry, "module"));
      const group = textOf(member(entry, "group"));
      if (module) return [module.split(":").slice(0, 2).join(":")];
      return group ? [`${group}:${textOf(member(entry, "name")) ?? ""}`] : [];
    });
    // Listed is not used: some of them serve tests or a single part.
    return { ecosystem: "gradle", dependencies: dependenciesOf("maven", names, "optional") };
  },
};
