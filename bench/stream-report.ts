import type { StreamReport } from './load/stream-job.ts';
import { table } from './report.ts';
import { medianOf } from './statistics.ts';
import type { StreamContestant } from './stream-contestants.ts';
import type { StreamMeasurement } from './stream-measurements.ts';

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
  'first event added ms',
  'gap p50 ms',
  'gap p99 ms',
  'gap p99 added ms',
  'load + mock CPU %',
  'foreign CPU %',
] as const;

type Rows = readonly StreamMeasurement[];

/** What a row adds to the mock itself within each round, then the median of the rounds. */
const added = (mine: Rows, direct: Rows, pick: (report: StreamReport) => number): string => {
  const differences = mine.flatMap(({ round, report }) =>
    direct.filter((each) => each.round === round).map((each) => pick(report) - pick(each.report)),
  );
  return differences.length === 0 ? '–' : medianOf(differences).toFixed(1);
};

const rowCells = (title: string, mine: Rows, direct: Rows): readonly string[] => {
  const reports = mine.map(({ report }) => report);
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
    added(mine, direct, ({ firstEventMs }) => firstEventMs.p50),
    median(({ gapMs }) => gapMs.p50, 1),
    median(({ gapMs }) => gapMs.p99, 1),
    added(mine, direct, ({ gapMs }) => gapMs.p99),
    median(({ loadCpuPercent, upstreamCpuPercent }) => loadCpuPercent + upstreamCpuPercent, 0),
    median(({ foreignCpuPercent }) => foreignCpuPercent, 0),
  ];
};

const tableAt = (chosen: readonly StreamContestant[], all: Rows, streams: number): string => {
  const here = all.filter((each) => each.streams === streams);
  const of = (id: string): Rows => here.filter(({ contestant }) => contestant === id);
  const rows = chosen.map(({ id, title }) => rowCells(title, of(id), id === 'direct' ? [] : of('direct')));
  return `### ${streams} streams\n\n${table(columns, rows)}\n`;
};

/** The results as Markdown: a table for each number of streams. Medians over the rounds. */
export const writeStreamReport = (chosen: readonly StreamContestant[], all: Rows): string =>
  [...new Set(all.map(({ streams }) => streams))].map((streams) => tableAt(chosen, all, streams)).join('\n');
