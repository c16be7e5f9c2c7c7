import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { html } from './html.ts';
import { Table } from './table.ts';
import { credits, date } from './format.ts';

/** A point of a series: its day or hour, and its amount as an exact decimal text. */
export interface Point {
  readonly atMs: number;
  readonly amount: string;
}

interface ChartProps {
  readonly title: string;
  /** The unit of the amounts, as in `credits`. */
  readonly unit: string;
  readonly points: readonly Point[];
}

const heightPixels = 220;
const widthPixelsMin = 260;

/** A colour of the page's theme as the browser resolves it: a canvas knows neither custom properties nor `light-dark`. */
const colour = (name: string): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const optionsOf = (unit: string, width: number): uPlot.Options => ({
  width,
  height: heightPixels,
  cursor: { drag: { x: false, y: false } },
  legend: { show: true },
  scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
  axes: [
    {
      stroke: colour('--text-soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line') },
    },
    {
      stroke: colour('--text-soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line') },
      size: 64,
    },
  ],
  series: [
    {},
    {
      label: unit,
      stroke: colour('--accent'),
      fill: colour('--accent-soft'),
      width: 2,
      points: { show: true, size: 6, fill: colour('--accent') },
    },
  ],
});

const dataOf = (points: readonly Point[]): uPlot.AlignedData => [
  points.map(({ atMs }) => atMs / 1_000),
  points.map(({ amount }) => Number(amount)),
];

/** A line over time. The canvas is silent for a screen reader, so that the same figures stand in a table beside it. */
export const Chart = ({ title, unit, points }: ChartProps): VNode => {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = frame.current;
    if (target === null || points.length === 0) return undefined;
    const widthNow = (): number => Math.max(widthPixelsMin, target.clientWidth);
    let plot = new uPlot(optionsOf(unit, widthNow()), dataOf(points), target);
    const resized = new ResizeObserver(() => plot.setSize({ width: widthNow(), height: heightPixels }));
    resized.observe(target);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => {
      plot.destroy();
      plot = new uPlot(optionsOf(unit, widthNow()), dataOf(points), target);
    };
    theme.addEventListener('change', redraw);
    return () => {
      theme.removeEventListener('change', redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, [points, unit]);
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <div ref=${frame} aria-hidden="true"></div>
    <details>
      <summary>Figures as a table</summary>
      <${Table}
        caption=${title}
        rows=${points}
        keyOf=${(point: Point) => String(point.atMs)}
        empty="Nothing in this range."
        columns=${[
          { head: 'Day', cell: ({ atMs }: Point) => date(atMs) },
          { head: unit, cell: ({ amount }: Point) => credits(amount), isFigure: true },
        ]}
      />
    </details>
  </figure>`;
};
