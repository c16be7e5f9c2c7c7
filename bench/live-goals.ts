import type { Verdict } from './goals.ts';
import type { LiveMeasurement, LiveRow } from './live-rows.ts';
import type { LiveReport } from './load/live-job.ts';
import { medianOf } from './statistics.ts';

/** A measurement is not judged where the rest of the machine took more than this, in percent of one core. */
export const foreignCpuPercentMax = 20;
/** A relay that takes more of its core queues: what it costs a frame is then told by a smaller number of sessions. */
const relayCpuPercentMax = 85;
/** A load that takes more of its core is late itself. */
const measuringCpuPercentMax = 95;
const paceMin = 0.98;

/** What of a measurement was at its limit; null where nothing was. */
export const saturationOf = (row: LiveRow['id'], report: LiveReport): string | null => {
  if (row !== 'direct' && report.gatewayCpuPercent > relayCpuPercentMax) return 'the relay';
  if (report.loadCpuPercent + report.upstreamCpuPercent > measuringCpuPercentMax) return 'the load';
  return report.framesPerSecond < report.wantedFramesPerSecond * paceMin ? 'behind' : null;
};

const of = (
  all: readonly LiveMeasurement[],
  sessions: number,
  row: LiveRow['id'],
): readonly (readonly [number, LiveReport])[] =>
  all
    .filter((each) => each.row === row && each.report.sessions === sessions)
    .filter(({ report }) => report.failures === 0)
    .map(({ round, report }) => [round, report]);

type Pick = (report: LiveReport) => number;

/** Two rows compared within each round, then the median of the rounds; NaN where they share none. */
const compare = (
  all: readonly LiveMeasurement[],
  sessions: number,
  other: LiveRow['id'],
  by: (ours: LiveReport, other: LiveReport) => number,
): number => {
  const others = new Map(of(all, sessions, other));
  return medianOf(
    of(all, sessions, 'tollgate').flatMap(([round, report]) => {
      const beside = others.get(round);
      return beside === undefined ? [] : [by(report, beside)];
    }),
  );
};

const ratio = (pick: Pick) => (ours: LiveReport, other: LiveReport) => pick(ours) / pick(other);
const difference = (pick: Pick) => (ours: LiveReport, other: LiveReport) => pick(ours) - pick(other);

interface Bound {
  readonly goal: string;
  readonly value: number;
  readonly unit: string;
  /** None makes it a figure. */
  readonly most?: number;
  /** A remark behind the value. */
  readonly note?: string;
}

const verdictOf = ({ goal, value, unit, most, note = '' }: Bound): Verdict => ({
  goal,
  measured: Number.isNaN(value) ? null : `${value.toFixed(2)}${unit}${note}`,
  met: Number.isNaN(value) || most === undefined ? null : value <= most,
});

const cpu: Pick = ({ gatewayCpuMicrosPerFrame }) => gatewayCpuMicrosPerFrame;
const p99: Pick = ({ roundTripMs }) => roundTripMs.p99;
const idle: Pick = ({ idleKibPerSession }) => idleKibPerSession;
const busy: Pick = ({ busyKibPerSession }) => busyKibPerSession;

/** Which of both relays was at its limit in most rounds, said beside a value, for then it tells less. */
const remark = (all: readonly LiveMeasurement[], sessions: number): string => {
  const limits = (['bare', 'tollgate'] as const).flatMap((row) => {
    const reports = of(all, sessions, row).map(([, report]) => saturationOf(row, report));
    const limit = reports.find((each) => each !== null);
    const rounds = reports.filter((each) => each !== null).length;
    return limit === undefined || rounds * 2 <= reports.length ? [] : [`${row}: ${limit}`];
  });
  return limits.length === 0 ? '' : ` (at the limit: ${limits.join(', ')})`;
};

const answered = (all: readonly LiveMeasurement[], sessions: number): Verdict => {
  const ours = all.filter(({ row, report }) => row === 'tollgate' && report.sessions === sessions);
  const whole = ours.filter(({ report }) => report.failures === 0).length;
  return {
    goal: `5. every piece of ${sessions} sessions is answered`,
    measured: ours.length === 0 ? null : `${whole} of ${ours.length} rounds`,
    met: ours.length === 0 ? null : whole === ours.length,
  };
};

/** The target for sessions, and beside it what they add in time and take of memory. */
export const judgeLive = (
  measured: readonly LiveMeasurement[],
  foreignMax = foreignCpuPercentMax,
): readonly Verdict[] => {
  const all = measured.filter(({ report }) => report.foreignCpuPercent <= foreignMax);
  return [...new Set(measured.map(({ report }) => report.sessions))].flatMap((sessions) => {
    const note = remark(all, sessions);
    const name = `${sessions} sessions`;
    return [
      answered(measured, sessions),
      verdictOf({
        goal: `5. ${name}: CPU a frame ≤ 1.2 × the bare relay`,
        value: compare(all, sessions, 'bare', ratio(cpu)),
        unit: ' ×',
        // Two relays at their limit cost the same: each takes the whole of its core.
        ...(note.includes('bare:') ? {} : { most: 1.2 }),
        note,
      }),
      verdictOf({
        goal: `${name}: there and back, p99 beyond the mock itself`,
        value: compare(all, sessions, 'direct', difference(p99)),
        unit: ' ms',
        note,
      }),
      verdictOf({
        goal: `${name}: there and back, p99 beyond the bare relay`,
        value: compare(all, sessions, 'bare', difference(p99)),
        unit: ' ms',
        note,
      }),
      verdictOf({
        goal: `${name}: memory of a silent session ≤ 48 KiB`,
        value: medianOf(of(all, sessions, 'tollgate').map(([, report]) => idle(report))),
        unit: ' KiB',
        most: 48,
      }),
      verdictOf({
        goal: `${name}: memory of a busy session against the bare relay`,
        value: compare(all, sessions, 'bare', ratio(busy)),
        unit: ' ×',
      }),
    ];
  });
};
