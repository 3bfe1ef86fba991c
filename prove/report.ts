/** The table: a row for the mean over the seeds and one for each seed, per window and mode. */
import type { Measured, ModeResult } from "./measure.ts";
import { modes } from "./modes.ts";

export interface SeedResult extends ModeResult {
  readonly window: string;
  readonly mode: string;
  readonly seed: number;
}

const columns: readonly (readonly [title: string, show: (m: Measured) => string])[] = [
  ["tasks", ({ tasks }) => show(tasks)],
  ["landed", ({ landed }) => show(landed)],
  ["absorbed", ({ absorbed }) => show(absorbed)],
  ["stuck", ({ stuck }) => show(stuck)],
  ["lines lost (of these left somewhere)", (m) => `${show(m.lost)} (${show(m.left)})`],
  ["foreign lines", ({ foreign }) => show(foreign)],
  ["commits (two names)", (m) => `${show(m.commits)} (${show(m.shared)})`],
  ["broken commits", ({ broken }) => show(broken)],
  ["wrong refusals", (m) => show(m.wrongRefusals)],
  ["CALL_UNKNOWN", (m) => show(m.unknownCalls)],
  ["retries", ({ retries }) => show(retries)],
  ["waited: tasks, s", (m) => `${show(m.waitedTasks)}, ${show(m.waitedSeconds)}`],
  ["in hooks, s", (m) => show(m.hookSeconds)],
  ["tokens heard: median, most", (m) => `${show(m.heardMedian)}, ${show(m.heardMost)}`],
  ["human commands", (m) => show(m.humanCommands)],
  ["unfit edits", ({ unfit }) => show(unfit)],
  ["s", ({ seconds }) => show(seconds)],
];

const show = (value: number): string => String(Math.round(value * 10) / 10);

export const meanOver = (all: readonly Measured[]): Measured => {
  const [first] = all;
  if (!first) throw new Error("no seed was run");
  const keys = Object.keys(first) as (keyof Measured)[];
  const mean = (key: keyof Measured): number =>
    all.reduce((sum, one) => sum + one[key], 0) / all.length;
  return Object.fromEntries(keys.map((key) => [key, mean(key)])) as unknown as Measured;
};

export const formatReport = (results: readonly SeedResult[]): string =>
  [...new Set(results.map(({ window }) => window))]
    .map((window) =>
      formatWindow(
        window,
        results.filter((one) => one.window === window),
      ),
    )
    .join("\n");

const formatWindow = (window: string, results: readonly SeedResult[]): string => {
  const rows = modes.flatMap(({ name, title }) => {
    const own = results.filter(({ mode }) => mode === name);
    if (own.length === 0) return [];
    const all = own.map(({ measured }) => measured);
    const row = (label: string, seed: string, one: Measured): string =>
      `| ${[label, seed, ...columns.map(([, cell]) => cell(one))].join(" | ")} |`;
    return [
      row(title, "mean", meanOver(all)),
      ...own.map(({ seed, measured }) => row("", String(seed), measured)),
    ];
  });
  const titles = ["mode", "seed", ...columns.map(([title]) => title)];
  const lines = [
    `## ${window}`,
    "",
    `| ${titles.join(" | ")} |`,
    `|${titles.map(() => " --- |").join("")}`,
    ...rows,
    "",
    ...listDetails(results),
  ];
  return `${lines.join("\n")}\n`;
};

/** Every wrong refusal and every broken commit, so that they can be read. */
const listDetails = (results: readonly SeedResult[]): string[] => {
  const refusals = results.flatMap(({ mode, seed, wrongRefusals }) =>
    wrongRefusals.map(
      ({ task, code, place, text }) =>
        `- ${mode}, seed ${seed}, task ${task}: ${code} ${place}: ${shorten(text)}`,
    ),
  );
  const faults = results.flatMap(({ mode, seed, faults: all }) =>
    all.map((fault) => `- ${mode}, seed ${seed}: ${fault}`),
  );
  const stuck = results.flatMap(({ mode, seed, stuck: all }) =>
    all.map(({ task, givenUp, missing }) => {
      const parts = [
        ...(givenUp.length > 0 ? [`gave up ${givenUp.join(", ")}`] : []),
        ...(missing.length > 0 ? [`${missing.length} lines in no commit, ${missing[0]}`] : []),
      ];
      return `- ${mode}, seed ${seed}, task ${task}: ${parts.join("; ")}`;
    }),
  );
  return [
    ...(stuck.length > 0 ? ["Stuck tasks:", "", ...stuck, ""] : []),
    ...(refusals.length > 0 ? ["Wrong refusals:", "", ...refusals, ""] : []),
    ...(faults.length > 0 ? ["Broken commits:", "", ...faults, ""] : []),
  ];
};

const shorten = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 240);

/** N-00, for the mean of a window; each miss as a sentence. */
export const findMisses = (results: readonly SeedResult[]): string[] =>
  [...new Set(results.map(({ window }) => window))].flatMap((window) => {
    const mean = (name: string): Measured | undefined => {
      const all = results.filter((one) => one.window === window && one.mode === name);
      return all.length > 0 ? meanOver(all.map(({ measured }) => measured)) : undefined;
    };
    const headgate = mean("headgate");
    if (!headgate) return [];
    const trees = mean("worktrees-plain");
    const zero = ["lost", "foreign", "broken", "humanCommands"] as const;
    const misses = zero
      .filter((key) => headgate[key] > 0)
      .map((key) => `${window}: ${key} ${show(headgate[key])}, wanted 0`);
    if (trees && headgate.landed < trees.landed) {
      misses.push(
        `${window}: ${show(headgate.landed)} landed, worktrees land ${show(trees.landed)}`,
      );
    }
    return misses;
  });
