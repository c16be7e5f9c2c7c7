import type { StorageFault } from './storage-fault.ts';

export const usageFaults: readonly StorageFault[] = [
  {
    name: 'sums roll-ups without the lines that come on top',
    failing: ['sums usage by period and group', 'sums usage by day from the rows of days'],
    fault: (parts) => ({ sumUsage: (query, rows) => parts.sumUsage(query, rows, []) }),
  },
  {
    name: 'sums usage of all sources',
    failing: ['sums usage of one source only'],
    fault: (parts) => ({ sumUsage: (query, rows, lines) => parts.sumUsage({ ...query, where: {} }, rows, lines) }),
  },
  {
    name: 'begins every page of sums anew',
    failing: ['sums usage page by page'],
    fault: (parts) => ({
      sumUsage: (query, rows, lines) =>
        query.after === null
          ? parts.sumUsage(query, rows, lines)
          : parts.sumUsage({ ...query, after: null }, rows, lines).slice(1),
    }),
  },
  {
    name: 'sums no more than the first thousand rows',
    failing: ['counts each of a thousand rows and more once'],
    fault: (parts) => ({
      sumUsage: (query, rows, lines) => parts.sumUsage(query, rows.slice(0, 1_000), lines.slice(0, 1_000)),
    }),
  },
  {
    name: 'sums usage as floating point',
    failing: ['sums usage beyond 2^53 exactly'],
    fault: (parts) => ({
      sumUsage: (query, rows, lines) =>
        parts.sumUsage(query, rows, lines).map((sum) => ({ ...sum, chargedMicros: BigInt(Number(sum.chargedMicros)) })),
    }),
  },
  {
    name: 'reads the lines again after it has read the roll-ups',
    failing: ['counts a line once while it is rolled up'],
    fault: (parts, disk) => {
      let before: readonly Parameters<typeof parts.sumUsage>[2][number][] = [];
      return {
        sumUsage: (query, rows, lines) => {
          const seen = before.filter(({ id }) => disk.rows.size > 0 && !lines.some((line) => line.id === id));
          before = lines;
          return parts.sumUsage(query, rows, [...lines, ...seen]);
        },
      };
    },
  },
  {
    name: 'sums whatever is asked for',
    failing: ['refuses to sum usage by what the rows do not tell apart'],
    fault: () => ({ checkUsageQuery: () => undefined }),
  },
];
