import { memoryStorage } from '../../storage-memory/src/index.ts';
import type { Key, Records, Storage, TableName, Write } from '@tollgate/storage';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords, sampleWith, writeOf } from '../../testing/src/storage/sample-records.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
let postgres: Storage;
let nowMs = 1;
beforeAll(async () => {
  database = await testDatabase();
  postgres = await postgresStorage({ connectionString: database.url, batchConnections: 1, now: () => nowMs });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

interface Act {
  readonly table: TableName;
  readonly id: string;
  readonly does: 'put' | 'change' | 'delete' | 'look' | 'append' | 'throw' | 'bad';
  readonly value: number;
}

/** Steps of a few acts, several at once, and now and then a claim. */
const acts: fc.Arbitrary<Act> = fc.record({
  table: fc.constantFrom<TableName>('account', 'wallet', 'operation', 'identity', 'toolContext', 'setting', 'entry'),
  id: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom('put', 'put', 'change', 'delete', 'look', 'append', 'throw', 'bad'),
  value: fc.integer({ min: 0, max: 20 }),
});
const waves = fc.array(fc.array(fc.array(acts, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 6,
});

const isAppendOnly = (table: TableName): boolean => table === 'entry';

const fieldsOf = ({ table, value }: Act): Readonly<Record<string, unknown>> => {
  if (table === 'operation' || table === 'toolContext') return { dueAtMs: value };
  if (table === 'wallet') return { balanceMicros: BigInt(value), reservedMicros: BigInt(Math.floor(value / 2)) };
  if (table === 'setting') return { value: `é"\\${value}` };
  return {};
};

const writesOf = (act: Act, found: boolean): readonly Write[] => {
  const { table, id, does } = act;
  if (does === 'bad') return [writeOf('deposit', { ...sampleRecords.deposit('bad'), amountMicros: 2n * 10n ** 15n })];
  if (isAppendOnly(table)) return does === 'append' ? [writeOf(table, sampleRecords.entry(id))] : [];
  if (does === 'put' || (does === 'change' && found)) return [writeOf(table, sampleWith(table, id, fieldsOf(act)))];
  return does === 'delete' ? [{ kind: 'delete', table, id }] : [];
};

const runStep = (storage: Storage, prefix: string, step: readonly Act[]): Promise<unknown> => {
  const named = step.map((act) => ({ ...act, id: `${prefix}${act.id}` }));
  const keys: Key[] = [...named.map(({ table, id }) => ({ table, id })), { table: 'deposit', id: 'bad' }];
  return storage.transact(keys, (records: Records, now) => {
    if (named.some(({ does }) => does === 'throw')) throw new Error('thrown');
    const found = named.map(({ table, id }) => records.get(table, id));
    const byKey = new Map<string, Write>();
    for (const [at, act] of named.entries())
      for (const write of writesOf(act, found[at] !== undefined)) byKey.set(`${act.table} ${act.id}`, write);
    return { writes: [...byKey.values()], answer: { found, now } };
  });
};

/** What a storage answers to all of it, and what it holds at the end. */
const replay = async (storage: Storage, prefix: string, plan: readonly (readonly (readonly Act[])[])[]) => {
  const seen: unknown[] = [];
  for (const wave of plan) {
    const outcomes = await Promise.allSettled(wave.map((step) => runStep(storage, prefix, step)));
    seen.push(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected')));
  }
  const tables: readonly TableName[] = [
    'account',
    'wallet',
    'operation',
    'identity',
    'toolContext',
    'setting',
    'entry',
  ];
  const keys = tables.flatMap((table) => ['a', 'b', 'c'].map((id) => ({ table, id: `${prefix}${id}` })));
  const records = await storage.read(keys);
  return { seen, end: keys.map(({ table, id }) => records.get(table, id)) };
};

test('answers random steps, one by one and together, exactly as the storage in memory does', async () => {
  const runs = 60 * Number(process.env['TEST_SCALE'] ?? '1');
  let run = 0;
  await fc.assert(
    fc.asyncProperty(waves, async (plan) => {
      run += 1;
      nowMs = 1_000 + run;
      const prefix = `run${run}-`;
      const memory = memoryStorage({ now: () => nowMs });
      const expected = await replay(memory, prefix, plan);
      // On one connection, the steps of a wave are decided in the order in which they were submitted, as in memory.
      const actual = await replay(postgres, prefix, plan);
      expect(actual).toEqual(expected);
      await memory.close();
    }),
    { numRuns: runs },
  );
});
