import { systemClock } from "../../../base/clock.ts";
import { resolveInRepository } from "../../../base/paths.ts";
import { plural, showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { CommitAnswer } from "../../../landing/index.ts";
import { noteRunning } from "../../note-running.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Commit your own lines, and leave those of others",
  usage: ["commit -m TEXT [--path PATH…] [--with ACTOR…] [--dry-run]"],
  description:
    "The commit is HEAD with your uncommitted lines. Lines of others in the same files stay uncommitted. " +
    "Where you wrote into another's uncommitted lines, it waits a moment for their commit, then exactly " +
    "those lines go along and the message names their author. Your hooks, identity and signature count. " +
    "In an agent's session plain `git commit` does the same. See docs/commit.md.",
  options: {
    message: { type: "string", short: "m", value: "TEXT", description: "message of the commit" },
    path: {
      type: "string",
      multiple: true,
      value: "FILE",
      description: "only this file or folder",
    },
    with: {
      type: "string",
      multiple: true,
      value: "ACTOR",
      description: "take this actor's lines along; `unknown`: lines without a known author",
    },
    task: { type: "string", value: "TEXT", description: "name of the task, kept in the message" },
    "dry-run": { type: "boolean", description: "show what would be committed, and commit nothing" },
  },
  examples: [
    ["headgate commit -m 'Round prices' --dry-run", "what is mine here?"],
    ["headgate commit -m 'Round prices'", "commit it"],
    ["headgate commit -m 'Finish it' --with claude:0199c2", "adopt what an ended session left"],
  ],
  exits: [
    [0, "committed; with --dry-run: would be"],
    [1, "refused"],
    [4, "nothing here is yours"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags } = context;
    const message = flags.text("message") ?? "";
    const isDryRun = flags.has("dry-run");
    if (message.trim() === "" && !isDryRun) {
      throw new HeadgateError("USAGE", "a commit needs a message: -m TEXT");
    }
    await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
    const { repository, lines, claims, structure } = headgate;
    if (repository.kind !== "git") {
      throw new HeadgateError("REPOSITORY_NOT_FOUND", "a commit needs a git repository");
    }
    if (!isDryRun) await noteRunning(headgate, context);
    const { commitPart, readAlong } = await import("../../../landing/index.ts");
    const task = flags.text("task");
    const answer = await commitPart(
      {
        ...{ repository, lines, claims, clock: systemClock, environment: context.environment },
        outline: (content, path) => structure.outline(Buffer.from(content), path),
      },
      {
        message,
        isDryRun,
        paths: flags.texts("path").map((path) => placeIn(repository.worktree, path, context)),
        along: flags.texts("with").map(readAlong),
        ...(task !== undefined && { task }),
      },
    );
    return print(answer, context);
  },
};

const placeIn = (root: string, path: string, { environment }: CommandContext): string => {
  const found = resolveInRepository([root], path, { cwd: environment.cwd });
  if (!found.ok) throw new HeadgateError(found.code, found.message);
  return found.path === "" ? "." : found.path;
};

const print = (answer: CommitAnswer, { output }: CommandContext): 0 | 1 | 4 => {
  output.object(answer);
  if (!answer.ok) {
    output.note(`headgate: nothing was committed [${answer.code}]`);
    for (const reason of answer.reasons) output.note(`  ${showText(reason, 400)}`);
    for (const file of answer.left) output.note(`  ${leftLine(file)}`);
    return answer.code === "COMMIT_NOTHING" ? 4 : 1;
  }
  const { commit, files, notes } = answer;
  const what = commit === null ? "would commit" : `committed ${commit.slice(0, 10)}`;
  output.line(`${output.style.green(what)}  ${plural(files.length, "file")}`);
  for (const { path, hunks, left } of files) {
    output.line(`  ${showText(path)}  ${plural(hunks, "change")}`);
    if (left.length > 0) output.line(output.style.dim(`    ${leftLine({ path, left })}`));
  }
  for (const note of notes) output.line(showText(note, 300));
  return 0;
};

const leftLine = ({
  path,
  left,
}: {
  readonly path: string;
  readonly left: readonly { readonly actor: string; readonly hunks: number }[];
}): string => {
  const whose = left.map(({ actor, hunks }) => `${plural(hunks, "edit")} of ${showText(actor)}`);
  return `left in ${showText(path)}: ${whose.join(", ")}`;
};
