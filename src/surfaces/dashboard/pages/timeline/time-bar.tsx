/** The whole log as a strip: how much happened when, a slider to go along it, a field for an exact time. */
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import type { RangeAnswer } from "../../../http/api/shapes.ts";
import { Chart, type ChartColours } from "../../chart.tsx";
import { dateAndTime, plural } from "../../words.tsx";

export const TimeBar = (props: {
  range: RangeAnswer;
  atMs: number;
  hours: number | undefined;
  setHours(hours: number | undefined): void;
  go(ms: number | undefined): void;
}) => {
  const { range, atMs, go } = props;
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
  const share = Math.max(0, Math.min(1, (atMs - fromMs) / (toMs - fromMs)));
  const data = useMemo((): uPlot.AlignedData => dataOf(range), [range]);
  const total = range.buckets.reduce((sum, count) => sum + count, 0);
  return (
    <section class="panel time-bar" aria-label="Time">
      <div class="time-tools">
        <label class="field is-inline">
          <span>At</span>
          <input
            type="datetime-local"
            step={1}
            aria-label="Date and time"
            value={localText(atMs)}
            min={localText(fromMs)}
            max={localText(toMs)}
            onChange={(event) => {
              const ms = Date.parse(event.currentTarget.value);
              if (!Number.isNaN(ms)) go(ms);
            }}
          />
        </label>
        <button type="button" class="button is-small" onClick={() => go(undefined)}>
          Now
        </button>
        <div class="segments" role="group" aria-label="How far back">
          {spans.map(([label, hours]) => (
            <button
              key={label}
              type="button"
              aria-pressed={props.hours === hours}
              onClick={() => props.setHours(hours)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <div class="time-strip">
        <Chart
          label={`${plural(total, "event")} from ${dateAndTime(range.from)} to ${dateAndTime(range.to)}`}
          data={data}
          height={64}
          options={optionsOf}
        />
        <span class="time-mark" style={{ "--share": String(share) }} aria-hidden="true" />
        <input
          class="time-slider"
          type="range"
          min={0}
          max={steps}
          value={Math.round(share * steps)}
          aria-label="Time"
          aria-valuetext={dateAndTime(new Date(atMs).toISOString())}
          onInput={(event) => {
            const value = Number(event.currentTarget.value);
            go(value >= steps ? undefined : fromMs + ((toMs - fromMs) * value) / steps);
          }}
        />
      </div>
      <div class="time-ends" aria-hidden="true">
        <span>{dateAndTime(range.from)}</span>
        <span>{dateAndTime(range.to)}</span>
      </div>
    </section>
  );
};

const spans: readonly (readonly [string, number | undefined])[] = [
  ["1 h", 1],
  ["6 h", 6],
  ["24 h", 24],
  ["7 d", 24 * 7],
  ["all", undefined],
];
const steps = 1000;

/** As the field wants it: local time without a zone. */
const localText = (ms: number): string => {
  const date = new Date(ms);
  const local = new Date(ms - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
};

const dataOf = ({ from, to, buckets }: RangeAnswer): uPlot.AlignedData => {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const width = (toMs - fromMs) / Math.max(1, buckets.length);
  return [buckets.map((_, index) => (fromMs + width * (index + 0.5)) / 1000), [...buckets]];
};

const optionsOf = (
  colours: ChartColours,
  plot: typeof uPlot,
): Omit<uPlot.Options, "width" | "height"> => ({
  legend: { show: false },
  cursor: { show: false },
  padding: [4, 0, 0, 0],
  scales: {
    x: {
      time: true,
      range: (_chart, min, max) => [min - (max - min) / 238, max + (max - min) / 238],
    },
    // A square root: one busy minute must not flatten the others.
    y: {
      distr: 100,
      fwd: Math.sqrt,
      bwd: (value) => value * value,
      range: (_chart, _min, max) => [0, Math.max(1, max)],
    },
  },
  axes: [{ show: false }, { show: false }],
  series: [
    {},
    {
      fill: colours.accent,
      width: 0,
      points: { show: false },
      ...(plot.paths.bars && { paths: plot.paths.bars({ size: [0.7, 14], radius: 0.2 }) }),
    },
  ],
});
