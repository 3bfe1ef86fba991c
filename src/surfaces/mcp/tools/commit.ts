import * as v from "valibot";
import { systemClock } from "../../../base/clock.ts";
import { systemEnvironment } from "../../../base/environment.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { commitPart, type CommitFile, readAlong } from "../../../landing/index.ts";
import { refusal } from "../answers.ts";
import { agentText, repositoryText } from "../shapes.ts";
import { ownPath } from "../own-path.ts";
import { defineTool } from "../tool.ts";

const files = v.array(
  v.object({
    path: repositoryText,
    hunks: v.number(),
    left: v.array(v.object({ actor: agentText, hunks: v.number() })),
  }),
);

export const commitTool = defineTool({
  name: "commit",
  title: "Commit your own lines",
  description:
    "Commit the lines that you wrote, and leave the lines of other sessions in the same files uncommitted. " +
    "Lines of others that yours were written onto go along after a short wait, and the message names their " +
    "author. with takes an actor's lines along at once; unknown means lines without a known author. dryRun " +
    "only shows what would be committed.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  input: v.strictObject({
    message: v.pipe(v.string(), v.minLength(1), v.description("Message of the commit.")),
    paths: v.optional(v.pipe(v.array(v.string()), v.maxLength(limits.claimTargetsMax))),
    with: v.optional(v.pipe(v.array(v.string()), v.maxLength(limits.claimTargetsMax))),
    dryRun: v.optional(v.boolean()),
  }),
  output: {
    commit: v.optional(v.nullable(v.string())),
    files: v.optional(files),
    released: v.optional(v.array(v.string())),
    notes: v.optional(v.array(v.string())),
    reasons: v.optional(v.array(v.string())),
    left: v.optional(files),
  },
  run: async ({ message, paths = [], with: along = [], dryRun }, call) => {
    const { repository, lines, structure } = call.headgate;
    const { claims } = call.actor();
    const answer = await call.withProgress({ message: "committing" }, () =>
      commitPart(
        {
          ...{ repository, lines, claims, clock: systemClock, environment: systemEnvironment() },
          outline: (content, path) => structure.outline(Buffer.from(content), path),
        },
        {
          message,
          paths: paths.map((path) => ownPath(repository.worktree, path)),
          along: along.map(readAlong),
          isDryRun: dryRun ?? false,
        },
      ),
    );
    if (!answer.ok) {
      const { code, reasons, left } = answer;
      const more = { reasons: [...reasons], left: left.map(plainFile) };
      const refused = refusal(code, reasons.join("; "), more);
      return {
        structured: refused,
        text: [`${code}: ${refused.message}`, refused.remedy].join("\n"),
      };
    }
    const { commit, released, notes } = answer;
    const made = commit === null ? "would commit" : `committed ${commit.slice(0, 10)}`;
    const text = [made, ...answer.files.map(({ path }) => `  ${showText(path)}`), ...notes];
    return {
      structured: {
        ok: true,
        commit,
        files: answer.files.map(plainFile),
        released: [...released],
        notes: [...notes],
      },
      text: text.join("\n"),
    };
  },
});

const plainFile = ({ path, hunks, left }: CommitFile) => ({
  path,
  hunks,
  left: left.map((one) => ({ ...one })),
});
