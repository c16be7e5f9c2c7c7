import { capFaults } from './cap-faults.ts';
import { depositFaults } from './deposit-faults.ts';
import { endingFaults } from './ending-faults.ts';
import { eventFaults } from './event-faults.ts';
import type { Fault } from './fault.ts';
import { batchFaults } from './batch-faults.ts';
import { handFaults } from './hand-faults.ts';
import { layerFaults } from './layer-faults.ts';
import { openFaults } from './open-faults.ts';
import { paymentFaults } from './payment-faults.ts';
import { priceFaults } from './price-faults.ts';
import { resourceFaults } from './resource-faults.ts';
import { runningFaults } from './running-faults.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { settleFaults } from './settle-faults.ts';
import { usageFaults } from './usage-faults.ts';
import { verdictFaults } from './verdict-faults.ts';
import { workFaults } from './work-faults.ts';

export const allFaults: readonly Fault[] = [
  ...openFaults,
  ...runningFaults,
  ...settleFaults,
  ...verdictFaults,
  ...endingFaults,
  ...depositFaults,
  ...paymentFaults,
  ...capFaults,
  ...usageFaults,
  ...priceFaults,
  ...layerFaults,
  ...batchFaults,
  ...handFaults,
  ...workFaults,
  ...resourceFaults,
  ...eventFaults,
  ...scheduleFaults,
];
