/** Who is here, as rows of `headgate status`. */
import { plural, showText } from "../../base/text.ts";
import type { AgentsReport } from "../agents-report.ts";
import { actorWords } from "../claim-vias.ts";
import { showSpan } from "./duration.ts";

export const agentRows = (report: AgentsReport, nowMs: number): [string, string][] => {
  const ago = (at: string): string => `${showSpan(Math.max(1000, nowMs - Date.parse(at)))} ago`;
  const { clients, sessions, refusals, routedAround } = report;
  const setUp = clients
    .filter(({ problem }) => !problem)
    .map(({ title, state }) => `${title} ${state}`);
  const problems = clients.flatMap(({ title, problem }) =>
    problem ? [`${title} PROBLEM: ${showText(problem.reason, 200)}  (${problem.command})`] : [],
  );
  const rows: [string, string][] = [
    ...underOne("clients", [
      ...(setUp.length > 0 || problems.length === 0
        ? [setUp.join(" · ") || "none set up  (headgate init)"]
        : []),
      ...problems,
    ]),
    ...underOne(
      "agents",
      sessions.slice(0, listedMax).map(({ actor, lastSeen, claims }) => {
        const held = claims === 0 ? "holds nothing" : `holds ${plural(claims, "claim")}`;
        return `${showText(actor, 60)}  last heard ${ago(lastSeen)}, ${held}`;
      }),
    ),
    ...underOne(
      "refused",
      refusals.map(({ at, actor, code, path, symbol, via }) => {
        const what = symbol === undefined ? path : `${path}#${symbol}`;
        return `${showText(code, 40)} ${showText(what, 80)}  (${showText(actorWords(actor, via), 80)}, ${ago(at)})`;
      }),
    ),
  ];
  if (sessions.length > listedMax) rows.push(["", `and ${sessions.length - listedMax} more`]);
  rows.push(...missedRows(report.missed, ago));
  const { writes, commits, last } = routedAround;
  if (writes + commits === 0) return rows;
  const parts = [
    ...(writes > 0 ? [`${plural(writes, "file")} written past the gate`] : []),
    ...(commits > 0 ? [`${plural(commits, "commit")} not judged`] : []),
  ];
  const when = last === undefined ? "" : `, last ${ago(last)}`;
  const kinds = [
    ...(writes > 0 ? ["write.ungated"] : []),
    ...(commits > 0 ? ["commit.unjudged"] : []),
  ];
  const look = kinds.map((kind) => `headgate events --kind ${kind}`).join(", ");
  return [...rows, ["around", `${parts.join(", ")}${when}  (${look})`]];
};

const missedRows = (
  missed: AgentsReport["missed"],
  ago: (at: string) => string,
): [string, string][] => {
  const [newest] = missed;
  if (!newest) return [];
  const { at, what, where, why } = newest;
  const more = missed.length > 1 ? `, ${missed.length - 1} more before it` : "";
  return [
    [
      "not judged",
      `${showText(what, 40)} ${showText(where, 80)}: ${showText(why, 120)}  (${ago(at)}${more})`,
    ],
    ["", "→ headgate events --kind judgement.missed"],
  ];
};

const listedMax = 20;

const underOne = (title: string, lines: readonly string[]): [string, string][] =>
  lines.map((line, index) => [index === 0 ? title : "", line]);
