import { limits } from "../../base/limits.ts";
import type { Dependency, ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  isPresent,
  keysOf,
  linesOf,
  member,
  nameAndDescription,
  parseToml,
  parseYaml,
  listOf,
  textsOf,
} from "./values.ts";

export const pyproject: ManifestReader = {
  files: "pyproject.toml",
  read: async (text) => {
    const manifest = await parseToml(text);
    const own = member(manifest, "project");
    const poetry = member(manifest, "tool", "poetry");
    const isPackage = own !== undefined || poetry !== undefined;
    return {
      ecosystem: "python",
      isPackage,
      ...nameAndDescription(
        member(own, "name") ?? member(poetry, "name"),
        member(own, "description") ?? member(poetry, "description"),
      ),
      dependencies: dependenciesIn(manifest),
      keywords: [...textsOf(member(own, "keywords")), ...textsOf(member(poetry, "keywords"))],
      categories: classifiers([
        ...textsOf(member(own, "classifiers")),
        ...textsOf(member(poetry, "classifiers")),
      ]),
      entries: isPackage ? entriesOf(manifest) : [],
      members: [
        ...textsOf(member(manifest, "tool", "uv", "workspace", "members")),
        ...textsOf(member(manifest, "tool", "uv", "workspace", "exclude")).map((one) => `!${one}`),
      ],
    };
  },
};

const dependenciesIn = (manifest: unknown): Dependency[] => {
  const own = member(manifest, "project");
  const poetry = member(manifest, "tool", "poetry");
  const extras = member(own, "optional-dependencies");
  const groups = member(manifest, "dependency-groups");
  const poetryGroups = member(poetry, "group");
  return [
    ...requirements(textsOf(member(own, "dependencies"))),
    ...keysOf(extras).flatMap((key) => requirements(textsOf(member(extras, key)), extraUse(key))),
    ...keysOf(groups).flatMap((key) => requirements(textsOf(member(groups, key)), "dev")),
    ...requirements(keysOf(member(poetry, "dependencies"))),
    ...requirements(keysOf(member(poetry, "dev-dependencies")), "dev"),
    ...keysOf(poetryGroups).flatMap((key) =>
      requirements(keysOf(member(poetryGroups, key, "dependencies")), "dev"),
    ),
    ...requirements(textsOf(member(manifest, "tool", "uv", "dev-dependencies")), "dev"),
  ];
};

const entriesOf = (manifest: unknown): string[] => {
  const own = member(manifest, "project");
  const poetry = member(manifest, "tool", "poetry");
  const hasScripts = [member(own, "scripts"), member(poetry, "scripts")].some(
    (table) => keysOf(table).length > 0,
  );
  const isBuilt = isPresent(member(manifest, "build-system"));
  const classified = [
    ...textsOf(member(own, "classifiers")),
    ...textsOf(member(poetry, "classifiers")),
  ];
  return [
    ...(hasScripts ? ["python:scripts"] : []),
    ...(keysOf(member(own, "gui-scripts")).length > 0 ? ["python:gui-scripts"] : []),
    ...(isBuilt && !hasScripts ? ["python:library"] : []),
    ...(isBuilt && isPublic(classified) ? ["python:published"] : []),
  ];
};

/** Classifiers are written for the index of packages; a project of one's own has none. */
const isPublic = (classified: readonly string[]): boolean =>
  classified.length > 0 && !classified.some((one) => one.startsWith("Private ::"));

const classifiers = (names: readonly string[]): string[] => names.map((name) => `python:${name}`);
const extraUse = (name: string): "dev" | "optional" =>
  /^(?:dev|test|tests|testing|lint|docs?|typing|ci|build|benchmark)/.test(name)
    ? "dev"
    : "optional";

/** Names as the index writes them: `Flask_SQLAlchemy[async]>=3` is `flask-sqlalchemy`. */
const requirements = (texts: readonly string[], use?: "dev" | "optional"): Dependency[] =>
  dependenciesOf(
    "pypi",
    texts.flatMap((text) => {
      const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(text)?.[1];
      return name && name !== "python" ? [name.toLowerCase().replaceAll("_", "-")] : [];
    }),
    use,
  );

const isForDevelopment = (path: string): boolean =>
  /(?:dev|test|lint|docs?|ci|build|typing|benchmark)[^/]*$/i.test(path);

export const requirementsTxt: ManifestReader = {
  files: "requirements*.txt requirements/*.txt",
  read: (text, path) => {
    const lines = linesOf(chosen(text), "#").filter((line) => !line.startsWith("-"));
    if (/constraints/.test(path)) return { ecosystem: "python" };
    const use = isForDevelopment(path) ? "dev" : undefined;
    const isPackage = path === "requirements.txt" || path.endsWith("/requirements.txt");
    return { ecosystem: "python", isPackage, dependencies: requirements(lines, use) };
  },
};

export const setupCfg: ManifestReader = {
  files: "setup.cfg",
  read: (text) => {
    const sections = iniSections(text);
    const at = (section: string, key: string): string[] => sections.get(section)?.get(key) ?? [];
    const classified = at("metadata", "classifiers");
    const scripts = at("options.entry_points", "console_scripts");
    const extras = [...(sections.get("options.extras_require") ?? [])];
    const name = at("metadata", "name")[0];
    return {
      ecosystem: "python",
      isPackage: name !== undefined,
      ...nameAndDescription(name, at("metadata", "description")[0]),
      dependencies: [
        ...requirements(at("options", "install_requires")),
        ...extras.flatMap(([extra, lines]) => requirements(lines, extraUse(extra))),
      ],
      categories: classifiers(classified),
      entries: [
        ...(scripts.length > 0 ? ["python:scripts"] : name === undefined ? [] : ["python:library"]),
        ...(isPublic(classified) ? ["python:published"] : []),
      ],
    };
  },
};

/**
 * Lists that a resolver wrote name everything, each with who asked for it (`# via …`). What only other
 * packages asked for says nothing about this project.
 */
const chosen = (text: string): string => {
  if (!/^[^\S\n]*# +via\b/m.test(text)) return text;
  return text
    .split(/\n(?=[A-Za-z0-9])/)
    .filter(
      (entry) => !entry.includes("# ") || /#\s+(?:via\s+)?(?:-r |\S+ \(pyproject)/.test(entry),
    )
    .join("\n");
};

/** Sections of an ini file; a value may go on over indented lines. */
const iniSections = (text: string): Map<string, Map<string, string[]>> => {
  const sections = new Map<string, Map<string, string[]>>();
  let section = new Map<string, string[]>();
  let values: string[] = [];
  for (const line of text.split("\n", limits.profileNamesMax)) {
    const header = /^\[([^\]]+)\]/.exec(line);
    const setting = /^([A-Za-z0-9_.-]+)\s*[=:](.*)$/.exec(line);
    if (header?.[1]) sections.set(header[1], (section = new Map()));
    else if (setting?.[1]) {
      section.set(setting[1], (values = []));
      if (setting[2]?.trim()) values.push(setting[2].trim());
    } else if (/^\s+\S/.test(line) && !/^\s*[#;]/.test(line)) values.push(line.trim());
  }
  return sections;
};

/** A program, read for its plainest parts: what stands in lists of text. */
export const setupPy: ManifestReader = {
  files: "setup.py",
  read: (text) => {
    const list = (key: string): string[] => {
      const body = new RegExp(`\\b${key}\\s*=\\s*\\[([^\\]]{0,20000})\\]`).exec(text)?.[1] ?? "";
      return [...body.matchAll(/["']([^"'\n]+)["']/g)].map((match) => match[1] ?? "");
    };
    const single = (key: string) =>
      new RegExp(`\\b${key}\\s*=\\s*["']([^"'\\n]+)["']`).exec(text)?.[1];
    const classified = list("classifiers");
    const hasScripts = /console_scripts|\bscripts\s*=/.test(text);
    return {
      ecosystem: "python",
      isPackage: true,
      ...nameAndDescription(single("name"), single("description")),
      dependencies: requirements(list("install_requires")),
      categories: classifiers(classified),
      entries: [
        hasScripts ? "python:scripts" : "python:library",
        ...(isPublic(classified) ? ["python:published"] : []),
      ],
    };
  },
};

export const pipfile: ManifestReader = {
  files: "Pipfile",
  read: async (text) => {
    const manifest = await parseToml(text);
    return {
      ecosystem: "python",
      isPackage: true,
      dependencies: [
        ...requirements(keysOf(member(manifest, "packages"))),
        ...requirements(keysOf(member(manifest, "dev-packages")), "dev"),
      ],
    };
  },
};

export const condaEnvironment: ManifestReader = {
  files: "environment.yml environment.yaml",
  read: async (text) => {
    const manifest = await parseYaml(text);
    const list = listOf(member(manifest, "dependencies"));
    const pip = list.flatMap((one) => textsOf(member(one, "pip")));
    const plain = list.filter((one): one is string => typeof one === "string");
    return {
      ecosystem: "python",
      dependencies: requirements([
        ...plain.map((name) => name.replace(/^pytorch\b/, "torch")),
        ...pip,
      ]),
    };
  },
};
