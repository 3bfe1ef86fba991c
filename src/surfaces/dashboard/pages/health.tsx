/** Whether everything that should guard this repository does: clients, hooks, store, server, machine. */
import type { HealthAnswer, NowAnswer } from "../../http/api/shapes.ts";
import { Icon } from "../icons.tsx";
import { NotYet, PageHead, Panel } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { Ago, Code, dateAndTime, Marked, plural, visible } from "../words.tsx";

type Check = HealthAnswer["checks"][number];

export const HealthPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<HealthAnswer>("/api/health-report", { isLive: false });
  if (error || !answer) {
    return <NotYet title="Health" what="Looking around" error={error} />;
  }
  const { checks } = answer;
  const problems = checks.filter(({ state }) => state === "problem").length;
  const warnings = checks.filter(({ state }) => state === "warning").length;
  const groups = [...new Set(checks.map(({ group }) => group))];
  return (
    <>
      <PageHead title="Health">
        <p class="summary">
          {problems > 0 ? (
            <b class="is-bad">{plural(problems, "problem")}</b>
          ) : (
            <b class="is-good">no problem</b>
          )}
          {warnings > 0 && (
            <>
              <span class="dot-sep" /> <b class="is-warning">{plural(warnings, "warning")}</b>
            </>
          )}
        </p>
      </PageHead>
      <div class="cards is-three">
        <Clients answer={answer} />
        <Panel title="Server">
          <dl class="facts">
            <dt>Version</dt>
            <dd>{answer.server.version}</dd>
            <dt>Node</dt>
            <dd>{answer.server.node}</dd>
            <dt>Address</dt>
            <dd>
              <Code text={answer.server.address} />
            </dd>
            <dt>Process</dt>
            <dd>{answer.server.pid}</dd>
            <dt>Since</dt>
            <dd title={dateAndTime(answer.server.since)}>
              <Ago at={answer.server.since} />
            </dd>
          </dl>
        </Panel>
        <Panel title="Store">
          <dl class="facts">
            <dt>Kind</dt>
            <dd>{visible(answer.store.kind)}</dd>
            <dt>State</dt>
            <dd>{answer.store.state}</dd>
            <dt>Place</dt>
            <dd>
              <Code text={answer.store.location} />
            </dd>
            <dt>Events</dt>
            <dd>{answer.events.toLocaleString("en")}</dd>
          </dl>
        </Panel>
      </div>
      <div class="cards is-flow">
        {groups.map((group) => (
          <Panel key={group} title={visible(group.charAt(0).toUpperCase() + group.slice(1))}>
            <ul class="checks">
              {checks
                .filter((one) => one.group === group)
                .map((check) => (
                  <CheckLine key={check.text} check={check} />
                ))}
            </ul>
          </Panel>
        ))}
      </div>
    </>
  );
};

const Clients = ({ answer }: { answer: HealthAnswer }) => {
  const { clients, routedAround } = answer;
  return (
    <Panel title="Agent clients" count={clients.length}>
      {clients.length === 0 && (
        <p class="note">
          None is set up here. <code>headgate init</code> does it.
        </p>
      )}
      <ul class="list">
        {clients.map(({ title, state, problem, sessions }) => (
          <li key={title} class="list-row">
            <b>{visible(title)}</b>
            <span class="list-detail is-whole">
              {problem ? (
                <>
                  {visible(problem.reason)}: <code>{visible(problem.command)}</code>
                </>
              ) : (
                plural(sessions, "session")
              )}
            </span>
            <span class={`tag is-${state}`}>{state}</span>
          </li>
        ))}
      </ul>
      {(routedAround.writes > 0 || routedAround.commits > 0) && (
        <p class="note is-warning">
          Around the gate: {plural(routedAround.writes, "write")},{" "}
          {plural(routedAround.commits, "commit")}
          {routedAround.last !== undefined && (
            <>
              , last <Ago at={routedAround.last} />
            </>
          )}
        </p>
      )}
    </Panel>
  );
};

const stateIcons = { ok: "check", warning: "warning", problem: "refusals" } as const;

const CheckLine = ({ check }: { check: Check }) => (
  <li class={`check is-${check.state}`}>
    <Icon name={stateIcons[check.state]} />
    <span class="sr-only">{check.state}: </span>
    <div>
      <p>
        <Marked text={check.text} />
      </p>
      {check.remedy !== undefined && (
        <p class="check-remedy">
          <Marked text={check.remedy} />
        </p>
      )}
    </div>
  </li>
);
