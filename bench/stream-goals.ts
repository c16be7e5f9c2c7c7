import type { Verdict } from './goals.ts';
import type { StreamReport } from './load/stream-job.ts';
import { medianOf } from './statistics.ts';
import type { StreamMeasurement } from './stream-measurements.ts';

/** A measurement is not judged where the rest of the machine took more than this, in percent of one core. */
const foreignCpuPercentMax = 20;
/** Where the bare pipe takes more of its core, everybody queues, and times say nothing of what a gateway adds. */
const pipeCpuPercentMax = 75;

export const isWhole = ({ failures, eventsDelivered, eventsExpected }: StreamReport): boolean =>
  failures === 0 && eventsDelivered === eventsExpected;

type Rows = readonly StreamMeasurement[];

const audioRounds = (rows: Rows, contestant: string): ReadonlyMap<number, StreamReport> =>
  new Map(
    rows
      .filter((each) => each.contestant === contestant && isWhole(each.report))
      .filter(({ report }) => report.foreignCpuPercent <= foreignCpuPercentMax)
      .map(({ round, report }) => [round, report]),
  );

/** Two rows compared within each round, then the median of the rounds; NaN where they share none. */
const compare = (
  rows: Rows,
  [left, right]: readonly [string, string],
  by: (left: StreamReport, right: StreamReport) => number,
): number => {
  const others = audioRounds(rows, right);
  const values = [...audioRounds(rows, left)].flatMap(([round, report]) => {
    const other = others.get(round);
    return other === undefined ? [] : [by(report, other)];
  });
  return medianOf(values);
};

const cpu = ({ gatewayCpuMicrosPerEvent }: StreamReport): number => gatewayCpuMicrosPerEvent;
const rss = ({ memory }: StreamReport): number => memory.rssMib;
const firstP99 = ({ firstEventMs }: StreamReport): number => firstEventMs.p99;
const firstP50 = ({ firstEventMs }: StreamReport): number => firstEventMs.p50;

interface Bound {
  readonly goal: string;
  readonly value: number;
  readonly unit: string;
  /** Null makes it a figure. */
  readonly most: number | null;
}

const verdictOf = ({ goal, value, unit, most }: Bound): Verdict => {
  if (Number.isNaN(value)) return { goal, measured: null, met: null };
  return { goal, measured: `${value.toFixed(2)}${unit}`, met: most === null ? null : value <= most };
};

const deliveredRows: ReadonlySet<string> = new Set(['normal', 'small', 'chat', 'messages', 'responses']);

/** Whether everything arrived, in every round, disturbed or not. */
const delivered = (rows: Rows, at: string): Verdict => {
  const goal = `4. every event of every stream is delivered${at}`;
  const ours = rows.filter(({ contestant }) => deliveredRows.has(contestant));
  const whole = ours.filter(({ report }) => isWhole(report)).length;
  if (ours.length === 0) return { goal, measured: null, met: null };
  return { goal, measured: `${whole} of ${ours.length} runs`, met: whole === ours.length };
};

const latencyGoals = (rows: Rows, at: string): readonly Verdict[] => {
  const pipe = medianOf([...audioRounds(rows, 'pipe').values()].map(({ gatewayCpuPercent }) => gatewayCpuPercent));
  const judged = !(pipe > pipeCpuPercentMax);
  const note = judged ? at : `${at}, where the pipe is at ${pipe.toFixed(0)}% of its core`;
  const added = (row: string): number =>
    compare(rows, [row, 'direct'], (left, right) => firstP50(left) - firstP50(right));
  return [
    verdictOf({
      goal: `4. first event p99 under 100 ms${note}`,
      value: medianOf([...audioRounds(rows, 'normal').values()].map(firstP99)),
      unit: ' ms',
      most: judged ? 100 : null,
    }),
    verdictOf({
      goal: `first event added at the median, against Portkey’s${note}`,
      value: added('normal') / added('portkey'),
      unit: ' ×',
      most: judged ? 1 : null,
    }),
  ];
};

const wireNames = { chat: 'chat', messages: 'Messages', responses: 'Responses' } as const;
/** The bound of CPU an event beside the pipe, and beside the same stream as `:streamGenerateContent`. */
const wireCpuMost = { pipe: 1.3, normal: 1.15 } as const;
/** The bound of the first event at the median, beside the same. */
const wireFirstMost = 1.5;

/** What the wires of other clients cost, which write the same text in other events. */
const wireGoals = (rows: Rows, at: string): readonly Verdict[] =>
  Object.entries(wireNames).flatMap(([row, name]) => {
    const ratio = (other: string, pick: (report: StreamReport) => number): number =>
      compare(rows, [row, other], (mine, its) => pick(mine) / pick(its));
    const bound = (goal: string, value: number, most: number | null): Verdict =>
      verdictOf({ goal: `${name}: ${goal}${at}`, value, unit: ' ×', most });
    return [
      bound(`CPU an event ≤ ${wireCpuMost.pipe} × the pipe`, ratio('pipe', cpu), wireCpuMost.pipe),
      bound(`CPU an event ≤ ${wireCpuMost.normal} × :streamGenerateContent`, ratio('normal', cpu), wireCpuMost.normal),
      bound(`first event p50 ≤ ${wireFirstMost} × :streamGenerateContent`, ratio('normal', firstP50), wireFirstMost),
      bound('first event p99, beside :streamGenerateContent', ratio('normal', firstP99), null),
    ];
  });

const goalsAt = (rows: Rows, streams: number): readonly Verdict[] => {
  const at = `, ${streams} streams`;
  const ratio = (left: string, right: string, pick: (report: StreamReport) => number): number =>
    compare(rows, [left, right], (mine, other) => pick(mine) / pick(other));
  const bound = (goal: string, value: number, most: number): Verdict =>
    verdictOf({ goal: `${goal}${at}`, value, unit: ' ×', most });
  return [
    delivered(rows, at),
    bound('4. CPU an event ≤ 1.3 × the pipe', ratio('normal', 'pipe', cpu), 1.3),
    bound('4. memory ≤ 1.3 × the pipe', ratio('normal', 'pipe', rss), 1.3),
    bound('4. memory ≤ 1.3 × the pipe; ours for little memory', ratio('small', 'pipe', rss), 1.3),
    bound('CPU an event ≤ 1.3 × the pipe; ours for little memory', ratio('small', 'pipe', cpu), 1.3),
    ...latencyGoals(rows, at),
    bound('CPU an event ≤ 60% of Portkey', ratio('normal', 'portkey', cpu), 0.6),
    bound('memory ≤ 45% of Portkey; ours for little memory', ratio('small', 'portkey', rss), 0.45),
    ...wireGoals(rows, at),
  ];
};

/** The targets for streams, for each number of them: ratios and bounds within one run. */
export const judgeStreams = (all: Rows): readonly Verdict[] =>
  [...new Set(all.map(({ streams }) => streams))].flatMap((streams) =>
    goalsAt(
      all.filter((each) => each.streams === streams),
      streams,
    ),
  );
