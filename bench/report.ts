import { openLoad, type Measurement } from './measurements.ts';
import type { Contestant } from './contestants.ts';
import type { Verdict } from './goals.ts';
import { medianOf } from './statistics.ts';

const columns = [
  'row',
  'requests/s (min–max)',
  'p50 ms',
  'p90 ms',
  'p99 ms',
  'p99/p50',
  'CPU µs/req',
  'RSS MiB',
  'peak MiB',
  'load + mock CPU %',
  'foreign CPU %',
] as const;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

const median = (
  measured: readonly Measurement[],
  pick: (measurement: Measurement) => number,
  decimals: number,
): string => medianOf(measured.map(pick)).toFixed(decimals);

const voidRow = (title: string, measured: readonly Measurement[]): readonly string[] => {
  const bad = measured.find(({ report }) => report.failures > 0);
  return [
    `${title}: VOID, ${bad?.report.failures} failures, first ${bad?.report.firstFailure}`,
    ...columns.slice(1).map(() => '–'),
  ];
};

const rowCells = (title: string, measured: readonly Measurement[]): readonly string[] => {
  if (measured.some(({ report }) => report.failures > 0)) return voidRow(title, measured);
  const rates = measured.map(({ report }) => report.perSecond);
  return [
    title,
    `${medianOf(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`,
    median(measured, ({ report }) => report.latencyMs.p50, 2),
    median(measured, ({ report }) => report.latencyMs.p90, 2),
    median(measured, ({ report }) => report.latencyMs.p99, 2),
    median(measured, ({ report }) => report.latencyMs.p99 / report.latencyMs.p50, 1),
    median(measured, ({ report }) => report.gatewayCpuMicrosPerRequest, 1),
    median(measured, ({ memory }) => memory.rssMib, 0),
    median(measured, ({ memory }) => memory.peakMib, 0),
    median(measured, ({ report }) => report.loadCpuPercent + report.upstreamCpuPercent, 0),
    median(measured, ({ report }) => report.foreignCpuPercent, 0),
  ];
};

const loadTable = (load: string, contestants: readonly Contestant[], all: readonly Measurement[]): string => {
  const rows = contestants.flatMap(({ id, title }) => {
    const measured = all.filter((each) => each.contestant === id && each.load === load);
    return measured.length === 0 ? [] : [rowCells(title, measured)];
  });
  const note = load === openLoad ? '\nLatency counts from the instant at which a request was planned.\n' : '';
  return `### ${load}\n${note}\n${table(columns, rows)}\n`;
};

const word = ({ measured, met }: Verdict): string => {
  if (met === null) return measured === null ? 'not judged' : 'a figure';
  return met ? 'met' : '**missed**';
};

export const verdictTable = (verdicts: readonly Verdict[]): string => {
  const rows = verdicts.map((verdict) => [verdict.goal, verdict.measured ?? '–', word(verdict)]);
  return `### Goals\n\n${table(['goal', 'measured', 'verdict'], rows)}\n`;
};

/** The results as Markdown: a table a load. Medians over the rounds. */
export const writeReport = (contestants: readonly Contestant[], all: readonly Measurement[]): string => {
  const loads = [...new Set(all.map(({ load }) => load))];
  return loads.map((load) => loadTable(load, contestants, all)).join('\n');
};
