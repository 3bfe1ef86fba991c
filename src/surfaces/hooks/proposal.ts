/**
 * From a tool use to the writes it will make, worked out in memory. What the client's tool does to a text
 * that is there has that text as its base; a whole file that is written has none, so that the gate compares
 * with what the actor last saw. Where it is not certain what the client will do (it searches loosely, the
 * tool is unknown), the file is judged as it is and claimed as a whole.
 */
import { limits } from "../../base/limits.ts";
import type { Write } from "../../gate/index.ts";
import { applyLeniently, type LenientChange, movesInPatch, pathsInPatch } from "./lenient-patch.ts";
import { absolute } from "./harness/fields.ts";
import { editNotebook } from "./notebook.ts";
import type { Placed } from "./place.ts";
import { replaceTexts } from "./replace-text.ts";
import type { TextEdit, ToolUse } from "./types.ts";

export interface ProposalFiles {
  /** Undefined: outside the repository. */
  place(file: string): Placed | undefined;
  /** Undefined: there is none. */
  read(place: Placed): Buffer | undefined;
}

/** What a tool use does to one worktree. */
export interface Intent {
  readonly root: string;
  readonly writes: readonly Write[];
  /** Paths of which only is known that they will be written. */
  readonly unsure: readonly string[];
}

/** Empty: nothing in the repository will change, or the client's tool will fail. */
export const intentsOf = async (tool: ToolUse, files: ProposalFiles): Promise<readonly Intent[]> =>
  byRoot(await effectsOf(tool, files));

/** Files that a tool use names, absolute: what the agent has seen after it. */
export const filesOf = (tool: ToolUse): readonly string[] => {
  switch (tool.kind) {
    case "write":
    case "notebook":
    case "delete":
    case "read":
      return [tool.file];
    case "replace":
      return [...new Set([tool.file, ...tool.edits.flatMap(({ file }) => file ?? [])])];
    case "patch":
      return pathsInPatch(tool.patch).map((path) => absolute(path, tool.folder));
    case "move":
      return [tool.file, tool.to];
    case "unknown-write":
      return tool.files;
    case "shell":
    case "other":
      return [];
  }
};

/** One file and what becomes of it; without a write it is only known that it will be written. */
interface Effect {
  readonly place: Placed;
  readonly write?: Omit<Write, "path">;
  readonly movedFrom?: Placed;
}

const effectsOf = async (tool: ToolUse, files: ProposalFiles): Promise<readonly Effect[]> => {
  switch (tool.kind) {
    case "write":
      return placed(tool.file, files, () => ({ after: tool.content }));
    case "replace":
      return replaceEffects(tool, files);
    case "patch":
      return patchEffects(tool, files);
    case "notebook":
      return placed(tool.file, files, (place) => {
        const now = files.read(place);
        const after = now && editNotebook(now.toString("utf8"), tool.cell);
        return now && after !== undefined ? { before: now, after } : undefined;
      });
    case "delete":
      return placed(tool.file, files, (place) => (files.read(place) ? { after: null } : undefined));
    case "move":
      return moveEffects(tool, files);
    case "unknown-write":
      return unsure(tool.files, files);
    case "shell":
    case "read":
    case "other":
      return [];
  }
};

const placed = (
  file: string,
  files: ProposalFiles,
  writeOf: (place: Placed) => Omit<Write, "path"> | undefined,
): readonly Effect[] => {
  const place = files.place(file);
  if (!place) return [];
  const write = writeOf(place);
  return [{ place, ...(write && { write }) }];
};

const unsure = (paths: readonly string[], files: ProposalFiles): readonly Effect[] =>
  paths.slice(0, limits.proposalWritesMax).flatMap((file) => placed(file, files, () => undefined));

const replaceEffects = (
  tool: Extract<ToolUse, { kind: "replace" }>,
  files: ProposalFiles,
): readonly Effect[] => {
  const byFile = new Map<string, TextEdit[]>();
  for (const edit of tool.edits) {
    const file = edit.file ?? tool.file;
    byFile.set(file, [...(byFile.get(file) ?? []), edit]);
  }
  return [...byFile].flatMap(([file, edits]) => {
    const place = files.place(file);
    if (!place) return [];
    const now = files.read(place);
    const after = replaceTexts(now?.toString("utf8") ?? "", edits);
    if (after !== undefined) return [{ place, write: { before: now ?? null, after } }];
    // The tool of a client that searches to the letter will fail as well. So will every tool without a
    // file; but what is no plain file here may be one to a client that follows links.
    const isEmptyOld = edits.some(({ old }) => old === "");
    return tool.exact && now && !isEmptyOld ? [] : [{ place }];
  });
};

const moveEffects = (
  tool: Extract<ToolUse, { kind: "move" }>,
  files: ProposalFiles,
): readonly Effect[] => {
  const [from, to] = [files.place(tool.file), files.place(tool.to)];
  const content = from && files.read(from);
  if (!content) return unsure([tool.file, tool.to], files);
  return [
    { place: from, write: { before: content, after: null } },
    ...(to ? [{ place: to, write: { after: content }, movedFrom: from }] : []),
  ];
};

const patchEffects = async (
  { patch, folder }: Extract<ToolUse, { kind: "patch" }>,
  files: ProposalFiles,
): Promise<readonly Effect[]> => {
  const placeIn = (path: string): Placed | undefined => files.place(absolute(path, folder));
  const contentIn = (path: string): Buffer | undefined => {
    const place = placeIn(path);
    return place && files.read(place);
  };
  const changes =
    (await strictly(patch, contentIn)) ??
    applyLeniently(patch, (path) => contentIn(path)?.toString("utf8"));
  if (!changes)
    return unsure(
      pathsInPatch(patch).map((path) => absolute(path, folder)),
      files,
    );
  return changes.flatMap(({ path, after, movedFrom, isWhole }) => {
    const place = placeIn(path);
    if (!place) return [];
    const now = files.read(place);
    const from = movedFrom === undefined ? undefined : placeIn(movedFrom);
    // New to the patch and there all the same: it is written over, so what was seen of it counts.
    const base = isWhole && now ? {} : { before: now ?? null };
    return [{ place, write: { ...base, after }, ...(from && { movedFrom: from }) }];
  });
};

type PatchChange = Omit<LenientChange, "after"> & { readonly after: string | Uint8Array | null };

/** As our own editor would, to the letter; undefined where the patch does not fit so. */
const strictly = async (
  patch: string,
  read: (path: string) => Buffer | undefined,
): Promise<readonly PatchChange[] | undefined> => {
  const [{ patchedFiles }, { HeadgateError }] = await Promise.all([
    import("../../edit/index.ts"),
    import("../../errors.ts"),
  ]);
  const moves = movesInPatch(patch);
  try {
    return patchedFiles(patch, { read }).map(({ path, after, kind }) => {
      const movedFrom = moves.get(path);
      const isWhole = kind === "create";
      return { path, after, isWhole, ...(movedFrom !== undefined && { movedFrom }) };
    });
  } catch (error) {
    if (HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};

const byRoot = (effects: readonly Effect[]): readonly Intent[] => {
  const roots = new Map<string, { writes: Map<string, Write>; unsure: Set<string> }>();
  for (const { place, write, movedFrom } of effects) {
    const { root, path } = place;
    const intent = roots.get(root) ?? { writes: new Map(), unsure: new Set() };
    roots.set(root, intent);
    const from = movedFrom?.root === root ? { movedFrom: movedFrom.path } : {};
    if (write) intent.writes.set(path, { path, ...write, ...from });
    else intent.unsure.add(path);
  }
  return [...roots].map(([root, intent]) => ({
    root,
    writes: [...intent.writes.values()],
    unsure: [...intent.unsure],
  }));
};
