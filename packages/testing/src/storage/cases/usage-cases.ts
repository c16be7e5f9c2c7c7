import assert from 'node:assert/strict';
import type { Storage, UsageHourRecord, UsageLineRecord, UsageSumQuery } from '@tollgate/storage';
import { sampleRecords } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { addRows, commit } from '../storage-steps.ts';

const hour = 3_600_000;
const day = 24 * hour;

const hourRow = (id: string, fields: Partial<UsageHourRecord>): UsageHourRecord => ({
  ...sampleRecords.usageHour(id),
  ...fields,
});

const line = (id: string, fields: Partial<UsageLineRecord>): UsageLineRecord => ({
  ...sampleRecords.usageLine(id),
  ...fields,
});

const query = (fields: Partial<UsageSumQuery>): UsageSumQuery => ({
  rollUp: 'usageHour',
  bounds: [0, hour, 2 * hour],
  where: {},
  groupBy: [],
  after: null,
  limit: 100,
  ...fields,
});

/** Two accounts over three hours, in roll-ups and in lines. */
const fill = async (storage: Storage): Promise<void> => {
  await addRows(storage, 'usageHour', [
    hourRow('1', { accountId: 'a', model: 'm', startMs: 0, requests: 2, chargedMicros: 5n, units: { in: 3, out: 1 } }),
    hourRow('2', { accountId: 'a', model: 'n', startMs: 0, requests: 1, chargedMicros: 7n, units: {} }),
    hourRow('3', { accountId: 'b', model: 'm', startMs: hour, requests: 4, chargedMicros: 11n, units: { in: 9 } }),
    hourRow('4', { accountId: 'b', model: 'm', startMs: 2 * hour, requests: 8, chargedMicros: 13n, units: { in: 2 } }),
  ]);
  await addRows(storage, 'usageLine', [
    line('5', { accountId: 'a', model: 'm', createdAtMs: hour - 1, requests: 1, chargedMicros: 2n, units: { out: 4 } }),
    line('6', { accountId: 'b', model: 'm', createdAtMs: hour, requests: 0, chargedMicros: 0n, correctedMicros: -3n }),
    line('7', { accountId: 'b', model: 'm', createdAtMs: 2 * hour, requests: 1, chargedMicros: 1n, units: { in: 1 } }),
  ]);
};

export const usageCases: readonly StorageCase[] = [
  {
    promise: 'S35',
    name: 'sums usage by period and group, lines included, in rising order',
    run: async ({ storage }) => {
      await fill(storage);
      assert.deepEqual(await storage.sumUsage(query({ groupBy: ['model', 'accountId'] })), [
        {
          fromMs: 0,
          values: ['m', 'a'],
          requests: 3n,
          chargedMicros: 7n,
          correctedMicros: 0n,
          units: [
            ['in', 3n],
            ['out', 5n],
          ],
        },
        { fromMs: 0, values: ['n', 'a'], requests: 1n, chargedMicros: 7n, correctedMicros: 0n, units: [] },
        {
          fromMs: hour,
          values: ['m', 'b'],
          requests: 4n,
          chargedMicros: 11n,
          correctedMicros: -3n,
          units: [['in', 9n]],
        },
      ]);
    },
  },
  {
    promise: 'S35',
    name: 'sums usage of one source only where the query names it',
    run: async ({ storage }) => {
      await fill(storage);
      const sums = await storage.sumUsage(query({ bounds: [0, 3 * hour], where: { accountId: 'a', model: 'm' } }));
      assert.deepEqual(
        sums.map(({ requests, chargedMicros }) => [requests, chargedMicros]),
        [[3n, 7n]],
      );
    },
  },
  {
    promise: 'S35',
    name: 'sums usage page by page',
    run: async ({ storage }) => {
      await fill(storage);
      const asked = query({ bounds: [0, hour, 2 * hour, 3 * hour], groupBy: ['model'] });
      const whole = await storage.sumUsage(asked);
      const paged = [];
      let after: UsageSumQuery['after'] = null;
      for (;;) {
        const page = await storage.sumUsage({ ...asked, after, limit: 2 });
        paged.push(...page);
        const last = page.at(-1);
        if (page.length < 2 || last === undefined) break;
        after = last;
      }
      assert.equal(whole.length, 4);
      assert.deepEqual(paged, whole);
    },
  },
  {
    promise: 'S35',
    name: 'sums usage by day from the rows of days',
    run: async ({ storage }) => {
      await addRows(storage, 'usageHour', [hourRow('1', { startMs: day, requests: 5 })]);
      await addRows(storage, 'usageDay', [
        { ...sampleRecords.usageDay('2'), startMs: day, requests: 3, chargedMicros: 4n, units: { in: 1 } },
      ]);
      await addRows(storage, 'usageLine', [line('3', { createdAtMs: 2 * day - 1, requests: 1, chargedMicros: 1n })]);
      const sums = await storage.sumUsage(query({ rollUp: 'usageDay', bounds: [0, day, 2 * day] }));
      assert.deepEqual(
        sums.map(({ fromMs, requests, chargedMicros }) => [fromMs, requests, chargedMicros]),
        [[day, 4n, 5n]],
      );
    },
  },
  {
    promise: 'S35',
    name: 'sums usage beyond 2^53 exactly',
    run: async ({ storage }) => {
      const chargedMicros = 10n ** 15n - 1n;
      const lines = Array.from({ length: 21 }, (_, at) =>
        line(String(at), { createdAtMs: 0, chargedMicros, units: { in: Number.MAX_SAFE_INTEGER } }),
      );
      await addRows(storage, 'usageLine', lines);
      const [sum] = await storage.sumUsage(query({}));
      assert.equal(sum?.chargedMicros, 21n * chargedMicros);
      assert.deepEqual(sum?.units, [['in', 21n * BigInt(Number.MAX_SAFE_INTEGER)]]);
    },
  },
  {
    promise: 'S35',
    name: 'counts each of a thousand rows and more once, in whatever order their ids and times rise',
    run: async ({ storage }) => {
      const count = 1_100;
      const lines = Array.from({ length: count }, (_, at) =>
        line(String(count - at).padStart(4, '0'), { createdAtMs: at < 50 ? hour - 1 : hour + at, requests: 1 }),
      );
      const rows = Array.from({ length: count }, (_, at) =>
        hourRow(String((at * 7) % count).padStart(4, '0'), { startMs: (1 + (at % 2)) * hour, requests: 1 }),
      );
      for (let at = 0; at < count; at += 275) {
        await addRows(storage, 'usageLine', lines.slice(at, at + 275));
        await addRows(storage, 'usageHour', rows.slice(at, at + 275));
      }
      const sums = await storage.sumUsage(query({ bounds: [hour, 2 * hour, 3 * hour] }));
      assert.deepEqual(
        sums.map(({ fromMs, requests }) => [fromMs, requests]),
        [
          [hour, BigInt(count - 50 + count / 2)],
          [2 * hour, BigInt(count / 2)],
        ],
      );
    },
  },
  {
    promise: 'S35',
    name: 'counts a line once while it is rolled up',
    run: async ({ storage, other }) => {
      const reader = await other();
      await addRows(storage, 'usageLine', [line('1', { createdAtMs: 0, requests: 1 })]);
      const rolling = commit(storage, [
        { kind: 'delete', table: 'usageLine', id: '1' },
        { kind: 'put', table: 'usageHour', record: hourRow('h', { startMs: 0, requests: 1 }) },
      ]);
      const seen = await Promise.all(Array.from({ length: 20 }, () => reader.sumUsage(query({}))));
      await rolling;
      seen.push(await reader.sumUsage(query({})));
      assert.deepEqual(
        seen.map(([sum]) => sum?.requests),
        seen.map(() => 1n),
      );
    },
  },
  {
    promise: 'S35',
    name: 'refuses to sum usage by what the rows do not tell apart, by other bounds and beyond its limits',
    run: async ({ storage }) => {
      const wrong: readonly Partial<UsageSumQuery>[] = [
        { rollUp: 'usageDay', bounds: [0, day], groupBy: ['keyId'] },
        { rollUp: 'usageDay', bounds: [0, day], where: { projectId: 'p' } },
        { rollUp: 'usageDay', bounds: [0, hour] },
        { bounds: [0, 1] },
        { bounds: [hour, 0] },
        { bounds: [0] },
        { bounds: [0, hour * 2 ** 40] },
        { bounds: Array.from({ length: 1_002 }, (_, at) => at * hour) },
        { groupBy: ['model', 'model'] },
        { limit: 0 },
        { limit: 1_001 },
        { after: { fromMs: 0, values: ['a'] } },
      ];
      for (const fields of wrong) await assert.rejects(storage.sumUsage(query(fields)), RangeError);
    },
  },
];
