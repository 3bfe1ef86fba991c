/** At the end of a turn: word of the session's own lines that are not committed, once until it writes again. */
import { plural, showText } from "../../base/text.ts";
import type { OpenEnd } from "../../gate/index.ts";
import { linesReport } from "../lines-report.ts";
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { inWorktree } from "./in-worktree.ts";
import { ringFor } from "./ring-for.ts";
import type { HookCall, HookDecision } from "./types.ts";

/** It only tells: a turn that ends is never made to go on. */
export const remindOfLines = async (
  call: HookCall,
  headgate: HookHeadgate,
  dependencies: HookDependencies,
): Promise<HookDecision> => {
  const { session } = dependencies.actorOf(call);
  const there = await inWorktree(call, headgate, dependencies);
  const own = [...(await there.lines.noted()).values()].flatMap(({ edits }) =>
    edits.filter((edit) => edit.session === session).map(({ at }) => at),
  );
  const ring = ringFor(call, there, dependencies);
  if (own.length === 0 || !ring) return { kind: "pass" };
  const report = (await linesReport(there)).find((one) => one.session === session);
  if (!report || !(await ring.isNewsOfLines(Math.max(...own)))) return { kind: "pass" };
  const named = report.files.slice(0, filesNamed).map(({ path }) => showText(path, 80));
  const rest = report.files.length - named.length;
  const more = rest > 0 ? ` and ${plural(rest, "more file", "more files")}` : "";
  const count = report.files.reduce((sum, { edits }) => sum + edits, 0);
  const text = `Headgate: ${plural(count, "edit")} of this session not committed yet, in ${named.join(", ")}${more}. A commit of this session (git add -A && git commit) takes exactly these lines.`;
  return { kind: "tell", text: `${text}${owed(await there.openEnds(), session)}` };
};

/** Open ends would stop that commit (E-23). */
const owed = (ends: readonly OpenEnd[], session: string): string => {
  const own = ends.filter((end) => end.session === session);
  if (own.length === 0) return "";
  const named = own
    .slice(0, endsNamed)
    .map(({ missing, path, line }) => `'${showText(missing, 60)}' (${showText(path, 80)}:${line})`);
  const rest = own.length - named.length;
  const more = rest > 0 ? ` and ${plural(rest, "more name", "more names")}` : "";
  return ` It is refused while ${named.join(", ")}${more} does not exist.`;
};

const endsNamed = 3;

const filesNamed = 3;
