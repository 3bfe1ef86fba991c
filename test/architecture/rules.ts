import { type Import, lineOf, type Node, type SourceFile } from "./source-tree.ts";

/**
 * The rules of docs/ARCHITECTURE.md as functions from a source file to its violations.
 * `uses` is the import direction: a room may import exactly the rooms listed for it.
 */
const uses: Record<string, readonly string[]> = {
  base: [],
  git: ["base"],
  config: ["base", "git"],
  state: ["base"],
  structure: ["base"],
  runners: ["base", "config", "state"],
  store: ["base", "config", "state", "structure"],
  notices: ["base", "store"],
  claims: ["base", "git", "config", "state", "structure", "store", "notices"],
};
uses["profile"] = uses["claims"]!;
uses["routing"] = uses["claims"]!;
uses["lines"] = [...uses["claims"]!, "claims"];
uses["gate"] = [...uses["claims"]!, "claims", "lines", "profile", "routing"];
uses["landing"] = [...uses["gate"]!, "gate"];
uses["reviewers"] = uses["gate"]!;
uses["edit"] = [...uses["gate"]!, "gate", "landing", "reviewers"];
uses["review"] = [...uses["edit"]!, "runners"];
uses["runs"] = [...uses["review"]!, "edit", "review"];
uses["verify"] = [...uses["runs"]!, "runs"];
uses["compose"] = [...uses["verify"]!, "verify"];
uses["surfaces"] = [...uses["compose"]!, "compose"];
uses["without-repository"] = ["gate", "structure"];
uses["index"] = [...uses["surfaces"]!, "without-repository"];

/** Where a thing that reaches outside the program may be used: its adapter. */
const adapters = {
  // The dashboard runs in a browser and has its own.
  clock: ["base/clock.ts", "surfaces/dashboard/browser.ts"],
  timers: [
    "base/clock.ts",
    "base/processes.ts",
    "base/process-group.ts",
    "base/loop-guard.ts",
    "base/loop-guard-thread.ts",
    "structure/parser-host.ts",
    "surfaces/dashboard/browser.ts",
  ],
  random: ["base/random.ts"],
  // A thread has no other way to print while the main one is stuck.
  files: ["base/files.ts", "base/folder-watch.ts", "base/loop-guard-thread.ts"],
  childProcess: [
    "base/processes.ts",
    "base/process-group.ts",
    "base/process-watcher.ts",
    "base/child-program.ts",
    "structure/parser-host.ts",
    "structure/checkers/server-program.ts",
  ],
  /** Programs of our own and of a package, with a channel or a group of their own; no shell either. */
  fork: ["structure/parser-host.ts", "structure/checkers/server-program.ts"],
  process: [
    "base/clock.ts",
    "base/environment.ts",
    "base/loop-guard-thread.ts",
    "base/process-descendants.ts",
    "base/process-group.ts",
    "base/process-watcher.ts",
    "base/process-identity.ts",
    "base/processes.ts",
    // A program of its own.
    "structure/worker/main.ts",
  ],
};

export interface Violation {
  readonly place: string;
  readonly problem: string;
}

type Rule = (file: SourceFile) => Violation[];

/** compose.ts loads a part of itself late. */
const roomOf = (path: string): string =>
  path
    .split("/")[0]!
    .replace(/\.ts$/, "")
    .replace(/^compose-\w+$/, "compose");
const isSurface = (path: string): boolean => path.startsWith("surfaces/");

const byImport =
  (check: (file: SourceFile, one: Import) => string | undefined): Rule =>
  (file) =>
    file.imports.flatMap((one) => {
      const problem = check(file, one);
      return problem ? [{ place: `${file.path}:${one.line}`, problem }] : [];
    });

const byNode =
  (check: (file: SourceFile, node: Node) => string | undefined): Rule =>
  (file) =>
    file.nodes.flatMap((node) => {
      const problem = check(file, node);
      return problem ? [{ place: `${file.path}:${lineOf(file.text, node.start)}`, problem }] : [];
    });

export const importDirection = byImport((file, one) => {
  if (one.specifier === "<computed>") return "imports a computed path";
  if (one.target === undefined) return undefined;
  if (one.target.startsWith("..")) return `imports ${one.specifier} from outside src`;
  const from = roomOf(file.path);
  const to = roomOf(one.target);
  if (from === to || to === "errors") return undefined;
  if (from === "errors" && to === "error-codes") return undefined;
  if (from === "errors" || from === "error-codes") return "the errors import nothing else";
  if (!uses[from]?.includes(to)) return `${from} must not import ${to}`;
  const isDoor =
    to === "base" ||
    to === "compose" ||
    to === "without-repository" ||
    one.target === `${to}/index.ts`;
  return isDoor ? undefined : `imports ${one.target} past the room's index.ts`;
});

/** The page is built for browsers: of the server it knows the shapes of its answers, and nothing else. */
export const dashboardAlone = byImport((file, one) => {
  const isPage = file.path.startsWith("surfaces/dashboard/");
  const toPage = one.target?.startsWith("surfaces/dashboard/") === true;
  if (!isPage) return toPage ? "imports the dashboard's page" : undefined;
  if (toPage) return undefined;
  if (one.target === undefined) {
    const isKnown = ["preact", "preact/hooks", "uplot"].includes(one.specifier);
    return isKnown ? undefined : `the page must not use ${one.specifier}`;
  }
  const isShape = /^surfaces\/http\/api\/(?:[a-z]+-shape|shapes)\.ts$/.test(one.target);
  return isShape && one.isTypeOnly ? undefined : `the page must not import ${one.target}`;
});

const isFreeIdentifier = (node: Node, name: string): boolean => {
  if (node.type !== "Identifier" || node["name"] !== name) return false;
  const { parent } = node;
  if (!parent) return true;
  const key = parent["childKey"];
  // `x.process`, `{ process: … }` and type members are names, not the global.
  if (parent.type === "MemberExpression" && key === "property" && !parent["computed"]) return false;
  if (
    /^(Property|PropertyDefinition|MethodDefinition|TSPropertySignature|TSMethodSignature)$/.test(
      parent.type,
    )
  ) {
    return key === "value" || parent["computed"] === true;
  }
  return true;
};

const isCallOf = (node: Node, object: string, property: string): boolean =>
  node.type === "MemberExpression" &&
  (node["object"] as Node)["name"] === object &&
  (node["property"] as Node)["name"] === property;

export const processAndConsole = byNode((file, node) => {
  const isConsole = isFreeIdentifier(node, "console");
  if (isConsole && !isSurface(file.path)) return "console outside surfaces";
  const isProcess = isFreeIdentifier(node, "process") || isCallOf(node, "globalThis", "process");
  if (isProcess && !isSurface(file.path) && !adapters.process.includes(file.path)) {
    return "process outside surfaces and its adapters";
  }
  return undefined;
});

export const hiddenInputs = byNode((file, node) => {
  const inClock = adapters.clock.includes(file.path);
  if (isCallOf(node, "Date", "now") && !inClock) return "Date.now outside base/clock.ts";
  if (isCallOf(node, "performance", "now") && !inClock)
    return "performance.now outside base/clock.ts";
  if (node.type === "NewExpression" && (node["callee"] as Node)["name"] === "Date") {
    if ((node["arguments"] as Node[]).length === 0 && !inClock)
      return "new Date() outside base/clock.ts";
  }
  if (isCallOf(node, "Math", "random") && !adapters.random.includes(file.path)) {
    return "Math.random outside base/random.ts";
  }
  for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
    if (isFreeIdentifier(node, name) && !adapters.timers.includes(file.path)) {
      return `${name} outside base/clock.ts`;
    }
  }
  return undefined;
});

export const outsideModules = byImport((file, one) => {
  const name = one.specifier.replace(/^node:/, "");
  if (/^fs(\/|$)/.test(name) && !adapters.files.includes(file.path)) {
    return "node:fs outside base/files.ts";
  }
  if (name === "child_process" && !adapters.childProcess.includes(file.path)) {
    return "child_process outside base/processes.ts";
  }
  if (name === "process" && !isSurface(file.path) && !adapters.process.includes(file.path)) {
    return "node:process outside surfaces and its adapters";
  }
  if (
    name === "child_process" &&
    one.names.some(
      (used) =>
        !["spawn", "spawnSync"].includes(used) &&
        !(["fork", "ChildProcess"].includes(used) && adapters.fork.includes(file.path)),
    )
  ) {
    return `child_process.${one.names.join(", ")}: only spawn with an argv array is allowed`;
  }
  if (name === "timers" || name === "timers/promises") return "timers outside base/clock.ts";
  return undefined;
});

/** Git is started in its own room only, where it is guarded. */
export const gitAlone = byNode((file, node) => {
  if (file.path.startsWith("git/") || node.type !== "CallExpression") return undefined;
  const [first] = node["arguments"] as Node[];
  const callee = node["callee"] as Node;
  const name = (callee["name"] ?? (callee["property"] as Node | undefined)?.["name"]) as string;
  const program = first?.type === "ArrayExpression" ? (first["elements"] as Node[])[0] : first;
  const isStart = /^(?:findProgram|run|runGroup|runToItsEnd|spawn|spawnSync|startConversation)$/;
  if (program?.["value"] !== "git" || !isStart.test(name)) return undefined;
  return "git is started outside src/git";
});

/** `spawn` with `shell`, `process.exit`, `eval` and friends, wherever they stand. */
export const shellsAndExits = byNode((file, node) => {
  // Elsewhere it is a word: which shell an agent uses. Only these files can start a program at all.
  const canStart = adapters.childProcess.includes(file.path);
  if (canStart && node.type === "Property" && (node["key"] as Node)["name"] === "shell") {
    if ((node["value"] as Node)["value"] !== false) return "a shell is never used";
  }
  if (isCallOf(node, "process", "exit") || isCallOf(node, "process", "abort"))
    return "process.exit";
  if (isCallOf(node, "process", "exitCode") && file.path !== "surfaces/cli/main.ts") {
    return "process.exitCode outside surfaces/cli/main.ts";
  }
  if (isCallOf(node, "process", "argv") && file.path !== "surfaces/cli/main.ts") {
    return "argv outside surfaces/cli/main.ts";
  }
  if (isFreeIdentifier(node, "eval") || isFreeIdentifier(node, "Function")) return "code from text";
  return undefined;
});

export const allRules: Record<string, Rule> = {
  importDirection,
  dashboardAlone,
  processAndConsole,
  hiddenInputs,
  outsideModules,
  gitAlone,
  shellsAndExits,
};
