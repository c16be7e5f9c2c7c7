import type { BalanceAlertRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/**
 * Sets the balance below which functions of the host hear of an account; null takes the threshold of the gateway. Null is returned
 * where there is no such account.
 */
export const setLowBalance = (
  engine: Engine,
  accountId: string,
  lowBalanceMicros: bigint | null,
): Promise<BalanceAlertRecord | null> =>
  commitOnce(engine, {
    keys: [
      { table: 'account', id: accountId },
      { table: 'balanceAlert', id: accountId },
    ],
    decide: (records) => {
      if (records.get('account', accountId) === undefined) return { writes: [], answer: null };
      const { toppedMicros } = records.get('balanceAlert', accountId) ?? { toppedMicros: 0n };
      const record = { id: accountId, lowBalanceMicros, toppedMicros };
      return { writes: [{ kind: 'put', table: 'balanceAlert', record }], answer: record };
    },
  });
