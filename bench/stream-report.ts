import type { Verdict } from './goals.ts';
import type { StreamReport } from './load/stream-job.ts';
import { table, verdictTable } from './report.ts';
import { medianOf } from './statistics.ts';
import type { StreamContestant } from './stream-contestants.ts';
import type { StreamMeasurement } from './stream-goals.ts';

const columns = [
  'row',
  'events/s',
  'delivered',
  'CPU µs/event',
  'CPU %',
  'RSS MiB',
  'peak MiB',
  'first event p50 ms',
  'first event p99 ms',
  'gap p50 ms',
  'gap p99 ms',
  'load + mock CPU %',
  'foreign CPU %',
] as const;

const rowCells = (title: string, reports: readonly StreamReport[]): readonly string[] => {
  const bad = reports.find(({ failures }) => failures > 0);
  if (bad !== undefined) {
    const why = `${title}: VOID, ${bad.failures} failures, first ${bad.firstFailure?.replace(/\s+/g, ' ').slice(0, 200)}`;
    return [why, ...columns.slice(1).map(() => '–')];
  }
  const median = (pick: (report: StreamReport) => number, decimals: number): string =>
    medianOf(reports.map(pick)).toFixed(decimals);
  return [
    title,
    median(({ eventsPerSecond }) => eventsPerSecond, 0),
    `${median(({ eventsDelivered, eventsExpected }) => (eventsDelivered * 100) / eventsExpected, 2)}%`,
    median(({ gatewayCpuMicrosPerEvent }) => gatewayCpuMicrosPerEvent, 1),
    median(({ gatewayCpuPercent }) => gatewayCpuPercent, 0),
    median(({ memory }) => memory.rssMib, 0),
    median(({ memory }) => memory.peakMib, 0),
    median(({ firstEventMs }) => firstEventMs.p50, 1),
    median(({ firstEventMs }) => firstEventMs.p99, 1),
    median(({ gapMs }) => gapMs.p50, 1),
    median(({ gapMs }) => gapMs.p99, 1),
    median(({ loadCpuPercent, upstreamCpuPercent }) => loadCpuPercent + upstreamCpuPercent, 0),
    median(({ foreignCpuPercent }) => foreignCpuPercent, 0),
  ];
};

/** The results as Markdown: a table, then the goals. Medians over the rounds. */
export const writeStreamReport = (
  chosen: readonly StreamContestant[],
  all: readonly StreamMeasurement[],
  verdicts: readonly Verdict[],
): string => {
  const rows = chosen.map(({ id, title }) =>
    rowCells(
      title,
      all.filter(({ contestant }) => contestant === id).map(({ report }) => report),
    ),
  );
  return `${table(columns, rows)}\n\n${verdictTable(verdicts)}`;
};
