/** A small writer of line plots: SVG as text, readable on light and on dark pages, nothing to install. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
  /** A level to compare with: a limit, an aim. */
  readonly level?: { readonly name: string; readonly y: number };
  /** Both axes are logarithmic unless told. */
  readonly linear?: boolean;
}

const width = 640;
const height = 360;
const frame = { left: 64, right: 168, top: 36, bottom: 48 } as const;
/** Told apart without colours as well: each has its own dashes and is named at its end. */
const strokes = [
  ["#2563eb", "#60a5fa", "none"],
  ["#c2410c", "#fb923c", "6 3"],
  ["#15803d", "#4ade80", "2 3"],
  ["#7e22ce", "#c084fc", "8 3 2 3"],
  ["#be123c", "#fb7185", "4 2"],
] as const;

export const drawPlot = (plot: Plot): string => {
  const all = plot.series.flatMap((one) => one.points);
  const xs = axis(
    all.map(([x]) => x),
    plot.linear ?? false,
  );
  const ys = axis(
    [...all.map(([, y]) => y), ...(plot.level ? [plot.level.y] : [])],
    plot.linear ?? false,
  );
  const px = (x: number) => frame.left + xs.at(x) * (width - frame.left - frame.right);
  const py = (y: number) => height - frame.bottom - ys.at(y) * (height - frame.top - frame.bottom);
  const parts = [
    text(frame.left, 20, plot.title, 'class="title"'),
    ...xs.ticks.map(
      (x) =>
        line([px(x), frame.top], [px(x), height - frame.bottom], "grid") +
        text(px(x), height - frame.bottom + 16, short(x), 'text-anchor="middle"'),
    ),
    ...ys.ticks.map(
      (y) =>
        line([frame.left, py(y)], [width - frame.right, py(y)], "grid") +
        text(frame.left - 6, py(y) + 4, short(y), 'text-anchor="end"'),
    ),
    text((frame.left + width - frame.right) / 2, height - 10, plot.x, 'text-anchor="middle"'),
    text(14, height / 2, plot.y, `text-anchor="middle" transform="rotate(-90 14 ${height / 2})"`),
  ];
  if (plot.level) {
    parts.push(
      line([frame.left, py(plot.level.y)], [width - frame.right, py(plot.level.y)], "level"),
    );
    parts.push(text(frame.left + 6, py(plot.level.y) - 4, plot.level.name, 'class="note"'));
  }
  const labels = spread(plot.series.map((one) => py(one.points.at(-1)?.[1] ?? 1)));
  for (const [index, one] of plot.series.entries()) {
    const path = one.points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ");
    parts.push(`<polyline class="s${index}" points="${path}"/>`);
    for (const [x, y] of one.points) {
      parts.push(
        `<circle class="d${index}" cx="${px(x).toFixed(1)}" cy="${py(y).toFixed(1)}" r="2.5"/>`,
      );
    }
    parts.push(text(width - frame.right + 8, labels[index]! + 4, one.name, `class="t${index}"`));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(plot.title)}">
<style>
${style()}
</style>
<rect width="${width}" height="${height}" class="page"/>
${parts.join("\n")}
</svg>
`;
};

const style = (): string => {
  const colours = (dark: boolean) =>
    strokes
      .map(([onLight, onDark, dashes], index) => {
        const colour = dark ? onDark : onLight;
        return `.s${index}{fill:none;stroke:${colour};stroke-width:2;stroke-dasharray:${dashes}}.d${index},.t${index}{fill:${colour}}`;
      })
      .join("\n");
  return `text{font:12px system-ui,sans-serif;fill:#334155}.title{font-size:14px;font-weight:600}.note{font-size:11px}
.page{fill:#fff}.grid{stroke:#e2e8f0}.level{stroke:#64748b;stroke-dasharray:3 3}
${colours(false)}
@media (prefers-color-scheme:dark){text{fill:#cbd5e1}.page{fill:#0f172a}.grid{stroke:#1e293b}.level{stroke:#94a3b8}
${colours(true)}}`;
};

interface Axis {
  /** 0 at the start of the axis, 1 at its end. */
  at(value: number): number;
  readonly ticks: readonly number[];
}

const axis = (values: readonly number[], isLinear: boolean): Axis => {
  if (isLinear) {
    const top = niceAbove(Math.max(...values, 1e-9));
    return { at: (value) => value / top, ticks: [0, 1, 2, 3, 4].map((step) => (top * step) / 4) };
  }
  const positive = values.filter((value) => value > 0);
  const from = Math.floor(Math.log10(Math.min(...positive)) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...positive)) - 1e-9));
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step));
  return { at: (value) => (Math.log10(Math.max(value, 10 ** from)) - from) / (to - from), ticks };
};

const niceAbove = (value: number): number => {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((step) => step * unit >= value) ?? 10) * unit;
};

/** Names at the ends of lines must not lie on each other. */
const spread = (wanted: readonly number[]): number[] => {
  const order = [...wanted.keys()].toSorted((a, b) => wanted[a]! - wanted[b]!);
  const placed: number[] = [];
  let last = -Infinity;
  for (const index of order) {
    last = Math.max(wanted[index]!, last + 14);
    placed[index] = last;
  }
  return placed;
};

const short = (value: number): string => {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  if (value >= 1000) return `${value / 1000}k`;
  return String(Number(value.toPrecision(3)));
};

const line = (from: readonly [number, number], to: readonly [number, number], name: string) =>
  `<line class="${name}" x1="${from[0].toFixed(1)}" y1="${from[1].toFixed(1)}" x2="${to[0].toFixed(1)}" y2="${to[1].toFixed(1)}"/>`;
const text = (x: number, y: number, words: string, more: string) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(words)}</text>`;
const escaped = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
