/**
 * Committed contents as they would lie in the working tree. Git may keep a file with line ends of its own, or
 * through a filter of the user; only git knows, so it is asked for what it would make of the file that is there.
 */
import { hash } from "node:crypto";
import type { WritingGit } from "../git/index.ts";
import { toBytes, toLines, withLineEnds } from "../lines/index.ts";

/** A file of a commit: its entry, and its content where it is not too large to be looked at. */
export interface CommittedFile {
  readonly mode: string;
  readonly name: string;
  readonly content: Buffer | undefined;
}

/** filtered: git keeps something else of it. opaque: and it is not known from what that was made. */
export type KeptForm = "plain" | "line-ends" | "filtered" | "opaque";

export interface TreeForm {
  readonly form: KeptForm;
  /** As it would lie in the working tree; undefined: there is none, or it is opaque. */
  readonly content: Buffer | undefined;
  /** Of what git would make of the present file, where that is not the file itself. */
  readonly present?: string;
}

export interface TreeFormsOptions {
  /** The user's own git: filters count. */
  readonly git: WritingGit;
  /** The file as it is; undefined: there is none. */
  read(path: string): Buffer | undefined;
  /** From which the committed content may have been made, likeliest first. */
  candidates(path: string): readonly Buffer[];
}

export const treeForms = async (
  committed: ReadonlyMap<string, CommittedFile | undefined>,
  { git, read, candidates }: TreeFormsOptions,
): Promise<ReadonlyMap<string, TreeForm>> => {
  const forms = new Map<string, TreeForm>();
  const open = new Map<string, { readonly file: CommittedFile; readonly now: Buffer }>();
  for (const [path, file] of committed) {
    const content = file?.content;
    forms.set(path, { form: "plain", content });
    // As it was known: the file itself need not be read.
    const isAsKnown = content && candidates(path).some((one) => one.equals(content));
    const now = isAsKnown ? undefined : content && read(path);
    if (file && content && now && !now.equals(content) && !path.includes("\n"))
      open.set(path, { file, now });
  }
  const present = await presentNames(git, [...open.keys()]);
  for (const [path, { file, now }] of open) {
    const name = present.get(path);
    if (name !== undefined && name !== blobName(now, name)) {
      const make = (content: Buffer) => keptName(git, path, content);
      const all = [...candidates(path), now];
      forms.set(path, { ...(await findForm(file, { now, name, all, make })), present: name });
    }
  }
  return forms;
};

const findForm = async (
  { name: wanted, content = Buffer.alloc(0) }: CommittedFile,
  {
    now,
    name,
    all,
    make,
  }: {
    readonly now: Buffer;
    readonly name: string;
    readonly all: readonly Buffer[];
    readonly make: (content: Buffer) => Promise<string>;
  },
): Promise<TreeForm> => {
  if (name === blobName(plainEnds(now), name)) {
    const same = all.find((one) => plainEnds(one).equals(content));
    const like = toLines(all[0] ?? now);
    const made = same ?? toBytes(withLineEnds(toLines(content), like));
    return { form: "line-ends", content: made };
  }
  for (const one of all) {
    if ((await make(one)) === wanted) return { form: "filtered", content: one };
  }
  return { form: "opaque", content: undefined };
};

/** The names git would give the working files, through line ends and filters. */
const presentNames = async (
  git: WritingGit,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (paths.length === 0) return new Map();
  const input = paths.map((path) => `${path.startsWith('"') ? JSON.stringify(path) : path}\n`);
  const { code, stdout } = await git.ask({
    args: ["hash-object", "--stdin-paths"],
    input: input.join(""),
  });
  const names = stdout.split("\n");
  // A file that has just gone, or a filter that failed: then all of them are taken as they are.
  return new Map(code === 0 ? paths.map((path, at) => [path, names[at] ?? ""]) : []);
};

/** The name git would give a content at this path; with `isKept` it has it afterwards. */
export const keptName = (
  git: WritingGit,
  path: string,
  content: Buffer,
  { isKept = false }: { readonly isKept?: boolean } = {},
): Promise<string> =>
  git.run({
    args: ["hash-object", ...(isKept ? ["-w"] : []), "--stdin", `--path=${path}`],
    input: content,
  });

/** As the repository names contents: `like` is one of its names. */
const blobName = (content: Buffer, like: string): string =>
  hash(
    like.length === 64 ? "sha256" : "sha1",
    Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]),
  );

const plainEnds = (content: Buffer): Buffer =>
  Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
