import { relative, resolve, sep } from "node:path";
import type { Operation } from "../../../edit/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext, Option } from "../command.ts";
import {
  answerEdit,
  editOptions,
  given,
  noted,
  readCode,
  requestOf,
  typesOf,
} from "../edit-run.ts";
import { openFor } from "../open-for.ts";
import { requirePerson } from "../require-person.ts";
import { command as history } from "./history.ts";

const code: Readonly<Record<string, Option>> = {
  code: { type: "string", value: "TEXT", description: "The code; default: standard input" },
};
const beside: Readonly<Record<string, Option>> = {
  before: { type: "string", value: "SYMBOL", description: "Put it right before this one" },
  after: { type: "string", value: "SYMBOL", description: "Put it right behind this one" },
};

interface Form {
  readonly usage: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Names of the positional arguments; the last ones may be optional. */
  readonly names: readonly string[];
  readonly example: readonly [line: string, does: string];
  build(words: readonly string[], context: CommandContext): Promise<Operation> | Operation;
}

const placeOf = ({ flags }: CommandContext) => given(flags, "before", "after");
const intoOf = ({ flags }: CommandContext) => given(flags, "into");
const toFileOf = (to: string | undefined) => (to === undefined ? {} : { toFile: to });
const into: Option = {
  type: "string",
  value: "SYMBOL",
  description: "The class or block it goes into",
};

const forms: Readonly<Record<string, Form>> = {
  add: {
    usage: "edit add FILE [--into SYMBOL] [--before SYMBOL | --after SYMBOL] < CODE",
    summary: "Add a function, method, class or property where it belongs",
    options: { ...code, ...beside, into },
    names: ["FILE"],
    example: [
      "headgate edit add src/user.py --into User --code 'def name(self): return self._name' -y",
      "a new method",
    ],
    build: async ([file = ""], context) => ({
      do: "add",
      file,
      code: await readCode(context),
      ...intoOf(context),
      ...placeOf(context),
    }),
  },
  modify: {
    usage: "edit modify FILE SYMBOL < CODE",
    summary: "Put new code in the place of a symbol",
    options: code,
    names: ["FILE", "SYMBOL"],
    example: [
      "headgate edit modify src/user.py User.name --dry-run < new.py",
      "look at the diff first",
    ],
    build: async ([file = "", symbol = ""], context) => ({
      do: "modify",
      file,
      symbol,
      code: await readCode(context),
    }),
  },
  remove: {
    usage: "edit remove FILE SYMBOL",
    summary: "Remove a symbol with its doc comment and decorators",
    names: ["FILE", "SYMBOL"],
    example: [
      "headgate edit remove src/user.py User.legacy --yes",
      "gone, and undo brings it back",
    ],
    build: ([file = "", symbol = ""]) => ({ do: "remove", file, symbol }),
  },
  rename: {
    usage: "edit rename FILE SYMBOL NAME [--file-only | --force]",
    summary: "Rename a symbol and all that means it, in all files",
    options: {
      "file-only": { type: "boolean", description: "Leave all other files as they are" },
      force: {
        type: "boolean",
        description: "Rename what is certain, although other places may mean it (people only)",
      },
    },
    names: ["FILE", "SYMBOL", "NAME"],
    example: ["headgate edit rename src/user.py User.name full_name", "asks before it writes"],
    build: ([file = "", symbol = "", to = ""], { flags }) => ({
      ...{ do: "rename", file, symbol, to },
      ...(flags.has("file-only") && { fileOnly: true }),
      ...(flags.has("force") && { force: true }),
    }),
  },
  move: {
    usage: "edit move FILE SYMBOL [--to FILE] [--into SYMBOL] [--before SYMBOL | --after SYMBOL]",
    summary: "Move a symbol within its file or to another one",
    options: {
      ...beside,
      into,
      to: { type: "string", value: "FILE", description: "The other file; default: the same" },
    },
    names: ["FILE", "SYMBOL"],
    example: [
      "headgate edit move src/user.py helper --to src/helpers.py",
      "from one file to another",
    ],
    build: ([file = "", symbol = ""], context) => ({
      do: "move",
      file,
      symbol,
      ...toFileOf(context.flags.text("to")),
      ...intoOf(context),
      ...placeOf(context),
    }),
  },
  "add-import": {
    usage: "edit add-import FILE < CODE",
    summary: "Add an import among the imports",
    options: code,
    names: ["FILE"],
    example: ["headgate edit add-import src/user.py --code 'import re' -y", "at the right place"],
    build: async ([file = ""], context) => ({
      do: "add-import",
      file,
      code: await readCode(context),
    }),
  },
  "remove-import": {
    usage: "edit remove-import FILE MODULE [--name NAME]",
    summary: "Remove an import, or one name of it",
    options: { name: { type: "string", value: "NAME", description: "Only this name" } },
    names: ["FILE", "MODULE"],
    example: ["headgate edit remove-import src/user.py re -y", "the whole import"],
    build: ([file = "", from = ""], { flags }) => ({
      do: "remove-import",
      file,
      from,
      ...given(flags, "name"),
    }),
  },
  insert: {
    usage: "edit insert FILE (--before SYMBOL | --after SYMBOL) < CODE",
    summary: "Insert code before or behind a symbol",
    options: { ...code, ...beside },
    names: ["FILE"],
    example: [
      "headgate edit insert src/user.py --before User --code '# people' -y",
      "a line of its own",
    ],
    build: async ([file = ""], context) => ({
      do: "insert",
      file,
      code: await readCode(context),
      ...placeOf(context),
    }),
  },
  replace: {
    usage: "edit replace FILE --old TEXT --new TEXT [--nth N | --all]",
    summary: "Replace a text that occurs exactly once",
    options: {
      old: { type: "string", value: "TEXT", description: "What is there now" },
      new: { type: "string", value: "TEXT", description: "What shall be there" },
      nth: { type: "string", value: "N", description: "The Nth occurrence" },
      all: { type: "boolean", description: "Every occurrence" },
    },
    names: ["FILE"],
    example: [
      "headgate edit replace README.md --old colour --new color --all",
      "asks before it writes",
    ],
    build: ([file = ""], { flags }) => {
      const [old, text] = [flags.text("old"), flags.text("new")];
      if (old === undefined || text === undefined) {
        throw usageError("give --old and --new", "headgate edit replace");
      }
      const nth = flags.integer("nth", { min: 1, max: 1_000_000 });
      return {
        do: "replace",
        file,
        old,
        new: text,
        ...(nth !== undefined && { nth }),
        ...(flags.has("all") && { all: true }),
      };
    },
  },
  write: {
    usage: "edit write FILE < CONTENT",
    summary: "Write a whole file; refused if it changed since you last saw it",
    options: code,
    names: ["FILE"],
    example: ["headgate edit write notes.txt --code 'done' -y", "the whole content"],
    build: async ([file = ""], context) => ({
      do: "write",
      file,
      content: await readCode(context),
    }),
  },
  create: {
    usage: "edit create FILE [--executable] < CONTENT",
    summary: "Make a new file; refused if there is one",
    options: { ...code, executable: { type: "boolean", description: "It can be run" } },
    names: ["FILE"],
    example: ["headgate edit create src/new.py --code 'x = 1' -y", "folders are made as needed"],
    build: async ([file = ""], context) => ({
      do: "create",
      file,
      content: await readCode(context),
      ...(context.flags.has("executable") && { executable: true }),
    }),
  },
  delete: {
    usage: "edit delete FILE",
    summary: "Delete a file; undo brings it back",
    names: ["FILE"],
    example: ["headgate edit delete src/old.py", "asks before it deletes"],
    build: ([file = ""]) => ({ do: "delete", file }),
  },
  "move-file": {
    usage: "edit move-file FILE TO",
    summary: "Move or rename a file",
    names: ["FILE", "TO"],
    example: ["headgate edit move-file src/a.py src/b.py -y", "content and mode stay"],
    build: ([file = "", to = ""]) => ({ do: "move-file", file, to }),
  },
};

const exits = [
  [0, "written; with --dry-run: would be"],
  [1, "refused by the gate, by a claim, by the verify command or by you"],
  [2, "not a complete command"],
  [3, "the file changed meanwhile"],
  [4, "no such file or symbol"],
] as const;

/** Files are named from where the user is; operations name them from the repository's root. */
const pathsFrom = ({ environment, flags }: CommandContext, worktree: string) => {
  const start = resolve(environment.cwd, flags.text("repo") ?? ".");
  const toRoot = (path: string): string =>
    relative(worktree, resolve(start, path)).split(sep).join("/");
  return (operation: Operation): Operation => {
    if (operation.do === "patch") return operation;
    const file = toRoot(operation.file);
    if (operation.do === "move-file") return { ...operation, file, to: toRoot(operation.to) };
    if (operation.do === "move" && operation.toFile !== undefined) {
      return { ...operation, file, toFile: toRoot(operation.toFile) };
    }
    return { ...operation, file };
  };
};

const toCommand = (name: string, form: Form): Command => ({
  summary: form.summary,
  usage: [form.usage],
  options: { ...form.options, ...editOptions },
  examples: [form.example],
  exits,
  positionalsMax: form.names.length,
  completes: "files",
  run: async (context) => {
    const { positionals } = context;
    const missing = form.names[positionals.length];
    if (missing !== undefined) throw usageError(`${missing} is missing`, `headgate edit ${name}`);
    await using headgate = await openFor(context, {
      readOnly: false,
      ...typesOf(context),
      needsFiles: true,
    });
    if (name === "rename" && context.flags.has("force")) {
      const words = ["edit", name, ...positionals, "--force"];
      await requirePerson(context, headgate, { what: "edit --force", words });
    }
    const here = pathsFrom(context, headgate.repository.worktree);
    const operation = here(await form.build(positionals, context));
    const request = { ...(await requestOf(context, headgate)), operations: [operation] };
    const result = await noted(headgate, `headgate edit ${name}`, request, () =>
      headgate.edit.edit(request),
    );
    return answerEdit(result, context, headgate);
  },
});

export const command: Command = {
  summary: "Change code by symbols, texts or files, through the gate",
  usage: Object.values(forms).map(({ usage }) => usage),
  description:
    "Every change is judged before it is written: duplicates, syntax, claims, stale views. Symbols are named " +
    "as `headgate outline` shows them. Everything else in the file stays as it is, byte for byte. `headgate " +
    "apply` makes many changes in one step.",
  options: {},
  examples: [
    [
      "headgate edit add src/user.py --into User < method.py",
      "at the end of the class, indented as it is",
    ],
    [
      "headgate edit modify src/user.py User.name --verify 'npm test' -y < new.py",
      "taken back if the tests fail",
    ],
  ],
  exits,
  alone: history,
  positionalsMax: 0,
  subcommands: Object.fromEntries(
    Object.entries(forms).map(([name, form]) => [name, toCommand(name, form)]),
  ),
};
