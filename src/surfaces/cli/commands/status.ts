import { plural, showText } from "../../../base/text.ts";
import { type ServerState, type StatusReport, statusReport } from "../../status-report.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { alignedLines } from "../table.ts";

export const command: Command = {
  summary: "Show repository, store, claims, server and configuration",
  usage: ["status"],
  description:
    "Which repository this folder belongs to, where Headgate keeps its data, how much is claimed, whether " +
    "its server runs and which configuration files count. Looking changes nothing and creates nothing.",
  options: {},
  examples: [
    ["headgate status", "for people"],
    ["headgate status --json --repo ../other", "for programs, about another repository"],
  ],
  exits: [
    [0, "shown"],
    [4, "the folder does not exist"],
    [69, "shown, but the store cannot be read"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output } = context;
    const { findServer } = await import("../../http/find-server.ts");
    await using headgate = await openFor(context, { readOnly: true });
    const [report, found] = await withProgress({ output, what: "looking at the store" }, () =>
      Promise.all([statusReport(headgate), findServer(headgate.repository.localDir)]),
    );
    const server: ServerState | undefined = found && {
      address: found.address,
      port: found.port,
      pid: found.pid,
      since: found.since,
    };
    output.object({ ...report, server: { running: server !== undefined, ...server } });
    print(report, server, output);
    return report.store.state === "unavailable" ? 69 : 0;
  },
};

const print = (
  { repository, store, claims, configuration }: StatusReport,
  server: ServerState | undefined,
  output: Output,
): void => {
  const kind = repository.kind === "git" ? "git repository" : "folder without git";
  const rows: [string, string][] = [
    ["repository", `${showText(repository.root)}  (${kind})`],
    ["scope", showText(repository.scope)],
    ["store", storeText(store)],
    ...(store.state === "unavailable" ? [remedyRow(store)] : []),
    ...(claims === undefined ? [] : [["claims", claimsText(claims)] satisfies [string, string]]),
    [
      "server",
      server ? `${server.address}  (process ${server.pid}, since ${server.since})` : notRunning,
    ],
    ["settings", configuration.files.map((file) => showText(file)).join(", ") || "all defaults"],
  ];
  if (repository.worktree !== repository.root) {
    rows.splice(1, 0, ["worktree", showText(repository.worktree)]);
  }
  const { dim } = output.style;
  for (const line of alignedLines(rows, (cell, column) => (column === 0 ? dim(cell) : cell))) {
    output.line(line);
  }
};

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

const claimsText = ({ live, waiters, more }: NonNullable<StatusReport["claims"]>): string => {
  const held = live === 0 ? "none" : more ? `more than ${live}` : String(live);
  const waiting = waiters === 0 ? "nobody waits" : `${plural(waiters, "waiter")} in line`;
  return `${held} live, ${waiting}  (who holds what: headgate claims)`;
};
