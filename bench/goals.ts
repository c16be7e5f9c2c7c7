import { burstLoad, closedLoad, openLoad, type Measurement } from './measurements.ts';
import { medianOf } from './statistics.ts';
import type { StartTimes } from './cold-start.ts';

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

/** Gateways that meter nothing. The cheapest of them in a round is what a call through Node costs on that machine. */
export const floorRows = ['pipe', 'undici-pipe', 'hono'] as const;

/** The measurements of each round under one load. */
const roundsOf = (all: readonly Measurement[], load: string): readonly (readonly Measurement[])[] => [
  ...Map.groupBy(
    all.filter((each) => each.load === load),
    ({ round }) => round,
  ).values(),
];

/**
 * CPU a request of a row, in floors of the same round: the median of the rounds in which it and every row of the floor were
 * measured soundly. NaN where there is none.
 */
export const costInFloors = (
  all: readonly Measurement[],
  load: string,
  contestant: string,
  counts: (measurement: Measurement) => boolean = isSound,
): number =>
  medianOf(
    roundsOf(all.filter(counts), load).flatMap((measured) => {
      const costOf = (row: string): number => {
        const found = measured.find((each) => each.contestant === row);
        return found === undefined ? Number.NaN : cpu(found);
      };
      const cost = costOf(contestant) / Math.min(...floorRows.map(costOf));
      return Number.isNaN(cost) ? [] : [cost];
    }),
  );

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

/** The most floors that a metered chat may cost, by row. */
const floorsMost = { memory: 1.7, normal: 2.3, full: 2.6, postgres: 2.6 } as const;

const floorGoals = (all: readonly Measurement[], load: string): readonly Verdict[] =>
  Object.entries(floorsMost).map(([row, most]) =>
    verdictOf({
      goal: `CPU a request at 64, ${row} ≤ ${most} floors`,
      value: costInFloors(all, load, row),
      unit: ' ×',
      most,
    }),
  );

const closedGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const load = closedLoad(64);
  const rate = (left: string, right: string): number => compare(all, load, [left, right], ratio(perSecond));
  const work = (left: string, right: string): number => compare(all, load, [left, right], ratio(cpu));
  return [
    verdictOf({ goal: '1. FULL ≥ 60% of the pipe at 64', value: rate('full', 'pipe'), unit: ' ×', least: 0.6 }),
    verdictOf({ goal: '1. NORMAL ≥ 75% of the pipe at 64', value: rate('normal', 'pipe'), unit: ' ×', least: 0.75 }),
    verdictOf({ goal: '1. FULL ≥ 5 × Portkey at 64', value: rate('full', 'portkey'), unit: ' ×', least: 5 }),
    verdictOf({ goal: '1. FULL ≥ 2 × llms at 64', value: rate('full', 'llms'), unit: ' ×', least: 2 }),
    verdictOf({ goal: 'CPU a request, FULL ≤ 20% of Portkey', value: work('full', 'portkey'), unit: ' ×', most: 0.2 }),
    ...floorGoals(all, load),
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

/** The added p99 of a row, in Portkey's: as Node comes, and with the start that docs/scaling.md has for an even latency. */
const openMost = { full: 0.25, normal: 0.25, even: 0.1, 'even-normal': 0.1 } as const;

const openGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const added = (contestant: string): number => addedBy(all, openLoad, contestant, p99);
  return Object.entries(openMost).flatMap(([contestant, most]) => [
    verdictOf({
      goal: `6. open load: added p99 ≤ 2.5 ms, ${contestant}`,
      value: added(contestant),
      unit: ' ms',
      most: 2.5,
    }),
    verdictOf({
      goal: `6. open load: added p99 ≤ ${most} × Portkey’s, ${contestant}`,
      value: added(contestant) / added('portkey'),
      unit: ' ×',
      most,
    }),
  ]);
};

const memoryGoals = (all: readonly Measurement[]): readonly Verdict[] => {
  const peaks = [...rowOf(all, 'full', burstLoad).values()].map(peak);
  return [verdictOf({ goal: '6. 16 chats of 1.9 MB: peak RSS', value: medianOf(peaks), unit: ' MiB', most: 250 })];
};

const startGoals = (starts: StartTimes | null): readonly Verdict[] => {
  const { sandboxMs, upstreamMs, llmsMs } = starts ?? {
    sandboxMs: Number.NaN,
    upstreamMs: Number.NaN,
    llmsMs: Number.NaN,
  };
  return [
    verdictOf({ goal: '9. start to first answer, without an upstream', value: sandboxMs, unit: ' ms', most: 250 }),
    verdictOf({ goal: 'start to first answer ≤ 1.2 × llms', value: upstreamMs / llmsMs, unit: ' ×', most: 1.2 }),
  ];
};

/** The targets that this bench can judge, as ratios and bounds within one run. */
export const judge = (all: readonly Measurement[], starts: StartTimes | null): readonly Verdict[] => [
  ...closedGoals(all),
  ...lowLoadGoals(all),
  ...tailGoals(all),
  ...openGoals(all),
  ...memoryGoals(all),
  ...startGoals(starts),
];
