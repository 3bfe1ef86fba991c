/** Charts, drawn by uPlot; it is loaded with the first one. */
import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";

export interface ChartProps {
  readonly label: string;
  readonly data: uPlot.AlignedData;
  readonly height: number;
  /** Called with the colours of the present theme. */
  options(colours: ChartColours, plot: typeof uPlot): Omit<uPlot.Options, "width" | "height">;
}

export interface ChartColours {
  readonly accent: string;
  readonly soft: string;
  readonly line: string;
  readonly muted: string;
  readonly bad: string;
  readonly good: string;
}

export const Chart = (props: ChartProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const change = () => setTheme((count) => count + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("headgate-theme", change);
    system.addEventListener("change", change);
    return () => {
      removeEventListener("headgate-theme", change);
      system.removeEventListener("change", change);
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let chart: uPlot | undefined;
    let isGone = false;
    const observer = new ResizeObserver(() => {
      chart?.setSize({ width: element.clientWidth, height: props.height });
    });
    const draw = async (): Promise<void> => {
      const { uPlot: Plot } = await import("./chart-library.ts");
      if (isGone) return;
      const size = { width: element.clientWidth, height: props.height };
      chart = new Plot(
        { ...size, ...props.options(coloursOf(element), Plot) },
        props.data,
        element,
      );
      observer.observe(element);
    };
    void draw();
    return () => {
      isGone = true;
      observer.disconnect();
      chart?.destroy();
    };
  }, [props.data, theme, props.height]);
  return (
    <div
      ref={box}
      class="chart"
      role="img"
      aria-label={props.label}
      style={{ height: `${props.height}px` }}
    />
  );
};

/** Canvas knows no variables: each is looked up as it is now. */
const coloursOf = (element: HTMLElement): ChartColours => {
  const probe = document.createElement("span");
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    accent: colour("--accent"),
    soft: colour("--accent-soft"),
    line: colour("--line"),
    muted: colour("--muted"),
    bad: colour("--bad"),
    good: colour("--good"),
  };
  probe.remove();
  return colours;
};
