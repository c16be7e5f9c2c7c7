import type { Flight } from '@tollgate/storage';
import type { Fault } from './fault.ts';

export const flightFaults: readonly Fault[] = [
  {
    name: 'lets every step of a batch see the records as they were before it',
    caughtBy: 'batch_equals_one_by_one',
    seenAt:
      'LiteLLM #34732, #40095, #26672; Membrane #3210, octopus #234, CliRelay #1045: concurrent requests pass the same check',
    put: (real) => ({
      flight: (nowMs, loaded): Flight => {
        const flights: Flight[] = [];
        return {
          decide: (keys, decide) => {
            const own = real.flight(nowMs, loaded);
            flights.push(own);
            return own.decide(keys, decide);
          },
          netWrites: () => flights.flatMap((flight) => flight.netWrites()),
        };
      },
    }),
  },
  {
    name: 'forgets the last step of a batch',
    caughtBy: 'batch_equals_one_by_one',
    put: (real) => ({
      flight: (nowMs, loaded): Flight => {
        const flight = real.flight(nowMs, loaded);
        return {
          decide: (keys, decide) => flight.decide(keys, decide),
          netWrites: () => flight.netWrites().slice(0, -1),
        };
      },
    }),
  },
];
