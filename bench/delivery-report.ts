import { deliveryRows, type DeliveryMeasurement, type DeliveryRow } from './delivery-rows.ts';
import type { Verdict } from './goals.ts';
import { table } from './report.ts';
import { medianOf } from './statistics.ts';

/** Deliveries that one core sends in a second, by their cost. */
const perCoreMin = 15_000;
/** What a delivery costs, in bare posts. */
const ratioMax = 1.6;

const titles: Readonly<Record<DeliveryRow, string>> = {
  bare: 'bare posts over TLS',
  undici: 'the same on undici, with which Tollgate posts',
  tollgate: 'Tollgate, SQLite NORMAL: claimed, signed, posted, recorded',
};

const of = (all: readonly DeliveryMeasurement[], row: DeliveryRow): readonly DeliveryMeasurement[] =>
  all.filter((each) => each.row === row);

const cost = (all: readonly DeliveryMeasurement[], row: DeliveryRow): number =>
  medianOf(of(all, row).map(({ cpuMicrosPerDelivery }) => cpuMicrosPerDelivery));

/** What a delivery costs in posts of another row, round by round. */
const ratiosTo = (all: readonly DeliveryMeasurement[], row: DeliveryRow): readonly number[] => {
  const costs = new Map(of(all, row).map((each) => [each.round, each.cpuMicrosPerDelivery]));
  return of(all, 'tollgate').map((each) => each.cpuMicrosPerDelivery / (costs.get(each.round) ?? Number.NaN));
};

const times = (ratios: readonly number[]): string =>
  `${medianOf(ratios).toFixed(2)} × (${ratios.map((one) => one.toFixed(2)).join(', ')})`;

/** What a delivery costs, and what of it a bare loop of the same posts does not. */
export const judgeDeliveries = (all: readonly DeliveryMeasurement[]): readonly Verdict[] => {
  const ratios = ratiosTo(all, 'bare');
  const ratio = medianOf(ratios);
  const perCore = 1e6 / cost(all, 'tollgate');
  const added = cost(all, 'tollgate') - cost(all, 'bare');
  return [
    {
      goal: `signed and recorded deliveries a second of one core, over TLS ≥ ${perCoreMin}`,
      measured: perCore.toFixed(0),
      met: perCore >= perCoreMin,
    },
    {
      goal: 'the same of a bare loop of posts over TLS',
      measured: (1e6 / cost(all, 'bare')).toFixed(0),
      met: null,
    },
    { goal: `CPU a delivery against the bare loop ≤ ${ratioMax} ×`, measured: times(ratios), met: ratio <= ratioMax },
    { goal: 'the same against the loop on undici', measured: times(ratiosTo(all, 'undici')), met: null },
    {
      goal: `what a delivery costs beyond its post: at most ${(1e6 / perCoreMin).toFixed(0)} µs, ${perCoreMin} a second of one core`,
      measured: `${added.toFixed(1)} µs`,
      met: added <= 1e6 / perCoreMin,
    },
  ];
};

const columns = ['row', 'CPU µs/delivery (min–max)', 'a second of one core', 'deliveries/s', 'rest of the machine %'];

/** The results as Markdown. Medians over the rounds. */
export const writeDeliveryReport = (all: readonly DeliveryMeasurement[]): string => {
  const rows = deliveryRows.map((row) => {
    const costs = of(all, row).map(({ cpuMicrosPerDelivery }) => cpuMicrosPerDelivery);
    return [
      titles[row],
      `${medianOf(costs).toFixed(1)} (${Math.min(...costs).toFixed(1)}–${Math.max(...costs).toFixed(1)})`,
      (1e6 / medianOf(costs)).toFixed(0),
      medianOf(of(all, row).map(({ perSecond }) => perSecond)).toFixed(0),
      medianOf(of(all, row).map(({ foreignCpuPercent }) => foreignCpuPercent)).toFixed(0),
    ];
  });
  return `### Deliveries over kept TLS connections\n\n${table(columns, rows)}\n`;
};
