import { saturationOf } from './live-goals.ts';
import { liveRows, type LiveMeasurement, type LiveRow } from './live-rows.ts';
import type { LiveReport } from './load/live-job.ts';
import { table } from './report.ts';
import { medianOf } from './statistics.ts';

const columns = [
  'row',
  'frames/s',
  'CPU µs/frame (min–max)',
  'CPU %',
  'there and back p50 ms',
  'p99 ms',
  'p99.9 ms',
  'KiB/silent session',
  'KiB/busy session',
  'load + mock CPU %',
  'foreign CPU %',
  'at its limit',
] as const;

const rowCells = ({ id, title }: LiveRow, reports: readonly LiveReport[]): readonly string[] => {
  const bad = reports.find(({ failures }) => failures > 0);
  if (bad !== undefined)
    return [
      `${title}: VOID, ${bad.failures} failures, first ${bad.firstFailure?.replace(/\s+/g, ' ').slice(0, 200)}`,
      ...columns.slice(1).map(() => '–'),
    ];
  const median = (pick: (report: LiveReport) => number, decimals: number): string =>
    medianOf(reports.map(pick)).toFixed(decimals);
  const costs = reports.map(({ gatewayCpuMicrosPerFrame }) => gatewayCpuMicrosPerFrame);
  const limits = reports.flatMap((report) => saturationOf(id, report) ?? []);
  /** What the mock takes is in the load's column. */
  const ofRelay = (text: string): string => (id === 'direct' ? '–' : text);
  return [
    title,
    median(({ framesPerSecond }) => framesPerSecond, 0),
    ofRelay(`${medianOf(costs).toFixed(2)} (${Math.min(...costs).toFixed(2)}–${Math.max(...costs).toFixed(2)})`),
    ofRelay(median(({ gatewayCpuPercent }) => gatewayCpuPercent, 0)),
    median(({ roundTripMs }) => roundTripMs.p50, 1),
    median(({ roundTripMs }) => roundTripMs.p99, 1),
    median(({ roundTripMs }) => roundTripMs.p999, 1),
    ofRelay(median(({ idleKibPerSession }) => idleKibPerSession, 0)),
    ofRelay(median(({ busyKibPerSession }) => busyKibPerSession, 0)),
    median(({ loadCpuPercent, upstreamCpuPercent }) => loadCpuPercent + upstreamCpuPercent, 0),
    median(({ foreignCpuPercent }) => foreignCpuPercent, 0),
    limits.length === 0 ? '–' : `${limits[0]}, ${limits.length} of ${reports.length} rounds`,
  ];
};

/** The results as Markdown: a table for each number of sessions. Medians over the rounds. */
export const writeLiveReport = (all: readonly LiveMeasurement[]): string => {
  const tables = [...new Set(all.map(({ report }) => report.sessions))].map((sessions) => {
    const rows = liveRows.map((row) =>
      rowCells(
        row,
        all.filter((each) => each.row === row.id && each.report.sessions === sessions).map(({ report }) => report),
      ),
    );
    return `### ${sessions} sessions, 50 frames a second each way\n\n${table(columns, rows)}\n`;
  });
  return tables.join('\n');
};
