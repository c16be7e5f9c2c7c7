import { recordsOfTable, sumUsageRows, type UsageSum, type UsageSumQuery } from '@tollgate/storage';
import type { MemoryDisk } from './memory-disk.ts';

/** Sums usage over the rows of the disk, all at once. */
export const sumUsage = (disk: MemoryDisk, query: UsageSumQuery): readonly UsageSum[] => {
  const rows = recordsOfTable<'usageHour' | 'usageDay'>([...disk.rows(query.rollUp).values()]);
  return sumUsageRows(query, rows, recordsOfTable<'usageLine'>([...disk.rows('usageLine').values()]));
};
