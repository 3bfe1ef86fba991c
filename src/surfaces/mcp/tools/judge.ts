import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { countNames, type Proposal } from "../../../gate/index.ts";
import { plainReasons, reasonLines } from "../answers.ts";
import { plainData } from "../data-text.ts";
import { file, reason, repositoryText } from "../shapes.ts";
import { ownPath } from "../own-path.ts";
import { defineTool, looking } from "../tool.ts";

const names = v.array(repositoryText);
const count = v.object({ before: v.number(), after: v.number() });
const counts = Object.fromEntries(countNames.map((name) => [name, count])) as Record<
  (typeof countNames)[number],
  typeof count
>;

export const judgeTool = defineTool({
  name: "judge",
  title: "Would this write be allowed?",
  description:
    "Ask whether writes would be allowed, without writing or claiming anything: for each file its whole " +
    "content afterwards (after; null deletes it) and, if you know it, the content you started from (before). " +
    "verdict is allow or deny; reasons say what is wrong, where and what to do instead; notes do not refuse.",
  annotations: looking,
  input: v.strictObject({
    writes: v.pipe(
      v.array(
        v.strictObject({
          path: file,
          before: v.optional(v.nullable(v.string())),
          after: v.nullable(v.string()),
        }),
      ),
      v.minLength(1),
      v.maxLength(limits.proposalWritesMax),
    ),
    stage: v.optional(
      v.pipe(
        v.picklist(["edit", "commit"]),
        v.description("commit: what a later edit could still make right is a reason, not a note"),
      ),
    ),
  }),
  output: {
    verdict: v.optional(v.picklist(["allow", "deny"])),
    confirm: v.optional(v.boolean()),
    reasons: v.optional(v.array(reason)),
    notes: v.optional(v.array(reason)),
    files: v.optional(
      v.array(
        v.object({
          path: repositoryText,
          language: v.string(),
          before: v.nullable(v.string()),
          after: v.nullable(v.string()),
          added: names,
          removed: names,
          changed: names,
          merged: v.optional(v.boolean()),
        }),
      ),
    ),
    deltas: v.optional(
      v.object({
        total: v.object(counts),
        files: v.array(v.object({ path: repositoryText, ...counts })),
      }),
    ),
  },
  run: async (args, call) => {
    const { worktree } = call.headgate.repository;
    const writes = args.writes.map(({ path, before, after }) => ({
      path: ownPath(worktree, path),
      after,
      ...(before !== undefined && { before }),
    }));
    const { stage = "edit" } = args;
    const judged = await call.withProgress({ message: "judging" }, () =>
      call.looker.gate.judge({ writes } satisfies Proposal, { stage }),
    );
    const { verdict, confirm, reasons, notes, files, deltas } = judged;
    return {
      structured: {
        ok: true,
        verdict,
        ...(confirm && { confirm }),
        reasons: plainReasons(reasons),
        notes: plainReasons(notes),
        files: files.map(({ path, language, before, after, regions, merged }) => ({
          ...plainData(
            {
              path,
              language,
              before,
              after,
              added: regions.added,
              removed: regions.removed,
              changed: regions.changed,
            },
            limits.pathBytesMax,
          ),
          ...(merged !== undefined && { merged: true }),
        })),
        deltas: {
          total: deltas.total,
          files: deltas.files.map((delta) => plainData({ ...delta }, limits.pathBytesMax)),
        },
      },
      text: [
        verdict === "allow" ? "would be allowed" : "would be denied",
        ...reasonLines(reasons),
        ...reasonLines(notes).map((line) => `note: ${line}`),
      ].join("\n"),
    };
  },
});
