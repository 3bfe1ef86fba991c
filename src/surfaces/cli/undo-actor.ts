/**
 * `headgate undo --actor`: one actor's uncommitted work is taken back, everybody else's stays. `headgate undo ID` does
 * the same with a single write of a hook, such as a late one (N-07).
 */
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { shellWord } from "../../base/shell-word.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { FileChange, LinesBack } from "../../edit/index.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import {
  type EditChoice,
  planTakeBack,
  type TakeBackPlan,
  type TiedLines,
} from "../../landing/index.ts";
import type { LineEdit, Weave } from "../../lines/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext, ExitCode, Flags } from "./command.ts";
import { parseDuration } from "./duration.ts";
import { answerEdit, noted, requestOf, typesOf } from "./edit-run.ts";
import {
  committedModes,
  editsBy,
  findLines,
  type LinesRead,
  pathInWorktree,
  readLines,
  unknownName,
} from "./lines-run.ts";
import { openFor } from "./open-for.ts";

export const undoActor = async (context: CommandContext, actor: string): Promise<ExitCode> => {
  const sinceMs = readSince(context.flags);
  const isBy = editsBy(actor);
  return takeBackLines(context, {
    isChosen: (edit) => isBy(edit) && edit.at >= sinceMs,
    within: context.positionals,
    actor,
  });
};

/** One write of which the lines know; undefined: of none with this id. */
export const undoWrite = async (
  context: CommandContext,
  id: string,
  headgate: Headgate,
): Promise<ExitCode | undefined> => {
  for (const [path, { edits }] of await headgate.lines.noted()) {
    const edit = edits.find((one) => one.id === id);
    if (!edit) continue;
    const isChosen = (one: LineEdit): boolean => one.id === id;
    const within = [join(headgate.repository.worktree, path)];
    return takeBackLines(context, { isChosen, within, actor: edit.actor });
  }
  return undefined;
};

interface LinesToTakeBack {
  readonly isChosen: EditChoice;
  /** Empty: all files. */
  readonly within: readonly string[];
  readonly actor: string;
}

const takeBackLines = async (
  context: CommandContext,
  { isChosen, within: paths, actor }: LinesToTakeBack,
): Promise<ExitCode> => {
  const { flags } = context;
  await using headgate = await openFor(context, {
    ...{ readOnly: false, needsFiles: true },
    ...typesOf(context),
  });
  const place = await findLines(headgate, context);
  const within = paths.map((path) => pathInWorktree(headgate, context, path));
  const asked = await requestOf(context, headgate);
  const reason = asked.reason ?? `take back the uncommitted lines of ${actor}`;
  const plan = async (): Promise<LinesBack> => {
    const keeps = !flags.has("dry-run");
    const withUnknown = actor === unknownName;
    const { records } = await readLines(place, { within, withUnknown, keeps });
    const { files, tied } = planTakeBack(records, isChosen);
    if (files.length === 0) {
      throw new HeadgateError("LINES_NONE", `no uncommitted line here is of ${showText(actor)}`);
    }
    const held = await atWork(headgate, records, isChosen);
    const free = files.filter(({ path }) => !tied.some((one) => one.path === path));
    const reasons = [...held, ...tied.map((one) => tiedReason(one, { actor, free }))];
    if (reasons.length > 0) return { ok: false, reasons };
    const modes = await committedModes(
      place,
      files.flatMap(({ path, before }) => (before === null ? [path] : [])),
    );
    return {
      ok: true,
      changes: files.map((file) => toChange(file, modes.get(file.path))),
      edits: new Map(files.map(({ path, edits }) => [path, edits])),
    };
  };
  const request = { ...asked, reason, plan };
  const result = await noted(headgate, "headgate undo", request, () =>
    headgate.edit.takeBack(request),
  );
  return answerEdit(result, context, headgate);
};

const toChange = (
  { path, before, after }: TakeBackPlan["files"][number],
  mode: number | undefined,
): FileChange => ({
  ...{ path, before, after },
  kind: before === null ? "create" : after === null ? "delete" : "modify",
  ...(mode !== undefined && { mode }),
});

/** A person may stop a session that is at work; an agent may not take another's work from under it. */
const atWork = async (
  headgate: Headgate,
  records: LinesRead["records"],
  isChosen: EditChoice,
): Promise<Reason[]> => {
  const { session, harness } = headgate.claims.actor;
  if (harness === undefined) return [];
  const presence = await headgate.lines.presence();
  for (const [path, { weave }] of records) {
    const own = new Set(weave.edits.filter((one) => one.session === session).map(({ id }) => id));
    const held = weave.edits.find(
      (edit) =>
        isChosen(edit) &&
        edit.session !== session &&
        presence.get(edit.session)?.state === "here" &&
        !isOverOwn(weave, edit, own),
    );
    if (!held || (await holdsFile(headgate, path))) continue;
    return [
      {
        ...{ code: "LINES_HELD", path },
        message: `${showText(held.actor)} is at work here; an agent cannot take its lines back`,
        remedy: "Ask a person to do it, or wait until that session has ended.",
      },
    ];
  }
  return [];
};

/** A session may take back writes under its own claim. */
const holdsFile = async ({ claims, repository }: Headgate, path: string): Promise<boolean> => {
  const target = { path: join(repository.worktree, path), extent: "file" } as const;
  const { claims: held } = await claims.list({ actor: claims.actor.id, target, mode: "exclusive" });
  return held.length > 0;
};

/** A write that took lines of this session away: the session may have them back. */
const isOverOwn = (weave: Weave, { id }: LineEdit, own: ReadonlySet<string>): boolean =>
  weave.rows.some(({ by, gone }) => gone === id && by !== null && own.has(by));

const tiedReason = (
  { path, lines, edit }: TiedLines,
  { actor, free }: { readonly actor: string; readonly free: readonly { readonly path: string }[] },
): Reason => {
  const [first] = lines;
  const named = lines.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  const isOne = first && lines.length === 1 && first.from === first.to;
  const what = first ? `${isOne ? "line" : "lines"} ${named.join(", ")}` : "a deletion";
  const name = edit.kind === "unknown" ? unknownName : showText(edit.actor);
  const rest = free.slice(0, freeMax).map((one) => shellWord(one.path));
  return {
    ...{ code: "UNDO_CONFLICT", path },
    ...(first && { line: first.from }),
    message: `${what} in ${showText(path)}, by ${name}, onto lines of ${showText(actor)}: they cannot be separated`,
    remedy:
      rest.length === 0
        ? `Take theirs back first (headgate undo --actor ${shellWord(name)}), or change the lines by hand.`
        : `Name the files that can be separated: headgate undo --actor ${shellWord(actor)} ${rest.join(" ")}`,
  };
};

const freeMax = 10;

/** A span back from now, or a time. */
const readSince = (flags: Flags): number => {
  const given = flags.text("since");
  if (given === undefined) return Number.NEGATIVE_INFINITY;
  const span = parseDuration(given);
  if (span !== undefined) return systemClock.wallMs() - span;
  const at = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usageError(
    `option --since is a span such as 15m or 2h, or a time such as 2026-05-01T12:00Z; got "${showText(given)}"`,
    "headgate undo",
  );
};
