import { join } from "node:path";
import { systemClock } from "../../../base/clock.ts";
import { systemFiles } from "../../../base/files.ts";
import { newId } from "../../../base/ids.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Scene } from "../../demo/index.ts";
import { clockTime } from "../claim-lines.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { openToLook } from "../open-for.ts";
import { withProgress } from "../progress.ts";
import { alignedLines } from "../table.ts";
import { command as agent } from "./demo-agent.ts";

export const command: Command = {
  summary: "Watch eight agents work at once, make mistakes, and break nothing",
  usage: ["demo [--agents N] [--seconds S] [--stay] [--keep]"],
  description:
    "Makes a small repository in a temporary folder, sets it up as `init` does, and lets scripted agents work " +
    "on it, each a process of its own that edits through the real hooks. They add what exists, break the syntax, " +
    "want the same function, fall asleep with a claim, wait in a circle and get killed. At the end everything is " +
    "counted again from the files on disk. No model and no network is used; the folder is removed afterwards.",
  options: {
    agents: { type: "string", value: "N", description: "How many agents, 2 to 32 (default: 8)" },
    seconds: { type: "string", value: "S", description: "How long they work (default: 20)" },
    stay: { type: "boolean", description: "Keep the server for the dashboard until Ctrl-C" },
    keep: { type: "boolean", description: "Do not remove the repository" },
  },
  subcommands: { agent },
  examples: [
    ["headgate demo", "eight agents, twenty seconds"],
    ["headgate demo --agents 16 --seconds 60 --stay", "more of it, and time for the dashboard"],
  ],
  exits: [
    [0, "everything was handled, and the files are as the agents say"],
    [1, "something was not"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const agents = flags.integer("agents", { min: 2, max: 32 }) ?? 8;
    const seconds = flags.integer("seconds", { min: 10, max: 3600 }) ?? 20;
    const root = join(temporaryFolder(context), `headgate-demo-${newId("run").slice(-9)}`);
    systemFiles.makeDirectory(root, 0o700);
    try {
      return await play(context, { root, agents, seconds });
    } finally {
      if (flags.has("keep")) output.note(`headgate: the repository stays at ${showText(root)}`);
      else await removeWhenQuiet(root);
    }
  },
};

/** Agents and server were asked to end; what they still write makes a folder not empty. */
const removeWhenQuiet = async (root: string): Promise<void> => {
  const { removeTree } = await import("../../setup/index.ts");
  for (let tries = 1; ; tries += 1) {
    try {
      return removeTree(root, systemFiles);
    } catch (error) {
      if (tries === 100) throw error;
      await systemClock.sleep(100);
    }
  }
};

const temporaryFolder = ({ environment }: CommandContext): string =>
  environment.variables["TMPDIR"] ?? environment.variables["TEMP"] ?? "/tmp";

const play = async (
  context: CommandContext,
  options: { readonly root: string; readonly agents: number; readonly seconds: number },
): Promise<ExitCode> => {
  const { output, environment, signal, flags } = context;
  const { root, agents, seconds } = options;
  const { bold, dim, green, red, cyan } = output.style;
  const demo = await import("../../demo/index.ts");
  const node = process.execPath;
  output.line(`${bold(plural(agents, "agent"))} in ${showText(root)} for ${seconds} s`);
  const stage = await withProgress({ output, what: "setting a small repository up" }, () =>
    demo.makeStage({ root, agents, node, environment }),
  );
  const startMs = systemClock.monoMs();
  const at = (): string =>
    dim(`${((systemClock.monoMs() - startMs) / 1000).toFixed(1)}s`.padStart(6));
  output.line(`${dim("dashboard")}  ${cyan(stage.dashboard)}`);
  output.line();
  let edits = 0;
  const cast = demo.hireCast({ count: agents, program: stage.agentProgram, root, env: stage.env });
  try {
    const playing = {
      landed: () => {
        edits += 1;
      },
      scene: ({ name, happened, handled, isHandled, missed }: Scene) => {
        const mark = isHandled ? green("✓") : red("✗");
        output.line(`${at()}  ${mark} ${bold(name)}  ${dim(`${edits} edits so far`)}`);
        output.line(`          ${showText(happened)}`);
        output.line(
          `          ${dim("→")} ${withClock(showText(isHandled ? handled : missed, 400))}`,
        );
      },
    };
    const what = async () => `the agents work, ${plural(edits, "edit")} so far`;
    const scenes = await withProgress({ output, what }, () =>
      demo.direct(cast, { ms: seconds * 1000, signal, shown: playing }),
    );
    if (signal.aborted) return 130;
    await using headgate = await openToLook(root, environment);
    const checks = await demo.checkAll(cast, headgate, root);
    const ok = [...scenes.map(({ isHandled }) => isHandled), ...checks.map((one) => one.ok)];
    output.object({ ok: ok.every(Boolean), agents, seconds, scenes, checks });
    output.line();
    output.line(bold("Counted again, from the files and the log"));
    const rows = checks.map(({ what, told, found, ok: isSo }) => [
      `  ${isSo ? green("✓") : red("✗")} ${what}`,
      String(found),
      isSo ? "" : red(`should be ${told}`),
    ]);
    for (const line of alignedLines(rows)) output.line(line);
    output.line();
    const [bad, wrong] = [scenes.filter((one) => !one.isHandled), checks.filter((one) => !one.ok)];
    const passed = `${scenes.length - bad.length} of ${scenes.length} scenes and ${checks.length - wrong.length} of ${checks.length} counts came out right`;
    output.line(bad.length + wrong.length === 0 ? green(`${passed}.`) : red(`${passed}:`));
    for (const { name, missed } of bad) output.line(`  ${bold(name)}: ${showText(missed, 400)}`);
    for (const { what, told, found } of wrong) {
      output.line(`  ${bold(what)}: ${found}, and should be ${told}`);
    }
    output.line(dim("Set it up for your own repository: headgate init"));
    if (flags.has("stay")) await stay(context, stage.dashboard);
    return ok.every(Boolean) ? 0 : 1;
  } finally {
    await cast.dismiss();
    await stage.run("up", "--stop").catch(() => undefined);
  }
};

/** Refusals are for agents and name times with their zone; people read their own clock. */
const withClock = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, clockTime);

const stay = async ({ output, signal }: CommandContext, address: string): Promise<void> => {
  output.line(`The server stays at ${address} until Ctrl-C.`);
  while (!signal.aborted) await systemClock.sleep(60_000, signal);
};
