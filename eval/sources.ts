/** Real sources, wherever this machine has some. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { findPython } from "./oracles/index.ts";

export interface Found {
  readonly files: readonly string[];
  /** What was looked at and how many files it had. */
  readonly said: readonly string[];
  /** Removes what had to be unpacked. */
  close(): void;
}

const root = resolve(import.meta.dirname, "..");
const home = (...names: string[]): string => join(homedir(), ...names);

const say = (file: string, ...args: string[]): string[] => {
  const { status, stdout } = spawnSync(file, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
};

const nodePackages = (): string[] => [
  join(root, "node_modules"),
  resolve(dirname(realpathSync(process.execPath)), "../lib/node_modules"),
  "/usr/lib/node_modules",
  "/usr/local/lib/node_modules",
];

const endings: Readonly<Record<string, RegExp>> = {
  python: /\.py$/,
  javascript: /(?<!\.min)\.[cm]?js$/,
  typescript: /\.[cm]?ts$/,
  tsx: /\.tsx$/,
  go: /\.go$/,
  java: /\.java$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  rust: /\.rs$/,
  csharp: /\.cs$/,
  c: /\.[ch]$/,
  cpp: /\.(cc|cpp|cxx|hpp|hh)$/,
};

export const languages = Object.keys(endings);

const places: Readonly<Record<string, (unpack: (archive: string) => string[]) => string[]>> = {
  python: () => {
    const python = findPython();
    const ask = 'import sysconfig; print(sysconfig.get_paths()["stdlib"])';
    return python ? say(python.file, "-c", ask) : [];
  },
  javascript: nodePackages,
  typescript: () => [join(root, "src"), ...nodePackages()],
  tsx: nodePackages,
  go: () =>
    say("go", "env", "GOROOT", "GOMODCACHE").flatMap((folder) => {
      const inner = join(folder, "src");
      return existsSync(inner) ? [realpathSync(inner)] : [folder];
    }),
  java: (unpack) => {
    const [javac] = say("which", "javac");
    const jvms = "/usr/lib/jvm";
    const homes = [
      process.env["JAVA_HOME"] ?? "",
      javac ? resolve(dirname(realpathSync(javac)), "..") : "",
      ...(existsSync(jvms) ? readdirSync(jvms).map((name) => join(jvms, name)) : []),
    ];
    const archive = homes.map((one) => join(one, "lib/src.zip")).find((one) => existsSync(one));
    return archive ? unpack(archive) : [];
  },
  ruby: () => say("ruby", "-e", 'puts RbConfig::CONFIG["rubylibdir"], Gem.dir, Gem.default_dir'),
  php: () => [
    "/usr/share/php",
    ...say("php", "-r", 'echo str_replace(":", "\\n", get_include_path());'),
  ],
  rust: () => [
    ...say("rustc", "--print", "sysroot").map((folder) => join(folder, "lib/rustlib/src")),
    home(".cargo/registry/src"),
  ],
  csharp: () => [home(".nuget/packages")],
  c: () => ["/usr/include", "/usr/src"],
  cpp: () => ["/usr/include/c++", "/usr/src"],
};

export const findSources = (language: string, extra: readonly string[]): Found => {
  const unpacked: string[] = [];
  const unpack = (archive: string): string[] => {
    const folder = mkdtempSync(join(tmpdir(), "headgate-eval-"));
    unpacked.push(folder);
    const wanted = ["java.base/java/util/*", "java.base/java/io/*", "java.base/java/net/*"];
    const { status } = spawnSync("unzip", ["-q", archive, ...wanted, "-d", folder]);
    if (status !== 0) spawnSync("jar", ["xf", archive, "java.base"], { cwd: folder });
    return [folder];
  };
  const given = (process.env["HEADGATE_EVAL_SOURCES"] ?? "").split(delimiter);
  const asked = [...(places[language]?.(unpack) ?? []), ...given, ...extra];
  const folders = [...new Set(asked)].filter((folder) => folder !== "" && folder !== ".");
  const said: string[] = [];
  const files = folders.flatMap((folder) => {
    const inside = existsSync(folder) ? walk(folder, endings[language]!) : [];
    const shown = unpacked.includes(folder) ? "the JDK's sources" : folder.replace(homedir(), "~");
    said.push(`${shown}: ${inside.length > 0 ? `${inside.length} files` : "nothing"}`);
    return inside;
  });
  return {
    files: [...new Set(files)],
    said,
    close: () => unpacked.forEach((folder) => rmSync(folder, { recursive: true })),
  };
};

const entriesMax = 60_000;

const walk = (folder: string, ending: RegExp): string[] => {
  const found: string[] = [];
  const open = [folder];
  let seen = 0;
  for (let at = open.pop(); at !== undefined && seen < entriesMax; at = open.pop()) {
    const entries = readEntries(at).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      seen += 1;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (![".git", "__pycache__", "testdata"].includes(entry.name)) open.push(path);
      } else if (entry.isFile() && ending.test(entry.name)) found.push(path);
    }
  }
  return found;
};

const readEntries = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

/** Written by people, of a size that people edit; undefined for the rest. */
export const readSource = (place: string): { bytes: Buffer; text: string } | undefined => {
  const bytes = readFileSync(place);
  if (bytes.length < 200 || bytes.length > 60_000) return undefined;
  const text = bytes.toString("utf8");
  if (text.includes("\0") || text.startsWith("\ufeff") || !Buffer.from(text).equals(bytes)) {
    return undefined;
  }
  const lines = text.split("\n");
  if (bytes.length / lines.length > 120 || lines.some((line) => line.length > 1000))
    return undefined;
  return { bytes, text };
};
