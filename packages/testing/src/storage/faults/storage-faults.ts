import { blobFaults } from './blob-faults.ts';
import { claimFaults } from './claim-faults.ts';
import { declarationFaults } from './declaration-faults.ts';
import { everyTableFaults } from './every-table-faults.ts';
import { idFaults } from './id-faults.ts';
import { listFaults } from './list-faults.ts';
import { scanFaults } from './scan-faults.ts';
import type { StorageFault } from './storage-fault.ts';
import { transactionFaults } from './transaction-faults.ts';
import { outageFaults } from './outage-faults.ts';
import { usageFaults } from './usage-faults.ts';
import { valueFaults } from './value-faults.ts';
import { vectorFaults } from './vector-faults.ts';

/** Deliberately wrong storages. The suite is proved by them: each must fail a case, and each case must be failed by one. */
export const storageFaults: readonly StorageFault[] = [
  ...transactionFaults,
  ...everyTableFaults,
  ...outageFaults,
  ...declarationFaults,
  ...valueFaults,
  ...idFaults,
  ...listFaults,
  ...scanFaults,
  ...claimFaults,
  ...usageFaults,
  ...blobFaults,
  ...vectorFaults,
];
