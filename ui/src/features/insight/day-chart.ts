/**
 * Draws values per day as bars, stacked if there are several, with uPlot. Loaded with the first chart, because no
 * other view needs uPlot.
 */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { labelledDays, sumsOf } from "./measure";

export interface DaySeries {
  name: string;
  /** The name of its colour's design token. */
  colour: string;
  /** One value per day. */
  values: number[];
}

export interface DayChartData {
  /** Short labels of the days, one per value. */
  labels: string[];
  /** From the bottom up. */
  series: DaySeries[];
  /** Formats a value on the axis. */
  format: (value: number) => string;
  /** Whether the values are counts: the axis then has no fractions. */
  whole: boolean;
}

/** The day below the pointer: its index, and its column in pixels within the chart. */
export interface PointedDay {
  index: number;
  left: number;
  width: number;
}

export interface DayChart {
  resize(width: number): void;
  destroy(): void;
}

const HEIGHT = 184;
const PADDING: uPlot.Padding = [8, 16, 0, 0];
const WHOLE_STEPS = [1, 2, 3, 5, 10, 20, 30, 50].flatMap((n) => [n, n * 100, n * 1e4, n * 1e6]).sort((a, b) => a - b);

/** Draws with the colours of the current theme; after a change of the theme, draw a new chart. */
export function drawDays(parent: HTMLElement, data: DayChartData, point: (day: PointedDay | null) => void): DayChart {
  const style = getComputedStyle(parent);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const last = data.labels.length - 1;
  // The total is drawn first, and the smaller sums over it.
  const stacked = sumsOf(data.series.map(({ values }) => values)).reverse();
  const colours = data.series.map(({ colour }) => colour).reverse();
  const axis: uPlot.Axis = { stroke: token("text-2"), font, ticks: { show: false } };
  const chart = new uPlot(
    {
      width: Math.max(1, parent.clientWidth),
      height: HEIGHT,
      padding: PADDING,
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.5, last + 0.5] },
        y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          border: { show: true, stroke: token("line-3"), width: 1 },
          splits: (u) => labelledDays(last + 1, Math.max(2, Math.floor(u.bbox.width / devicePixelRatio / 88))),
          values: (_, days) => days.map((day) => data.labels[day] ?? ""),
          gap: 4,
          size: 24,
        },
        {
          ...axis,
          grid: { stroke: token("line-2"), width: 1 },
          values: (_, values) => values.map(data.format),
          ...(data.whole ? { incrs: WHOLE_STEPS } : {}),
          space: 36,
          gap: 6,
          size: 44,
        },
      ],
      series: [
        {},
        ...colours.map((colour, n) => ({
          fill: token(colour),
          ...(colours.length > 1 ? { stroke: token("bg-2"), width: 1 } : { width: 0 }),
          points: { show: false },
          paths: uPlot.paths.bars?.({ size: [0.7, 40], radius: n === 0 ? 0.12 : 0 }),
        })),
      ],
      hooks: {
        setCursor: [
          (u) => {
            const index = u.cursor.idx;
            if (index === null || index === undefined) return point(null);
            const [left, right] = [u.valToPos(index - 0.5, "x"), u.valToPos(index + 0.5, "x")];
            point({ index, left: left + u.bbox.left / devicePixelRatio, width: right - left });
          },
        ],
      },
    },
    [data.labels.map((_, n) => n), ...stacked],
    parent,
  );
  return {
    resize: (width) => chart.setSize({ width: Math.max(1, width), height: HEIGHT }),
    destroy: () => chart.destroy(),
  };
}
