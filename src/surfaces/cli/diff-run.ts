/** `headgate diff`: the uncommitted change of each actor as a patch on HEAD. */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import { type DiffedChange, unifiedDiff, viewDiff } from "../../edit/index.ts";
import {
  type ActorChange,
  actorChanges,
  type EditChoice,
  listActors,
} from "../../landing/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import {
  committedModes,
  editsBy,
  findLines,
  type LinesPlace,
  pathInWorktree,
  readLines,
  unknownName,
} from "./lines-run.ts";
import { openFor } from "./open-for.ts";

export const runDiff = async (context: CommandContext): Promise<ExitCode> => {
  const { flags, positionals, output } = context;
  if (flags.has("mine") && flags.has("actor")) {
    throw usageError("give --mine or --actor, not both", "headgate diff");
  }
  await using headgate = await openFor(context, {
    ...{ readOnly: true, evenIfMisconfigured: true, needsFiles: true },
  });
  const wanted = flags.has("mine") ? headgate.claims.actor.session : flags.text("actor");
  const place = await findLines(headgate, context);
  const { records, committed } = await readLines(place, {
    within: positionals.map((path) => pathInWorktree(headgate, context, path)),
    withUnknown: wanted === undefined || wanted === unknownName,
  });
  const gone = [...records].flatMap(([path, { weave }]) => (weave.died === null ? [] : [path]));
  const modes = await committedModes(place, gone);
  const group = (actor: string, isChosen: EditChoice): ActorDiff[] => {
    const files = actorChanges(records, committed, isChosen);
    const changes = files.map((file) => toChange(file, { place, modes }));
    return files.length === 0 ? [] : [{ actor, files, patch: unifiedDiff(changes) }];
  };
  const groups =
    wanted === undefined
      ? listActors(records).flatMap((actor) => group(actor, (edit) => edit.actor === actor))
      : group(wanted === unknownName ? "" : wanted, editsBy(wanted));
  output.object({ actors: groups.map(shape) });
  print(groups, { context, isOne: wanted !== undefined });
  return 0;
};

interface ActorDiff {
  /** Empty: unknown. */
  readonly actor: string;
  readonly files: readonly ActorChange[];
  readonly patch: string;
}

/** Whether a file that comes can be run is known from the file, of one that goes from HEAD. */
const toChange = (
  { path, before, after }: ActorChange,
  { place, modes }: { readonly place: LinesPlace; readonly modes: ReadonlyMap<string, number> },
): DiffedChange => {
  if (before === null) {
    const mode = systemFiles.stat(join(place.headgate.repository.worktree, path))?.mode;
    return { path, kind: "create", before, after, ...(mode !== undefined && { mode }) };
  }
  const modeBefore = modes.get(path);
  const kind = after === null ? "delete" : "modify";
  return { path, kind, before, after, ...(modeBefore !== undefined && { modeBefore }) };
};

const shape = ({ actor, files, patch }: ActorDiff) => ({
  actor,
  files: files.map(({ path, carried }) => ({ path, carried: carriedActors([{ carried }]) })),
  patch,
});

const carriedActors = (files: readonly Pick<ActorChange, "carried">[]): string[] => [
  ...new Set(files.flatMap(({ carried }) => carried.map(({ actor }) => actor || unknownName))),
];

const print = (
  groups: readonly ActorDiff[],
  { context, isOne }: { readonly context: CommandContext; readonly isOne: boolean },
): void => {
  const { output } = context;
  for (const { actor, files, patch } of groups) {
    const others = carriedActors(files).map((one) => showText(one, 60));
    const along = others.length === 0 ? "" : `, with lines of ${others.join(", ")} below them`;
    // Git skips lines that belong to no patch.
    if (!isOne) output.raw(`# ${actor === "" ? unknownName : showText(actor, 60)}${along}\n`);
    else if (along !== "") output.note(`headgate: shown${along}`);
    output.raw(output.colour ? viewDiff(patch, { colour: true }) : patch);
    for (const { path } of files.filter(isNotText)) {
      output.note(`headgate: ${showText(path)} is not UTF-8 text: git apply does not take it so`);
    }
  }
  if (groups.length === 0 && !output.json) output.note("headgate: no uncommitted lines");
};

const isNotText = ({ before, after }: ActorChange): boolean =>
  [before, after].some((bytes) => bytes !== null && (bytes.includes(0) || !isUtf8(bytes)));
