/** GET /api/health-report: what `headgate doctor` and `headgate status` find, for people who look at the page. */
import { systemFiles } from "../../../base/files.ts";
import type { Headgate } from "../../../compose.ts";
import type { Check, SetupPlace } from "../../setup/index.ts";
import { knownIn, statusReport, type StatusReport } from "../../status-report.ts";
import type { ApiContext, App } from "./context.ts";
import type { HealthAnswer } from "./shapes.ts";

export const addHealth = (app: App, api: ApiContext): void => {
  app.get("/api/health-report", async (context) => context.json(await look(api)));
};

const look = async (api: ApiContext): Promise<HealthAnswer> => {
  const { headgate, version, state, streams } = api;
  const report = await statusReport(headgate, api.environment);
  const { kind, location, state: storeState } = report.store;
  const { address, pid, since } = state();
  return {
    checks: await checksOf(headgate, report, api),
    clients: report.clients.map(({ title, state: reached, problem, sessions }) => ({
      ...{ title, state: reached, sessions },
      ...(problem && { problem }),
    })),
    routedAround: report.routedAround,
    store: {
      kind: report.store.state === "ready" ? `${kind} ${report.store.version}` : kind,
      location,
      state: storeState,
    },
    server: { address, pid, since, version, node: process.version, streams: streams() },
    events: report.store.state === "ready" ? report.store.events : 0,
  };
};

const checksOf = async (
  headgate: Headgate,
  report: StatusReport,
  { environment }: ApiContext,
): Promise<Check[]> => {
  const setup = await import("../../setup/index.ts");
  const { gitHooksState } = await import("../../git/index.ts");
  const { root, localDir } = headgate.repository;
  const place: SetupPlace = { root, localDir, environment, files: systemFiles };
  const manifest = setup.readManifest(localDir, systemFiles.stat(localDir) !== undefined);
  const [machine, store, git, clients] = await Promise.all([
    setup.machineChecks(place, process.version),
    setup.storeChecks(headgate, report),
    gitHooksState(headgate.repository, { environment }).then(setup.gitChecks),
    Promise.all(
      setup
        .detectClients(place)
        .map((one) => setup.checkClient(place, one, knownIn(report, one.client, manifest))),
    ),
  ]);
  const ofClients = clients.flatMap(({ checks }) => checks);
  return [...setup.hookChecks(place), ...ofClients, ...git, ...store, ...machine];
};
