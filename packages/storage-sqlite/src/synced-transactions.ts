import { setImmediate as nextRound } from 'node:timers/promises';
import type { SqlRunner } from '@tollgate/storage/sql';
import type { RunSql } from './array-rows.ts';
import { retryWhileLocked, type BusyLimits } from './busy-retry.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Transactions } from './transactions.ts';
import type { WalSync } from './wal-sync.ts';

export interface SyncedParts {
  readonly transactions: Transactions;
  readonly limits: BusyLimits;
  readonly sync: WalSync;
}

/** Transactions beside those of steps; each is answered when what it saw or did is on disk. */
export interface SyncedTransactions {
  write<T>(body: () => T): Promise<T>;
  read<T>(body: () => T): Promise<T>;
}

export const syncedTransactions = ({ transactions, limits, sync }: SyncedParts): SyncedTransactions => ({
  write: async (body) => {
    const answer = await retryWhileLocked(() => {
      const done = transactions.write(body);
      sync.written();
      return done;
    }, limits);
    await sync.flushed(true);
    return answer;
  },
  read: async (body) => {
    const answer = await retryWhileLocked(() => transactions.read(body), limits);
    await sync.flushed(true);
    return answer;
  },
});

/** The parts of the kit on these transactions. `guard` throws where the storage may not be used. */
export const syncedRunner = (synced: SyncedTransactions, run: RunSql, guard: () => void): SqlRunner => ({
  dialect: sqliteDialect,
  query: async (statement) => {
    guard();
    const rows = await synced.read(() => run(statement));
    // What reads much does so by many queries: the thread is held for one of them at a time.
    await nextRound();
    return rows;
  },
  transact: async (loads, plan) => {
    guard();
    return synced.write(() => {
      const { writes, answer } = plan(loads.map(run));
      return answer(Array.from(writes, run));
    });
  },
});
