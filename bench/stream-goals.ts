import type { Verdict } from './goals.ts';
import type { StreamReport } from './load/stream-job.ts';
import { medianOf } from './statistics.ts';

/** What one contestant gave in one round. */
export interface StreamMeasurement {
  readonly contestant: string;
  readonly round: number;
  readonly report: StreamReport;
}

/** A measurement is not judged where the rest of the machine took more than this, in percent of one core. */
const foreignCpuPercentMax = 20;

const isWhole = ({ failures, eventsDelivered, eventsExpected }: StreamReport): boolean =>
  failures === 0 && eventsDelivered === eventsExpected;

const soundRounds = (all: readonly StreamMeasurement[], contestant: string): ReadonlyMap<number, StreamReport> =>
  new Map(
    all
      .filter((each) => each.contestant === contestant && isWhole(each.report))
      .filter(({ report }) => report.foreignCpuPercent <= foreignCpuPercentMax)
      .map(({ round, report }) => [round, report]),
  );

/** Two rows compared within each round, then the median of the rounds; NaN where they share none. */
const ratio = (
  all: readonly StreamMeasurement[],
  [left, right]: readonly [string, string],
  pick: (report: StreamReport) => number,
): number => {
  const others = soundRounds(all, right);
  const values = [...soundRounds(all, left)].flatMap(([round, report]) => {
    const other = others.get(round);
    return other === undefined ? [] : [pick(report) / pick(other)];
  });
  return medianOf(values);
};

const atMost = (goal: string, value: number, unit: string, most: number): Verdict => ({
  goal,
  measured: Number.isNaN(value) ? null : `${value.toFixed(2)}${unit}`,
  met: Number.isNaN(value) ? null : value <= most,
});

const cpu = ({ gatewayCpuMicrosPerEvent }: StreamReport): number => gatewayCpuMicrosPerEvent;
const rss = ({ memory }: StreamReport): number => memory.rssMib;

/** Whether everything arrived, in every round, disturbed or not. */
const delivered = (all: readonly StreamMeasurement[]): Verdict => {
  const ours = all.filter(({ contestant }) => contestant === 'normal').map(({ report }) => report);
  const whole = ours.filter(isWhole).length;
  return {
    goal: '4. every event of every stream is delivered',
    measured: ours.length === 0 ? null : `${whole} of ${ours.length} rounds`,
    met: ours.length === 0 ? null : whole === ours.length,
  };
};

/** The targets for streams: ratios and bounds within one run. */
export const judgeStreams = (all: readonly StreamMeasurement[]): readonly Verdict[] => {
  const firstEvents = [...soundRounds(all, 'normal').values()].map(({ firstEventMs }) => firstEventMs.p99);
  return [
    delivered(all),
    atMost('4. CPU an event ≤ 1.3 × the pipe', ratio(all, ['normal', 'pipe'], cpu), ' ×', 1.3),
    atMost('4. memory ≤ 1.3 × the pipe', ratio(all, ['normal', 'pipe'], rss), ' ×', 1.3),
    atMost('4. first event p99 under 100 ms', medianOf(firstEvents), ' ms', 100),
    atMost('CPU an event ≤ 60% of Portkey', ratio(all, ['normal', 'portkey'], cpu), ' ×', 0.6),
    atMost('memory ≤ 45% of Portkey', ratio(all, ['normal', 'portkey'], rss), ' ×', 0.45),
  ];
};
