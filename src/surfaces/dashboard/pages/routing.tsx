/** Routing: reviewers that are noise here, what is proposed about them, and the watch on what was done. */
import type uPlot from "uplot";
import type { RoutingAnswer } from "../../http/api/routing-shape.ts";
import type { NowAnswer } from "../../http/api/shapes.ts";
import { Chart, type ChartColours } from "../chart.tsx";
import { Empty, Loading, PageHead, Panel, Problem } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { plural, visible } from "../words.tsx";

type Canary = RoutingAnswer["canaries"][number];

export const RoutingPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<RoutingAnswer>("/api/routing");
  if (error) return <Problem error={error} />;
  if (!answer) return <Loading what="Looking at the routing" />;
  const { patterns, proposals, overrides, canaries, problem } = answer;
  const isEmpty = [patterns, proposals, overrides, canaries].every(({ length }) => length === 0);
  return (
    <>
      <PageHead title="Routing" />
      {problem !== undefined && (
        <p class="note">The overrides file is ignored: {visible(problem)}</p>
      )}
      {isEmpty && (
        <Empty title="No pattern yet" icon="routing">
          <p>
            When findings of a reviewer are dismissed again and again,{" "}
            <code>headgate routing patterns</code> shows it here, with the evidence.
          </p>
        </Empty>
      )}
      {patterns.length > 0 && (
        <Panel title="Patterns" count={patterns.length}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Reviewer</th>
                <th scope="col">Class</th>
                <th scope="col">State</th>
                <th scope="col" class="is-number">
                  Outcomes
                </th>
                <th scope="col" class="is-number">
                  Wrong
                </th>
                <th scope="col" class="is-number">
                  Evidence (e)
                </th>
              </tr>
            </thead>
            <tbody>
              {patterns.map((one) => (
                <tr key={one.reviewer + one.class}>
                  <td>{visible(one.reviewer)}</td>
                  <td>{visible(one.class)}</td>
                  <td>
                    <span class="tag">{one.state}</span>
                  </td>
                  <td class="is-number">{one.outcomes}</td>
                  <td class="is-number">{one.wrong}</td>
                  <td class="is-number">{one.eValue.toPrecision(3)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      {proposals.length > 0 && (
        <Panel title="Proposals" count={proposals.length}>
          <ul class="list">
            {proposals.map(({ id, reviewer, action, reason, state }) => (
              <li key={id} class="list-row">
                <b>{visible(reviewer)}</b>
                <span class="tag">{visible(action)}</span>
                <span class="list-detail">{visible(reason)}</span>
                <span class="tag">{visible(state)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {overrides.length > 0 && (
        <Panel title="Overrides" count={overrides.length}>
          <ul class="list">
            {overrides.map(({ reviewer, action, reason, commit, vanished }) => (
              <li key={reviewer} class="list-row">
                <b>{visible(reviewer)}</b>
                <span class="tag">{visible(action)}</span>
                <span class="list-detail">{visible(reason)}</span>
                <span class="muted">{commit?.slice(0, 10)}</span>
                {vanished && <span class="tag is-unarmed">vanished</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <div class="cards">
        {canaries.map((canary) => (
          <CanaryPanel key={canary.reviewer} canary={canary} />
        ))}
      </div>
    </>
  );
};

const CanaryPanel = ({ canary }: { canary: Canary }) => {
  const { reviewer, state, shadows, losses, needed, process } = canary;
  return (
    <Panel
      title={`Canary: ${visible(reviewer)}`}
      tools={<span class="tag">{visible(state)}</span>}
      class="canary"
    >
      <p class="note">
        {plural(shadows, "shadow review")}, {plural(losses, "loss", "losses")}
        {needed !== null && needed > 0 && `; ${needed} more clean ones to pass`}
      </p>
      {process.length > 1 && (
        <Chart
          label={`The e-process of ${visible(reviewer)} against its thresholds`}
          data={dataOf(canary)}
          height={160}
          options={optionsOf}
        />
      )}
    </Panel>
  );
};

const dataOf = ({ process, alarmAt, clearAt }: Canary): uPlot.AlignedData => [
  process.map(({ shadow }) => shadow),
  process.map(({ alarm }) => alarm),
  process.map(({ clear }) => clear),
  process.map(() => alarmAt),
  process.map(() => clearAt),
];

const optionsOf = (colours: ChartColours): Omit<uPlot.Options, "width" | "height"> => {
  const axis = { stroke: colours.muted, grid: { stroke: colours.line, width: 1 } };
  return {
    cursor: { show: true },
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [axis, { ...axis, size: 56 }],
    series: [
      {},
      { label: "loss", stroke: colours.bad, width: 2 },
      { label: "no loss", stroke: colours.good, width: 2 },
      { label: "alarm at", stroke: colours.bad, dash: [4, 4] },
      { label: "clear at", stroke: colours.good, dash: [4, 4] },
    ],
  };
};
