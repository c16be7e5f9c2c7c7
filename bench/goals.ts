import { burstLoad, closedLoad, openLoad, type Measurement } from './measurements.ts';
import { medianOf } from './statistics.ts';

export interface Verdict {
  readonly goal: string;
  /** What was measured, in words; null where a row that it needs was not run, or not undisturbed. */
  readonly measured: string | null;
  /** Null where it was not measured, or is a figure without a bound. */
  readonly met: boolean | null;
}

type Pick = (measurement: Measurement) => number;

const perSecond: Pick = ({ report }) => report.perSecond;
const p50: Pick = ({ report }) => report.latencyMs.p50;
const p99: Pick = ({ report }) => report.latencyMs.p99;
const cpu: Pick = ({ report }) => report.gatewayCpuMicrosPerRequest;
const peak: Pick = ({ memory }) => memory.peakMib;

/** A measurement is not judged where the rest of the machine took more than this, in percent of one core. */
const foreignCpuPercentMax = 20;

const isSound = ({ report }: Measurement): boolean =>
  report.failures === 0 && report.foreignCpuPercent <= foreignCpuPercentMax;

/** Sound measurements of one row under one load, by round. */
const rowOf = (all: readonly Measurement[], contestant: string, load: string): ReadonlyMap<number, Measurement> =>
  new Map(
    all
      .filter((each) => each.contestant === contestant && each.load === load && isSound(each))
      .map((each) => [each.round, each]),
  );

/** Two rows compared within each round, then the median of the rounds; NaN where they share none. */
const compare = (
  all: readonly Measurement[],
  load: string,
  [left, right]: readonly [string, string],
  by: (left: Measurement, right: Measurement) => number,
): number => {
  const others = rowOf(all, right, load);
  const values = [...rowOf(all, left, load)].flatMap(([round, measurement]) => {
    const other = others.get(round);
    return other === undefined ? [] : [by(measurement, other)];
  });
  return medianOf(values);
};

const ratio = (pick: Pick) => (left: Measurement, right: Measurement) => pick(left) / pick(right);
const difference = (pick: Pick) => (left: Measurement, right: Measurement) => pick(left) - pick(right);

interface Bound {
  readonly goal: string;
  readonly value: number;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
}

const verdictOf = ({ goal, value, unit, least, most }: Bound): Verdict => {
  if (Number.isNaN(value)) return { goal, measured: null, met: null };
  const measured = `${value.toFixed(2)}${unit}`;
  if (least === undefined && most === undefined) return { goal, measured, met: null };
  return { goal, measured, met: value >= (least ?? -Infinity) && value <= (most ?? Infinity) };
};

const closedGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const load = closedLoad(64);
  const rate = (left: string, right: string): number => compare(all, load, [left, right], ratio(perSecond));
  const work = (left: string, right: string): number => compare(all, load, [left, right], ratio(cpu));
  return [
    verdictOf({ goal: '1. FULL ≥ 60% of the pipe at 64', value: rate('full', 'pipe'), unit: ' ×', least: 0.6 }),
    verdictOf({ goal: '1. NORMAL ≥ 75% of the pipe at 64', value: rate('normal', 'pipe'), unit: ' ×', least: 0.75 }),
    verdictOf({ goal: '1. FULL ≥ 5 × Portkey at 64', value: rate('full', 'portkey'), unit: ' ×', least: 5 }),
    verdictOf({ goal: '1. FULL ≥ 2 × llms at 64', value: rate('full', 'llms'), unit: ' ×', least: 2 }),
    verdictOf({ goal: 'CPU a request, FULL against the pipe', value: work('full', 'pipe'), unit: ' ×' }),
    verdictOf({ goal: 'CPU a request, FULL ≤ 20% of Portkey', value: work('full', 'portkey'), unit: ' ×', most: 0.2 }),
  ];
};

const addedBy = (all: readonly Measurement[], load: string, contestant: string, pick: Pick): number =>
  compare(all, load, [contestant, 'direct'], difference(pick));

const lowLoadGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const added = (contestant: string): number => addedBy(all, closedLoad(1), contestant, p50);
  const value = (contestant: string): number => added(contestant) / added('portkey');
  return [
    verdictOf({ goal: '2. added median at 1, FULL below Portkey’s', value: value('full'), unit: ' ×', most: 1 }),
    verdictOf({ goal: '2. added median at 1, NORMAL below half', value: value('normal'), unit: ' ×', most: 0.5 }),
  ];
};

const tailGoals = (all: readonly Measurement[]): readonly Verdict[] =>
  ['full', 'normal'].map((contestant) => {
    const load = closedLoad(64);
    const value = compare(all, load, [contestant, contestant], (left) => p99(left) / p50(left));
    return verdictOf({ goal: `3. p99 within 6 × the median at 64, ${contestant}`, value, unit: ' ×', most: 6 });
  });

const openGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const added = (contestant: string): number => addedBy(all, openLoad, contestant, p99);
  return ['full', 'normal', 'even', 'even-normal'].flatMap((contestant) => [
    verdictOf({
      goal: `6. open load: added p99 ≤ 2.5 ms, ${contestant}`,
      value: added(contestant),
      unit: ' ms',
      most: 2.5,
    }),
    verdictOf({
      goal: `6. open load: added p99 ≤ 10% of Portkey’s, ${contestant}`,
      value: added(contestant) / added('portkey'),
      unit: ' ×',
      most: 0.1,
    }),
  ]);
};

const memoryGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const peaks = [...rowOf(all, 'full', burstLoad).values()].map(peak);
  return [verdictOf({ goal: '6. 16 chats of 1.9 MB: peak RSS', value: medianOf(peaks), unit: ' MiB', most: 250 })];
};

/** The targets that this bench can judge, as ratios and bounds within one run. */
export const judge = (all: readonly Measurement[], coldStartMs: number | null): readonly Verdict[] => [
  ...closedGoals(all),
  ...lowLoadGoals(all),
  ...tailGoals(all),
  ...openGoals(all),
  ...memoryGoals(all),
  verdictOf({ goal: '9. start to first answer', value: coldStartMs ?? Number.NaN, unit: ' ms', most: 250 }),
];
