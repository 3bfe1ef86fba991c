import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { systemFiles } from "../../../base/files.ts";
import { showText } from "../../../base/text.ts";
import type { DiffedChange } from "../../../edit/index.ts";
import {
  type ActorChange,
  actorChanges,
  type EditChoice,
  listActors,
} from "../../../landing/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import {
  committedModes,
  editsBy,
  findLines,
  type LinesPlace,
  pathInWorktree,
  readLines,
  unknownName,
} from "../lines-run.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Show one actor's uncommitted change as a patch, or everybody's by actor",
  usage: ["diff [--mine | --actor ACTOR] [PATH…]"],
  description:
    "The change of one actor on HEAD, without the lines of others in the same files; `git apply` takes it. " +
    "Lines of others that it was written onto are part of it, and named. Without a flag every actor's " +
    "change is shown in turn, each a patch of its own on HEAD. `--actor unknown` shows lines of which " +
    "nothing proves the author. Looking changes nothing and creates nothing.",
  options: {
    mine: { type: "boolean", description: "Only your own session's" },
    actor: { type: "string", value: "ACTOR", description: "Only of this actor or session" },
  },
  examples: [
    ["headgate diff --mine", "what would I commit?"],
    ["headgate diff --actor claude:3f2a src/ > theirs.patch", "for git apply"],
    ["headgate diff --json", "for programs: {actors: [{actor, files, patch}]}"],
  ],
  exits: [
    [0, "shown, also when there is nothing"],
    [1, "no git"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
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
    const { unifiedDiff } = await import("../../../edit/index.ts");
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
    await print(groups, { context, isOne: wanted !== undefined });
    return 0;
  },
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

const print = async (
  groups: readonly ActorDiff[],
  { context, isOne }: { readonly context: CommandContext; readonly isOne: boolean },
): Promise<void> => {
  const { output } = context;
  const { viewDiff } = await import("../../../edit/index.ts");
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
