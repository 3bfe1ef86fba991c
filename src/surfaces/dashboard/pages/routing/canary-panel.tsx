import type uPlot from "uplot";
import type { CanaryView } from "../../../http/api/routing-shape.ts";
import { Chart, type ChartColours } from "../../chart.tsx";
import { Panel } from "../../parts.tsx";
import { dateAndTime, plural, visible } from "../../words.tsx";

/** The watch on one override: the e-process against its thresholds. */
export const CanaryPanel = ({ canary }: { canary: CanaryView }) => {
  const { reviewer, state, shadows, losses, process, rate, expiresAt } = canary;
  return (
    <Panel
      title={`Watch on ${visible(reviewer)}`}
      tools={<span class={`tag ${tagOf[state] ?? ""}`}>{visible(state.toLowerCase())}</span>}
      class="canary"
    >
      <p class="note">
        {plural(shadows, "shadow review")}, {plural(losses, "loss", "losses")}
        {shadows > 0 && `: misses something in ${percent(rate.estimate)} of reviews`}
        {shadows > 0 && ` (95 %: ${percent(rate.low)} to ${percent(rate.high)})`}. {wayOf(canary)}
        {state === "MONITORING" && ` Watched until ${dateAndTime(expiresAt)}.`}
      </p>
      {process.length > 1 ? (
        <>
          <Chart
            label={`The e-process of ${visible(reviewer)} against its thresholds`}
            data={dataOf(canary)}
            height={180}
            options={optionsOf}
          />
          <ul class="legend">
            <li class="is-bad">evidence that it is missed, alarm at {canary.alarmAt}</li>
            <li class="is-good">evidence that it is not, clear at {canary.clearAt}</li>
          </ul>
        </>
      ) : (
        <p class="note">
          Reviews run this reviewer in shadow, without showing what it finds; the chart begins with
          the second one.
        </p>
      )}
    </Panel>
  );
};

const tagOf: Readonly<Record<string, string>> = {
  ALERT: "is-unarmed",
  WARN: "is-unarmed",
  PASS: "is-armed",
};

const percent = (share: number): string =>
  `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

const wayOf = ({ state, needed }: CanaryView): string => {
  if (state === "ALERT") return "The reviewer is missed: revert the override.";
  if (state === "PASS") return "It passed; one review in twenty is still looked at.";
  if (state === "INCONCLUSIVE") return "Time or shadows are used up: extend the watch or revert.";
  if (needed === null) return "It cannot pass any more.";
  return `${plural(needed, "more clean one")} to pass.`;
};

const dataOf = ({ process, alarmAt, clearAt }: CanaryView): uPlot.AlignedData => [
  process.map(({ shadow }) => shadow),
  process.map(({ alarm }) => alarm),
  process.map(({ clear }) => clear),
  process.map(() => alarmAt),
  process.map(() => clearAt),
];

const optionsOf = (colours: ChartColours): Omit<uPlot.Options, "width" | "height"> => {
  const axis = { stroke: colours.muted, grid: { stroke: colours.line, width: 1 } };
  const threshold = { dash: [4, 4], points: { show: false } };
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [
      {
        ...axis,
        label: "shadow reviews",
        labelSize: 18,
        size: 30,
        incrs: [1, 2, 5, 10, 20, 50, 100],
      },
      { ...axis, size: 56 },
    ],
    series: [
      {},
      { stroke: colours.bad, width: 2 },
      { stroke: colours.good, width: 2 },
      { stroke: colours.bad, ...threshold },
      { stroke: colours.good, ...threshold },
    ],
  };
};
