import { systemClock } from "../../../base/clock.ts";
import type { Environment } from "../../../base/environment.ts";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { type ServerState, type StatusReport, statusReport } from "../../status-report.ts";
import { agentRows } from "../agent-rows.ts";
import { clockTime } from "../claim-lines.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { showSpan } from "../duration.ts";
import type { WantedReviewers } from "../missing-reviewers.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { commandLine } from "../../../base/shell-word.ts";
import { alignedLines } from "../table.ts";

export const command: Command = {
  summary: "Show who is here, what is claimed and refused, store and server",
  usage: ["status [--watch]"],
  description:
    "Which agents work here and whether their edits pass the gate or go around it, what " +
    "was refused last, how much is claimed; which repository this is, where its data is, whether its " +
    "server runs and which configuration files count. Looking changes nothing and creates nothing.",
  options: {
    watch: { type: "boolean", description: "Stay and show changes as they come, until Ctrl-C" },
  },
  examples: [
    ["headgate status", "for people"],
    ["headgate status --watch", "keep an eye on it"],
    ["headgate status --json --repo ../other", "for programs, about another repository"],
  ],
  exits: [
    [0, "shown"],
    [2, "shown, but the repository's settings are broken"],
    [4, "the folder does not exist"],
    [69, "shown, but the store cannot be read"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output } = context;
    await using headgate = await openFor(context, { readOnly: true, evenIfMisconfigured: true });
    const look = () => see(headgate, context.environment);
    if (context.flags.has("watch")) return await watch(context, look);
    const seen = await withProgress({ output, what: "looking at the store" }, look);
    show(seen, output);
    if (seen.report.store.state === "unavailable") return 69;
    return headgate.configProblem ? 2 : 0;
  },
};

interface Seen {
  readonly report: StatusReport;
  readonly reviewers: WantedReviewers | undefined;
  readonly server: SeenServer;
}

/** `silent`: its port is taken and gives no answer in time, so nothing is known of it. */
type SeenServer = ServerState | "silent" | undefined;

const see = async (headgate: Headgate, environment: Environment): Promise<Seen> => {
  const { askServer } = await import("../../http/find-server.ts");
  const { wantedReviewers } = await import("../missing-reviewers.ts");
  const [report, reviewers, found] = await Promise.all([
    statusReport(headgate, environment),
    wantedReviewers(headgate),
    askServer(headgate.repository.localDir),
  ]);
  if (found === undefined || found === "silent") return { report, reviewers, server: found };
  const { address, port, pid, since } = found;
  return { report, reviewers, server: { address, port, pid, since } };
};

const show = (seen: Seen, output: Output): void => {
  const { report, reviewers, server } = seen;
  const state = server === "silent" ? { running: false, silent: true } : server;
  output.object({
    ...report,
    missingReviewers: reviewers?.missing ?? [],
    server: { running: state !== undefined, ...state },
  });
  print(seen, output);
};

/** Draws anew where somebody looks on; elsewhere only what changed is said again. */
const watch = async (
  { output, signal }: CommandContext,
  look: () => Promise<Seen>,
): Promise<ExitCode> => {
  const isDrawn = process.stdout.isTTY && !output.json;
  let last = "";
  while (!signal.aborted) {
    const seen = await look();
    const now = JSON.stringify(seen);
    if (isDrawn) process.stdout.write(clearScreen);
    else if (now !== last && last !== "") output.line();
    if (isDrawn || now !== last) show(seen, output);
    last = now;
    await systemClock.sleep(watchEveryMs, signal);
  }
  return 0;
};

const watchEveryMs = 2000;
/** Output itself lets nothing but colours through to a terminal. */
const clearScreen = "\u001b[H\u001b[2J";

const serverText = (server: SeenServer): string => {
  if (server === "silent") {
    return `not judged: no answer within ${limits.serverAnswerMs / 1000} s  (headgate doctor)`;
  }
  return server
    ? `${server.address}  (process ${server.pid}, since ${clockTime(server.since)})`
    : notRunning;
};

const print = ({ report, reviewers, server }: Seen, output: Output): void => {
  const { repository, store, claims, configuration } = report;
  const kind = repository.kind === "git" ? "git repository" : "folder without git";
  const rows: [string, string][] = [
    ["repository", `${showText(repository.root)}  (${kind})`],
    ["scope", showText(repository.scope)],
    ...agentRows(report, systemClock.wallMs()),
    ...noticesRows(report.notices),
    ...linesRows(report.lines),
    ...openEndRows(report.openEnds),
    ...unjudgedRows(report.unjudged, systemClock.wallMs()),
    ...report.lateCommits
      .slice(0, linesMax)
      .map(({ commit, problems: [first = "", ...more], message = "" }, index): [string, string] => [
        index === 0 ? "without hooks" : "",
        `commit ${commit.slice(0, 10)} has ${showText(first, 120)}: ${showText(message, 200)}${more.length > 0 ? `, and ${more.length} more` : ""}`,
      ]),
    ...report.personNeeded
      .slice(0, linesMax)
      .map(({ actor, line }, index): [string, string] => [
        index === 0 ? "for a person" : "",
        `${showText(actor, 60)} wanted: ${showText(line, 300)}`,
      ]),
    ...report.damagedRecords
      .slice(0, linesMax)
      .map((message): [string, string] => [
        "not believed",
        `${showText(message, 300)}; nothing of it was done  [EDIT_JOURNAL_DAMAGED]`,
      ]),
    ...report.changedFiles.map((path): [string, string] => [
      "changed",
      `${showText(path)} is not this release's  (look at it, then: headgate init)`,
    ]),
    ...report.trustAgain.map(({ text }): [string, string] => ["trust", text]),
    ...report.notWatched.map(({ worktree, why }): [string, string] => [
      "not watched",
      `${showText(worktree)}: ${showText(why)}; its files are looked at when they are asked for`,
    ]),
    ["store", storeText(store)],
    ...(store.state === "unavailable" ? [remedyRow(store)] : []),
    ...(claims === undefined ? [] : claimRows(claims, systemClock.wallMs())),
    ["server", serverText(server)],
    ...reviewerRows(reviewers),
    ...settingsRows(configuration),
  ];
  if (repository.worktree !== repository.root) {
    rows.splice(1, 0, ["worktree", showText(repository.worktree)]);
  }
  const { dim, red } = output.style;
  for (const line of alignedLines(rows, (cell, column) => (column === 0 ? dim(cell) : cell))) {
    output.line(line.replace(/^clients .*/, (text) => text.replaceAll("PROBLEM", red("PROBLEM"))));
  }
};

const noticesRows = (count: number): [string, string][] =>
  count === 0 ? [] : [["notices", `${plural(count, "notice")} for you  (headgate inbox)`]];

/** Lines of a session that is gone are there to be adopted. */
const linesRows = (lines: StatusReport["lines"]): [string, string][] =>
  lines.slice(0, linesMax).map(({ session, state, files }, index): [string, string] => {
    const named = files.slice(0, 3).map(({ path, edits, parts }) => {
      const [first, ...rest] = parts;
      const place = showText(first ?? path, 60);
      return `${edits} in ${place}${rest.length > 0 ? ` and ${rest.length} more there` : ""}`;
    });
    const more =
      files.length > named.length ? ` and ${files.length - named.length} more files` : "";
    const what = `${named.join(", ")}${more}`;
    const name = showText(session, 60);
    const isGone = state === "ended" || state === "dead";
    const text = isGone
      ? `left by ${name}: ${what}; adopt: ${commandLine(["headgate", "commit", "--with", session])} -m "…"`
      : `${name}  uncommitted edits: ${what}`;
    return [index === 0 ? "lines" : "", text];
  });

const linesMax = 20;

const reviewerRows = (wanted: WantedReviewers | undefined): [string, string][] => {
  if (wanted === undefined) return [];
  const { domains, missing } = wanted;
  const names = missing.slice(0, linesMax).join(", ");
  const count = `${missing.length} for this project (${domains.join(", ")}) not made yet`;
  return [["reviewers", `${count}: ${names}  (headgate reviewers generate)`]];
};

const openEndRows = (ends: StatusReport["openEnds"]): [string, string][] => {
  const rows = ends.slice(0, linesMax).map(({ session, path, line, code, missing }): string => {
    const name = showText(missing, 80);
    const place = `${showText(path, 80)}${line > 0 ? `:${line}` : ""}`;
    return `'${name}' ${endWords[code] ?? "does not exist yet"}  (${place}, ${showText(session, 60)})`;
  });
  if (ends.length > rows.length) rows.push(`and ${ends.length - rows.length} more`);
  return rows.map((text, index) => [index === 0 ? "open ends" : "", text]);
};

const endWords: Readonly<Record<string, string>> = {
  SYMBOL_REMOVED: "is gone, and other files still import it",
  NAME_DANGLING: "is gone, and the file still uses it",
  ARGUMENTS_MISMATCH: "does not fit its function",
};

/** Nothing is known about them: what is shown elsewhere as judged does not cover them. */
const unjudgedRows = (
  { count, writes }: StatusReport["unjudged"],
  nowMs: number,
): [string, string][] => {
  const [oldest] = writes;
  if (!oldest) return [];
  const ago = showSpan(Math.max(1000, nowMs - Date.parse(oldest.since)));
  const paths = writes.slice(0, 5).map(({ path }) => showText(path, 80));
  const more = count > paths.length ? ` and ${count - paths.length} more` : "";
  return [
    ["not judged", `${plural(count, "write")}, since ${ago}: ${paths.join(", ")}${more}`],
    ["", `→ ${showText(oldest.why, 120)}; judged in the background, and before a commit`],
  ];
};

const settingsRows = ({ files, problem }: StatusReport["configuration"]): [string, string][] =>
  problem
    ? [["settings", `broken: ${showText(problem.message, 1000)}`], remedyRow(problem)]
    : [["settings", files.map((file) => showText(file)).join(", ") || "all defaults"]];

const remedyRow = ({ remedy, code }: { remedy: string; code: string }): [string, string] => [
  "",
  `→ ${remedy} [${code}]`,
];

const notRunning = "not running  (start it with `headgate up`; nothing needs it)";

const storeText = (store: StatusReport["store"]): string => {
  const place = `${store.kind} at ${showText(store.location)}`;
  if (store.state === "none") return `${place}  (nothing stored yet)`;
  if (store.state === "unavailable") {
    return `unavailable: ${showText(store.message)}`;
  }
  const newest = store.events === 0 ? "no events yet" : `newest event ${store.events}`;
  return `${place}  (schema ${store.schema}, ${newest})`;
};

const claimRows = (
  claims: NonNullable<StatusReport["claims"]>,
  nowMs: number,
): [string, string][] => [
  ["claims", claimsText(claims)],
  ...claims.held.map(({ target, actor, expiresAt }): [string, string] => {
    const left = showSpan(Math.max(1000, Date.parse(expiresAt) - nowMs));
    return ["", `${showText(target, 200)}  ${showText(actor, 60)}, ${left} left`];
  }),
];

const claimsText = ({ live, waiters }: NonNullable<StatusReport["claims"]>): string => {
  const held = live === 0 ? "none" : String(live);
  const waiting = waiters === 0 ? "nobody waits" : `${plural(waiters, "waiter")} in line`;
  return `${held} live, ${waiting}  (who holds what: headgate claims)`;
};
