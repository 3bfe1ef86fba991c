/** Parsers that have nothing to do with the gate's own. What is not on the machine is said, not guessed. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parse } from "@babel/parser";
import type { Oracle } from "../types.ts";
import { LineProcess } from "./line-process.ts";

const here = import.meta.dirname;

export const openOracle = (language: string): Oracle | undefined => makers[language]?.();

/** Text for programs that read UTF-8 only. */
const plain = (content: Buffer): string => {
  if (content[0] === 0xff && content[1] === 0xfe) return content.toString("utf16le").slice(1);
  const text = content.toString("utf8");
  return (Buffer.from(text).equals(content) ? text : content.toString("latin1")).replace(
    /^\ufeff/,
    "",
  );
};

const versionOf = (file: string, ...args: string[]): string | undefined => {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) return undefined;
  return `${stdout}${stderr}`.split("\n")[0]?.trim();
};

/** The newest CPython: the gate knows the newest syntax. */
export const findPython = (): Interpreter | undefined => (python ??= [newestPython()])[0];

interface Interpreter {
  readonly file: string;
  readonly version: string;
}
let python: [Interpreter | undefined] | undefined;

const newestPython = (): Interpreter | undefined => {
  const managed = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions");
  const installed = existsSync(managed)
    ? readdirSync(managed).map((name) => join(managed, name, "bin/python3"))
    : [];
  const names = [16, 15, 14, 13, 12].map((minor) => `python3.${minor}`);
  const found = [...installed.filter((file) => existsSync(file)), ...names, "python3"].flatMap(
    (file) => {
      const version = versionOf(file, "--version")?.replace(/^Python /, "");
      return version?.startsWith("3.") ? [{ file, version }] : [];
    },
  );
  const minor = ({ version }: { version: string }): number => Number(version.split(".")[1]);
  return found.toSorted((a, b) => minor(b) - minor(a))[0];
};

const askedBy = (
  name: string,
  start: () => LineProcess,
  question: (content: Buffer, path: string) => object = (content) => ({
    content: Buffer.from(plain(content)).toString("base64"),
  }),
): Oracle => {
  const program = start();
  return {
    name,
    judge: async (content, path) => {
      const answer = await program.ask(question(content, path));
      return typeof answer === "boolean" ? answer : undefined;
    },
    close: () => program.close(),
  };
};

/** A program that is started for each content and reads it from standard input. */
const startedBy = (
  name: string,
  file: string,
  args: (path: string, place: string) => readonly string[],
  read: (status: number | null, output: string) => boolean | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Oracle => ({
  name,
  judge: (content, path, place) =>
    new Promise((resolve) => {
      const child = spawn(file, args(path, place), { stdio: ["pipe", "ignore", "pipe"], env });
      let output = "";
      child.stderr.on("data", (part: Buffer) => (output += part.toString()));
      child.stdin.on("error", () => undefined);
      child.on("error", () => resolve(undefined));
      child.on("close", (status) => resolve(read(status, output)));
      child.stdin.end(plain(content));
    }),
  close: () => undefined,
});

const scriptKinds = (path: string): string[] => {
  if (/\.m[jt]s$/.test(path)) return ["module"];
  return path.endsWith(".cjs") ? ["commonjs"] : ["module", "commonjs", "script"];
};

/** Babel knows fewer of TypeScript's own errors than its compiler: where they differ, that one is asked. */
const askCompiler = (text: string, path: string): boolean | undefined => {
  const tsc = join(here, "../../node_modules/typescript/bin/tsc");
  if (!existsSync(tsc)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "headgate-eval-"));
  try {
    const file = join(folder, basename(path));
    writeFileSync(file, text);
    const args = [
      "--noEmit",
      "--noResolve",
      "--ignoreConfig",
      "--target",
      "esnext",
      "--jsx",
      "preserve",
    ];
    const { stdout } = spawnSync(process.execPath, [tsc, ...args, file], {
      cwd: folder,
      encoding: "utf8",
    });
    // Numbers below 2000 are about grammar, but for these few about modules and settings; so are the
    // ones about bodies that are missing or stand twice.
    const about = stdout.replaceAll(/error TS1(?:208|479|286|259|192|205|371|219):/g, "");
    return !/error TS(?:1\d{3}|239[0-3]):/.test(about);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const babel = (isTsx: boolean): Oracle => ({
  name: "@babel/parser; TypeScript 7 where the two differ",
  second: async (content, path) => askCompiler(plain(content), path),
  judge: async (content, path) => {
    const text = plain(content);
    const isDeclaration = /\.d\.[cm]?ts$/.test(path);
    try {
      parse(text, {
        sourceType: "unambiguous",
        plugins: [
          ["typescript", { dts: isDeclaration }],
          "decorators",
          ...(isTsx ? (["jsx"] as const) : []),
        ],
      });
      return true;
    } catch (error) {
      return error instanceof SyntaxError ? false : undefined;
    }
  },
  close: () => undefined,
});

const compiler =
  (file: string, language: string): (() => Oracle | undefined) =>
  () => {
    const version = versionOf(file, "--version");
    if (version === undefined) return undefined;
    return startedBy(
      version,
      file,
      (_path, place) => ["-fsyntax-only", "-w", "-x", language, ...includesOf(place), "-"],
      (status, output) => {
        if (status === 0) return true;
        // Only what the parser says counts: missing headers and types are another matter.
        return parserWords.test(output) ? false : undefined;
      },
      { ...process.env, LC_ALL: "C" },
    );
  };

const parserWords =
  /error: (?:expected|stray|missing terminating|unterminated|.*before .* token|.*at end of input|.*without a previous|too many decimal|invalid suffix|extraneous)/;

const includesOf = (place: string): string[] => {
  const folders = [
    dirname(place),
    dirname(dirname(place)),
    join(dirname(dirname(place)), "include"),
  ];
  return folders.flatMap((folder) => ["-iquote", folder]);
};

/** The parser lets an arm of a match pass without a value; the next step of the compiler does not. */
const hasAllArms = (
  content: Buffer,
  how: readonly string[],
  env: NodeJS.ProcessEnv,
): boolean | undefined => {
  const { status, stdout } = spawnSync("rustc", ["-Zunpretty=ast-tree", ...how], {
    input: plain(content),
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env,
  });
  if (status !== 0) return undefined;
  let arms: number[] = [];
  for (const line of stdout.split("\n")) {
    const indent = line.search(/\S/);
    arms = arms.filter((arm) => arm < indent);
    if (line.endsWith(" Arm {")) arms.push(indent);
    if (line.trim() === "body: None," && arms.at(-1) === indent - 4) return false;
  }
  return true;
};

const makers: Readonly<Record<string, () => Oracle | undefined>> = {
  yaml: () => {
    const version = versionOf("python3", "-c", "import yaml; print('PyYAML', yaml.__version__)");
    if (version === undefined) return undefined;
    const script = "import sys, yaml; list(yaml.parse(sys.stdin.buffer.read()))";
    return startedBy(
      version,
      "python3",
      () => ["-c", script],
      (status, output) => (status === 0 ? true : /^yaml\./m.test(output) ? false : undefined),
    );
  },
  python: () => {
    const newest = findPython();
    return (
      newest &&
      askedBy(
        `CPython ${newest.version}`,
        () => new LineProcess(newest.file, [join(here, "python.py")]),
        (content) => ({ do: "compile", content: content.toString("base64") }),
      )
    );
  },
  javascript: () =>
    askedBy(
      `V8 of Node ${process.version.slice(1)}`,
      () =>
        new LineProcess(process.execPath, [
          "--experimental-vm-modules",
          "--no-warnings",
          join(here, "v8.mjs"),
        ]),
      (content, path) => ({
        content: Buffer.from(plain(content)).toString("base64"),
        kinds: scriptKinds(path),
      }),
    ),
  typescript: () => babel(false),
  tsx: () => babel(true),
  go: () => {
    const version = versionOf("go", "version") ?? versionOf("gofmt", "-h");
    if (version === undefined && spawnSync("gofmt", [], { input: "" }).error) return undefined;
    const name = `gofmt ${/go[\d.]+/.exec(version ?? "")?.[0] ?? ""}`.trim();
    return startedBy(
      name,
      "gofmt",
      () => ["-e"],
      (status) => status === 0,
    );
  },
  java: () => {
    const version = versionOf("javac", "-version");
    if (version === undefined || versionOf("java", "-version") === undefined) return undefined;
    return askedBy(version, () => new LineProcess("java", [join(here, "JavaParse.java")]));
  },
  ruby: () => {
    const version = versionOf("ruby", "--version");
    if (version === undefined) return undefined;
    const name = /^ruby [\d.]+/.exec(version)?.[0] ?? version;
    return askedBy(name, () => new LineProcess("ruby", [join(here, "ruby.rb")]));
  },
  php: () => {
    const version = versionOf("php", "--version");
    if (version === undefined) return undefined;
    const name = /^PHP [\d.]+/.exec(version)?.[0] ?? version;
    return askedBy(name, () => new LineProcess("php", [join(here, "php.php")]));
  },
  rust: () => {
    const version = versionOf("rustc", "--version");
    if (version === undefined) return undefined;
    const env = { ...process.env, RUSTC_BOOTSTRAP: "1" };
    const how = ["--edition", "2021", "--crate-type", "lib", "-"];
    const parser = startedBy(
      version.split(" ").slice(0, 2).join(" "),
      "rustc",
      () => ["-Zparse-crate-root-only", ...how],
      (status) => status === 0,
      env,
    );
    return { ...parser, second: async (content) => hasAllArms(content, how, env) };
  },
  c: compiler("gcc", "c"),
  cpp: compiler("g++", "c++"),
};
