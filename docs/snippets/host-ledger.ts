import type { CreditLedger } from '@tollgate/storage';

// #region ledger
interface Hold {
  readonly accountId: string;
  /** What is set aside, or was debited. */
  micros: bigint;
  state: 'open' | 'settled' | 'released';
}

/**
 * A wallet of the host, here in memory to show the rules. A real one runs each command in one transaction of its own
 * database, with the operation's id as the key that makes a repeat harmless.
 */
export const hostLedger = (balances: Map<string, bigint>): CreditLedger => {
  const holds = new Map<string, Hold>();
  const free = (accountId: string): bigint => {
    const open = [...holds.values()].filter((hold) => hold.accountId === accountId && hold.state === 'open');
    return open.reduce((left, hold) => left - hold.micros, balances.get(accountId) ?? 0n);
  };
  return {
    reserve: async ({ operationId, accountId, amountMicros }) => {
      const known = holds.get(operationId);
      if (known !== undefined) return known.state === 'open' ? 'reserved' : 'ended';
      if (amountMicros > free(accountId)) return 'insufficient';
      holds.set(operationId, { accountId, micros: amountMicros, state: 'open' });
      return 'reserved';
    },
    extend: async ({ operationId, accountId, amountMicros }) => {
      const hold = holds.get(operationId);
      if (hold?.state !== 'open') return 'ended';
      if (amountMicros - hold.micros > free(accountId)) return 'insufficient';
      if (amountMicros > hold.micros) hold.micros = amountMicros;
      return 'extended';
    },
    settle: async ({ operationId, accountId, amountMicros }) => {
      const hold = holds.get(operationId);
      // Another amount is another settlement: its caller must not believe that it was debited.
      if (hold?.state === 'settled') return hold.micros === amountMicros ? 'settled' : 'ended';
      if (hold?.state !== 'open') return 'ended';
      if (amountMicros - hold.micros > free(accountId)) return 'insufficient';
      balances.set(accountId, (balances.get(accountId) ?? 0n) - amountMicros);
      hold.state = 'settled';
      hold.micros = amountMicros;
      return 'settled';
    },
    release: async ({ operationId, accountId }) => {
      const hold = holds.get(operationId);
      if (hold?.state === 'settled') return 'ended';
      // This includes an operation that was never reserved: a late reserve of it must find the end.
      holds.set(operationId, { accountId, micros: 0n, state: 'released' });
      return 'released';
    },
  };
};
// #endregion ledger
