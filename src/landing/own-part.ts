/** The part of the files that a session's commit holds. */
import { readBlobs, type Git, splitNul, type TreeEntry, type WritingGit } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import {
  committedLines,
  currentLines,
  type FileRecord,
  type LineEdit,
  type Lines,
  partLines,
  toBytes,
  toLines,
  withGround,
} from "../lines/index.ts";
import { type CommittedFile, type KeptForm, treeForms } from "./tree-form.ts";

export interface OwnPartOptions {
  readonly lines: Pick<Lines, "records" | "refresh" | "presence">;
  readonly git: Git;
  /** The user's own, through whose filters files come and go. */
  readonly writing: WritingGit;
  /** The file as it is; undefined: there is none. */
  read(path: string): Buffer | undefined;
  /** The commit below the part; undefined: the first one is being made. */
  readonly head: string | undefined;
  readonly session: string;
  readonly paths: readonly string[];
  /** Sessions whose lines go along as well; `unknown`: lines without a known author. */
  readonly along?: readonly string[];
  /** Further edits that go along, by path. */
  readonly extra?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Lines of a file that are left out, and whose they are. */
export interface LeftLines {
  /** Empty: unknown. */
  readonly actor: string;
  readonly edits: number;
}

export interface PartFile {
  readonly path: string;
  readonly record: FileRecord;
  /** HEAD with the part; undefined: there is no such file in it. */
  readonly content: Buffer | undefined;
  /** The file as it is; undefined: there is none. */
  readonly current: Buffer | undefined;
  /** The entry of the commit it is made on; undefined: it is not in it. */
  readonly committed: CommittedFile | undefined;
  readonly form: KeptForm;
  /** The name git would give the present file, where it keeps something else. */
  readonly present?: string;
  /** The part is the whole file of the working tree. */
  readonly isWhole: boolean;
  /** Something of the session's own is in it. */
  readonly isOwn: boolean;
  readonly edits: ReadonlySet<string>;
  /** Edits of others that own lines were written into. */
  readonly carried: readonly LineEdit[];
  readonly left: readonly LeftLines[];
}

export interface OwnPart {
  readonly files: readonly PartFile[];
  /** Lines without a known author were taken, because no other session is at work here. */
  readonly tookUnknown: boolean;
}

export const planPart = async (options: OwnPartOptions): Promise<OwnPart> => {
  const { lines, git, head, session, paths, along = [], extra } = options;
  const committed = await readCommitted(git, head, paths);
  const known = await lines.records(paths);
  const forms = await treeForms(committed, {
    git: options.writing,
    read: options.read,
    candidates: (path) => {
      const record = known.get(path);
      const ground = record && committedLines(record.weave);
      return ground ? [toBytes(ground)] : [];
    },
  });
  const contents = new Map(
    paths.flatMap((path) => {
      const found = forms.get(path);
      return found?.form === "opaque" ? [] : [[path, found?.content] as const];
    }),
  );
  const refreshed = await lines.refresh(contents);
  // Of a file that git keeps in another form only the writes are known that were seen here.
  const records = new Map(
    paths.flatMap((path) => {
      const record = refreshed.get(path) ?? known.get(path);
      return record ? [[path, record] as const] : [];
    }),
  );
  const present = await lines.presence();
  const others = [...present].filter(([name, { state }]) => name !== session && state === "here");
  const takesUnknown = along.includes("unknown") || others.length === 0;
  let tookUnknown = false;
  const files = [...records].map(([path, record]): PartFile => {
    const { weave } = record;
    const isMine = (edit: LineEdit): boolean =>
      edit.session === session || along.includes(edit.session) || along.includes(edit.actor);
    const wanted = weave.edits.filter((edit) => {
      if (edit.kind === "unknown") tookUnknown ||= takesUnknown;
      return edit.kind === "unknown" ? takesUnknown : isMine(edit);
    });
    const more = [...(extra?.get(path) ?? [])];
    const edits = withGround(weave, [...wanted.map(({ id }) => id), ...more]);
    const part = partLines(weave, edits);
    const current = currentLines(weave);
    const rest = weave.edits.filter(({ id }) => !edits.has(id));
    const { form = "plain", present: name } = forms.get(path) ?? {};
    return {
      path,
      record,
      content: part && toBytes(part),
      current: current && toBytes(current),
      committed: committed.get(path),
      ...{ form, ...(name !== undefined && { present: name }) },
      isWhole: rest.length === 0,
      // Lines that were written and taken away again leave nothing to commit.
      isOwn: wanted.length > 0 && part?.join("") !== committedLines(weave)?.join(""),
      edits,
      carried: weave.edits.filter(
        (edit) => edits.has(edit.id) && !isMine(edit) && edit.kind !== "unknown",
      ),
      left: groupLeft(rest),
    };
  });
  return { files, tookUnknown };
};

/** Own lines that a staged version of the file lacks: it was staged by hand. */
export const hasUnstaged = ({ record, edits, carried }: PartFile, staged: Uint8Array): boolean => {
  const foreign = new Set(carried.map(({ id }) => id));
  const there = countLines(toLines(staged));
  return record.weave.rows.some(({ by, gone, text }) => {
    const isOwn = by !== null && gone === null && edits.has(by) && !foreign.has(by);
    if (!isOwn) return false;
    const left = there.get(plainEnd(text)) ?? 0;
    there.set(plainEnd(text), left - 1);
    return left <= 0;
  });
};

/**
 * Whether a version of the file holds lines of others that the part has not, or lacks some that only others
 * took away. Lines without a word (`}`) are asked about only where there are no others.
 */
export const holdsForeign = (file: PartFile, version: Uint8Array | undefined): boolean => {
  const { record, edits, content, form } = file;
  const { rows, died } = record.weave;
  if (file.isWhole) return false;
  if (form === "filtered" || form === "opaque") return true;
  if (version === undefined) return content !== undefined && died !== null && !edits.has(died);
  if (content === undefined) return true;
  const isIn = (edit: string | null): boolean => edit === null || edits.has(edit);
  const [there, own] = [countLines(toLines(version)), countLines(toLines(content))];
  const differs = (text: string): number =>
    (there.get(plainEnd(text)) ?? 0) - (own.get(plainEnd(text)) ?? 0);
  const foreign = rows.filter(({ by, gone }) => isIn(by) !== isIn(gone) || !isIn(by));
  const spoken = foreign.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return (spoken.length > 0 ? spoken : foreign).some(({ by, gone, text }) =>
    isIn(by) ? differs(text) < 0 : gone === null && differs(text) > 0,
  );
};

const plainEnd = (text: string): string => text.replace(/\r\n$/, "\n");

const countLines = (lines: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of lines.map(plainEnd)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

export const groupLeft = (edits: readonly Pick<LineEdit, "actor">[]): LeftLines[] =>
  [...Map.groupBy(edits, ({ actor }) => actor)].map(([actor, own]) => ({
    actor,
    edits: own.length,
  }));

/** The contents alone. */
export const readContents = async (
  git: Git,
  commit: string | undefined,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer | undefined>> => {
  const files = await readCommitted(git, commit, paths);
  return new Map([...files].map(([path, file]) => [path, file?.content]));
};

/** The parts as they were committed: a hook of the user may have changed some. */
export const committedContents = async (
  git: Git,
  {
    commit,
    files,
    entries,
    changes,
  }: {
    readonly commit: string;
    readonly files: readonly PartFile[];
    /** As they were before the hooks. */
    readonly entries: readonly TreeEntry[];
    readonly changes: readonly TreeEntry[];
  },
): Promise<Map<string, Buffer | undefined>> => {
  const given = new Map(entries.map(({ path, blob }) => [path, blob]));
  const changed = changes.filter(({ path, blob }) => given.has(path) && given.get(path) !== blob);
  const made = await readContents(
    git,
    commit,
    changed.map(({ path }) => path),
  );
  const own = files.map(({ path, content }) => [path, content] as const);
  return new Map([...own, ...made]);
};

/** These files as a commit has them. */
export const readCommitted = async (
  git: Git,
  commit: string | undefined,
  paths: readonly string[],
): Promise<ReadonlyMap<string, CommittedFile | undefined>> => {
  const entries = new Map<string, { readonly mode: string; readonly name: string }>();
  if (commit !== undefined && paths.length > 0) {
    const wanted = new Set(paths);
    // Git compares every entry with every path: beyond a few the whole tree is sooner read.
    const isMany = paths.length > pathsAtOnce;
    const { stdout } = await git.run({
      args: ["ls-tree", "-z", "--full-tree", ...(isMany ? ["-r"] : [])],
      revisions: [commit],
      ...(!isMany && { paths }),
      outputBytesMax: limits.mineOutputBytesMax,
    });
    for (const line of splitNul(stdout)) {
      const [, mode = "", name = "", path = ""] =
        /^(\d+) \w+ ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      if (mode.startsWith("100") && wanted.has(path)) entries.set(path, { mode, name });
    }
  }
  const names = [...entries.values()].map(({ name }) => name);
  const blobs = await readBlobs(git, names, { bytesMax: limits.editFileBytesMax });
  return new Map(
    paths.map((path) => {
      const entry = entries.get(path);
      return [path, entry && { ...entry, content: blobs.get(entry.name) }];
    }),
  );
};

const pathsAtOnce = 500;
