import { fieldOf } from './plain-parts.ts';
import type { StorageFault } from './storage-fault.ts';

const anyTable = 'scans a table by rising id, page by page, and only the rows asked for: ';

export const scanFaults: readonly StorageFault[] = [
  {
    name: 'scans the row of the cursor again',
    failing: [`${anyTable}wallet`],
    fault: (parts) => ({
      isScanned: (row, query) => parts.isScanned(row, query) || row.id === query.after,
    }),
  },
  {
    name: 'scans by falling ids',
    failing: [anyTable],
    fault: () => ({ isScannedFirst: (one, other) => one > other }),
  },
  {
    name: 'scans the rows of others',
    failing: [`${anyTable}entry`],
    fault: (parts) => ({ isScanned: (row, { after, limit }) => parts.isScanned(row, { after, limit }) }),
  },
  {
    name: 'takes a value for another that begins alike',
    failing: [`${anyTable}entry`],
    fault: (parts) => ({
      isScanned: (row, { where, ...query }) =>
        parts.isScanned(row, query) &&
        (where === undefined || String(fieldOf(row, where.field)).startsWith(where.value)),
    }),
  },
  {
    name: 'scans with any limit and by any field',
    failing: ['scans at most 100 rows, by a field of text, and refuses any other'],
    fault: () => ({ checkScan: () => undefined }),
  },
];
