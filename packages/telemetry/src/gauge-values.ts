import type { GatewayView, HoldsOfAge } from '@tollgate/engine';
import { ours, type GaugeValue } from './metric-table.ts';

const microsPerCredit = 1_000_000;

const ageOf = ({ ageSecondsMax }: HoldsOfAge): string =>
  ageSecondsMax === null ? 'older' : `under ${ageSecondsMax} s`;

/** What a gateway holds now, as values of gauges; what the storage does not tell in time is left out. */
export const gaugeValues = async ({ gauges, stored }: GatewayView): Promise<readonly GaugeValue[]> => {
  const depths = Object.entries<number>({ ...gauges() }).map(([queue, value]): GaugeValue => ({
    metric: 'queueDepth',
    value,
    attributes: { [ours.queue]: queue },
  }));
  const found = await stored();
  if (found === null) return depths;
  return [
    ...depths,
    { metric: 'uncertain', value: found.uncertain, attributes: {} },
    ...found.holds.flatMap((holds): readonly GaugeValue[] => {
      const attributes = { [ours.age]: ageOf(holds) };
      const credits = Number(holds.heldMicros) / microsPerCredit;
      return [
        { metric: 'holds', value: holds.count, attributes },
        { metric: 'heldCredits', value: credits, attributes },
      ];
    }),
  ];
};
