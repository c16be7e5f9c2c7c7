import type { StepBatch } from '@tollgate/storage';
import type { Fault } from './fault.ts';

export const batchFaults: readonly Fault[] = [
  {
    name: 'lets every step of a batch see the records as they were before it',
    caughtBy: 'batch_equals_one_by_one',
    seenAt:
      'LiteLLM #34732, #40095, #26672; Membrane #3210, octopus #234, CliRelay #1045: concurrent requests pass the same check',
    put: (real) => ({
      stepBatch: (nowMs, loaded): StepBatch => {
        const batches: StepBatch[] = [];
        return {
          decide: (keys, decide) => {
            const own = real.stepBatch(nowMs, loaded);
            batches.push(own);
            return own.decide(keys, decide);
          },
          netWrites: () => batches.flatMap((stepBatch) => stepBatch.netWrites()),
        };
      },
    }),
  },
  {
    name: 'forgets the last step of a batch',
    caughtBy: 'batch_equals_one_by_one',
    put: (real) => ({
      stepBatch: (nowMs, loaded): StepBatch => {
        const stepBatch = real.stepBatch(nowMs, loaded);
        return {
          decide: (keys, decide) => stepBatch.decide(keys, decide),
          netWrites: () => stepBatch.netWrites().slice(0, -1),
        };
      },
    }),
  },
];
