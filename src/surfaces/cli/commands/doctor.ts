import { systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { errorCodes } from "../../../errors.ts";
import type { Check, checksIn, ClientFinding, Outcome, Proof } from "../../setup/index.ts";
import { knownIn, statusReport } from "../../status-report.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { placeFor } from "../setup-run.ts";
import { stateTargets } from "../state-targets.ts";

export const command: Command = {
  summary: "Check clients, hooks, trust and store; --prove shows a refusal",
  usage: ["doctor [--prove]"],
  description:
    "Looks whether each agent client is set up, trusted and able to be refused, whether the shim, git's " +
    "hooks, the store and the machine are as they must be, and says what to do about whatever is not. " +
    "With --prove a canary edit goes through each client's hook, started as the client starts it: one " +
    "that must be refused and one that must pass. No file is written.",
  options: {
    prove: { type: "boolean", description: "Drive a canary edit through every hook" },
  },
  examples: [
    ["headgate doctor", "look, and change nothing"],
    ["headgate doctor --prove", "see with your own eyes that an edit is refused"],
  ],
  exits: [
    [0, "all good; warnings count as good"],
    [1, "something must be mended"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output, flags } = context;
    const prove = flags.has("prove");
    await using headgate = await openFor(context, { readOnly: !prove, evenIfMisconfigured: true });
    const { checks, clients } = await withProgress({ output, what: "looking around" }, () =>
      examine(headgate, context),
    );
    const proved = prove ? await proveAll(headgate, clients, context) : undefined;
    const failed = (proved?.proofs ?? []).filter(({ ok }) => !ok).length;
    const problems =
      checks.filter(({ state }) => state === "problem").length +
      failed +
      (proved?.proofs.length === 0 ? 1 : 0) +
      (proved?.mcp?.ok === false ? 1 : 0);
    output.object({ ok: problems === 0, checks, ...proved });
    printChecks(checks, output);
    if (proved) printProofs(proved, output);
    printEnd(checks, problems, output);
    return problems === 0 ? 0 : 1;
  },
};

const examine = async (
  headgate: Headgate,
  context: CommandContext,
): Promise<{ checks: Check[]; clients: ClientFinding[] }> => {
  const setup = await import("../../setup/index.ts");
  const { gitHooksState } = await import("../../git/index.ts");
  const { environment } = context;
  const place = placeFor(headgate, context);
  const hasLocal = systemFiles.stat(place.localDir) !== undefined;
  const manifest = setup.readManifest(place.localDir, hasLocal);
  const detected = setup.detectClients(place);
  const report = await statusReport(headgate, environment);
  const [machine, store, git, rest, clients] = await Promise.all([
    setup.machineChecks(place, process.version),
    setup.storeChecks(headgate, report),
    gitHooksState(headgate.repository, { environment }).then(setup.gitChecks),
    surroundings(headgate, context),
    Promise.all(
      detected.map((one) => setup.checkClient(place, one, knownIn(report, one.client, manifest))),
    ),
  ]);
  const checks = [
    ...settingsChecks(headgate, setup.checksIn("settings")),
    ...setup.hookChecks(place),
    ...clients.flatMap((client) => client.checks),
    ...git,
    ...store,
    ...rest,
    ...machine,
  ];
  return { checks, clients };
};

/** Whoever is refused because of them is sent here. */
const settingsChecks = (
  { configProblem }: Headgate,
  { problem }: ReturnType<typeof checksIn>,
): Check[] =>
  configProblem ? [problem(configProblem.message, errorCodes[configProblem.code].remedy)] : [];

/** The server, and what crashed writers left behind. */
const surroundings = async (headgate: Headgate, context: CommandContext): Promise<Check[]> => {
  const { askServer } = await import("../../http/find-server.ts");
  const { checkState } = await import("../../../state/index.ts");
  const { checksIn } = await import("../../setup/index.ts");
  const { ok, warning } = checksIn("store");
  const { paths, rulesOf } = await stateTargets(
    { ...context, positionals: [] },
    { evenIfMisconfigured: true, ownOnly: true },
  );
  const { isClean, corrupt, temporaries } = await checkState(paths, { rulesOf });
  const [worst] = [...corrupt, ...temporaries];
  const server = await askServer(headgate.repository.localDir);
  const group = checksIn("server");
  return [
    isClean
      ? ok("nothing left over from a crash")
      : warning(
          worst === undefined
            ? "files that could not be read"
            : `${"problem" in worst && worst.problem ? "corrupt" : "left over from a crash"}: ${showText(worst.path)}`,
          "Run `headgate state check`, then `headgate state recover`.",
        ),
    server === "silent"
      ? group.warning(
          `not judged: no answer within ${limits.serverAnswerMs / 1000} s; hooks wait for it`,
          "Look again; if it stays so, `headgate up --stop` and end its process.",
        )
      : group.ok(
          server
            ? `running at ${server.address}`
            : "not running; hooks work without it, only slower",
        ),
  ];
};

interface Proved {
  readonly proofs: readonly Proof[];
  /** Absent where no client is set up. */
  readonly mcp?: Outcome;
}

const proveAll = async (
  headgate: Headgate,
  clients: readonly ClientFinding[],
  context: CommandContext,
): Promise<Proved> => {
  const { output } = context;
  const { proveClient, proveMcp } = await import("../../setup/index.ts");
  const place = placeFor(headgate, context);
  const proofs: Proof[] = [];
  // One after the other: each is timed.
  for (const { client, isConfigured } of clients) {
    if (!isConfigured) continue;
    const what = `asking as ${client.title}`;
    const proof = await withProgress({ output, what }, () => proveClient(headgate, place, client));
    proofs.push(proof);
    if (proof.ok) {
      await headgate.events.append({ kind: "client.proven", data: { client: client.name } });
    }
  }
  if (proofs.length === 0) return { proofs };
  const what = "starting the MCP server";
  return { proofs, mcp: await withProgress({ output, what }, () => proveMcp(place)) };
};

const printChecks = (checks: readonly Check[], output: Output): void => {
  const { bold, dim } = output.style;
  const groups = [...new Set(checks.map(({ group }) => group))];
  for (const group of groups) {
    output.line(bold(group));
    for (const { state, text, remedy } of checks.filter((one) => one.group === group)) {
      output.line(`  ${signOf(state, output)} ${showText(text)}`);
      if (remedy !== undefined) output.line(dim(`          → ${remedy}`));
    }
  }
};

const signOf = (state: Check["state"], { style }: Output): string => {
  if (state === "ok") return style.green("ok     ");
  return state === "warning" ? style.yellow("warning") : style.red("problem");
};

const printProofs = ({ proofs, mcp }: Proved, output: Output): void => {
  const { bold, dim } = output.style;
  output.line(bold("Proof"));
  if (proofs.length === 0) output.line("  no client is set up here, so there is nothing to prove");
  const line = (what: string, { ok, text, ms }: Outcome): void =>
    output.line(`  ${signOf(ok ? "ok" : "problem", output)} ${what}: ${text} ${dim(`(${ms} ms)`)}`);
  for (const { title, claimed, free } of proofs) {
    line(`${title}, a claimed file`, claimed);
    line(`${title}, a free file`, free);
  }
  if (mcp) line("MCP server", mcp);
};

const printEnd = (checks: readonly Check[], problems: number, output: Output): void => {
  const warnings = checks.filter(({ state }) => state === "warning").length;
  const { green, red } = output.style;
  output.line();
  const said = warnings === 0 ? "" : `, ${plural(warnings, "warning")}`;
  if (problems > 0) output.line(`${red(plural(problems, "problem"))}${said}`);
  else output.line(`${green("all good")}${said}`);
};
