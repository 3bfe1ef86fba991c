import type { Dependency, ManifestReader } from "./types.ts";
import { nameAndDescription } from "./values.ts";
import { xmlElements } from "./xml.ts";

export const pomXml: ManifestReader = {
  files: "pom.xml",
  read: (text) => {
    const elements = xmlElements(text);
    const one = (path: string) => elements.find((element) => element.path === path)?.text;
    const packaging = one("project/packaging") ?? "jar";
    const dependencies = coordinates(elements);
    const isStarted = dependencies.some(({ name }) =>
      /:(?:spring-boot-maven-plugin|maven-war-plugin)$/.test(name),
    );
    const isPublished = elements.some(
      ({ path }) => path === "project/licenses" || path === "project/scm",
    );
    return {
      ecosystem: "maven",
      isPackage: true,
      ...nameAndDescription(
        one("project/artifactId"),
        one("project/description") ?? one("project/name"),
      ),
      dependencies,
      entries: [
        ...(packaging === "jar" && !isStarted && isPublished ? ["maven:library"] : []),
        ...(packaging === "pom" && isPublished ? ["maven:library"] : []),
        ...(elements.some(({ path }) => path.endsWith("/mainClass")) ? ["maven:main-class"] : []),
      ],
      members: elements
        .filter(({ path }) => path === "project/modules/module")
        .map((element) => element.text),
    };
  },
};

/** Dependencies and plugins come group first, then artifact, inside one element. */
const coordinates = (elements: ReturnType<typeof xmlElements>): Dependency[] => {
  const found: Dependency[] = [];
  let group = "";
  let artifact = "";
  let scope = "";
  for (const { path, text } of elements) {
    if (path.endsWith("/groupId")) group = text;
    else if (path.endsWith("/artifactId")) artifact = text;
    else if (path.endsWith("/scope")) scope = text;
    else if (/\/(?:dependency|plugin|parent)$/.test(path)) {
      const name = `${group || "org.apache.maven.plugins"}:${artifact}`;
      if (!path.includes("dependencyManagement") && !path.includes("exclusion")) {
        found.push({ ecosystem: "maven", name, ...(scope === "test" && { use: "dev" as const }) });
      }
      group = artifact = scope = "";
    }
  }
  return found;
};
