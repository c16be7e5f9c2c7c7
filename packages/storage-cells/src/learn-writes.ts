import type { Decide, Key, TableName, Write } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import type { KnownCells } from './known-cells.ts';

/** Tables of which nothing is asked by id alone, or only beside its account: their ids are not remembered. */
const unlearned: ReadonlySet<TableName> = new Set<TableName>([
  'account',
  'wallet',
  'debt',
  'topUp',
  'balanceAlert',
  'entry',
  'deposit',
  'identity',
  'toolContext',
  'undelivered',
  'spend',
  'usageLine',
  'usageHour',
  'usageDay',
  'batchItem',
  'fileUse',
  'resourceUse',
  'anomaly',
]);

/** Carries a step out on its cell, and remembers the records that it made there once they are durable. */
export const transactOn = async <T>(
  cell: Cell,
  known: KnownCells,
  keys: readonly Key[],
  decide: Decide<T>,
): Promise<T> => {
  let made: readonly Write[] = [];
  const answer = await cell.storage.transact(keys, (records, nowMs) => {
    const decision = decide(records, nowMs);
    made = decision.writes;
    return decision;
  });
  for (const write of made)
    if (write.kind === 'put' && !unlearned.has(write.table)) known.learn(write.table, write.record.id, cell);
  return answer;
};
