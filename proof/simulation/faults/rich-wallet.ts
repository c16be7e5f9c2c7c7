import type { Records, Tables, TableName, Write } from '@tollgate/storage';
import type { Step } from '../../../packages/engine/src/decisions/step.ts';

const lentMicros = 10n ** 12n;

const repay = (write: Write): Write =>
  write.kind === 'put' && write.table === 'wallet'
    ? { ...write, record: { ...write.record, balanceMicros: write.record.balanceMicros - lentMicros } }
    : write;

/** Decides as if the account had plenty, and takes the loan back from what is written: the check is gone, the debit is not. */
export const withLoan = <T>({ keys, decide }: Step<T>): Step<T> => ({
  keys,
  decide: (records, nowMs) => {
    const rich: Records = {
      get: <N extends TableName>(table: N, id: string) => {
        const record = records.get(table, id);
        if (table !== 'wallet' || record === undefined || !('balanceMicros' in record)) return record;
        return { ...record, balanceMicros: record.balanceMicros + lentMicros } as Tables[N];
      },
    };
    const { writes, answer } = decide(rich, nowMs);
    return { writes: writes.map(repay), answer };
  },
});
