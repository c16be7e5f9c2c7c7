import { atomicityCases } from './cases/atomicity-cases.ts';
import { blobCases } from './cases/blob-cases.ts';
import { blobStreamCases } from './cases/blob-stream-cases.ts';
import { claimCases } from './cases/claim-cases.ts';
import { declarationCases } from './cases/declaration-cases.ts';
import { everyTableCases } from './cases/every-table-cases.ts';
import { idCases } from './cases/id-cases.ts';
import { isolationCases } from './cases/isolation-cases.ts';
import { listCases } from './cases/list-cases.ts';
import { scanCases } from './cases/scan-cases.ts';
import { outageCases } from './cases/outage-cases.ts';
import { queueCases } from './cases/queue-cases.ts';
import { refusalCases } from './cases/refusal-cases.ts';
import { usageCases } from './cases/usage-cases.ts';
import { valueCases } from './cases/value-cases.ts';
import { vectorCases } from './cases/vector-cases.ts';
import { visibilityCases } from './cases/visibility-cases.ts';
import type { StorageCase } from './storage-case.ts';

/** Everything that a storage must do. */
export const storageCases: readonly StorageCase[] = [
  ...isolationCases,
  ...everyTableCases,
  ...visibilityCases,
  ...atomicityCases,
  ...declarationCases,
  ...outageCases,
  ...refusalCases,
  ...queueCases,
  ...valueCases,
  ...idCases,
  ...listCases,
  ...scanCases,
  ...claimCases,
  ...usageCases,
  ...blobCases,
  ...blobStreamCases,
  ...vectorCases,
];
