import assert from 'node:assert/strict';
import type { CreditLedger } from '@tollgate/storage';
import type { NumberedCase } from '../numbered-suite.ts';
import type { ledgerPromises } from './ledger-promises.ts';

/** A ledger that was opened for one case, with no account known. */
export interface OpenedLedger {
  readonly ledger: CreditLedger;
  /** Adds to the balance of an account, which may be new. */
  readonly deposit: (accountId: string, amountMicros: bigint) => unknown;
  /** The same ledger through another instance, as another process has it. Without it the cases use the one instance twice. */
  readonly reopen?: () => CreditLedger | Promise<CreditLedger>;
  /**
   * Ends the connection of `ledger`, or its process, somewhere within its next command, which then throws. Returns whether that has
   * happened since. `reopen` must be there as well.
   */
  readonly die?: () => Promise<() => boolean>;
  readonly close?: () => unknown;
}

/** What a case works on. */
export interface LedgerWorld {
  readonly ledger: CreditLedger;
  /** The same ledger through another instance, where there can be one. */
  readonly other: () => Promise<CreditLedger>;
  readonly deposit: (accountId: string, amountMicros: bigint) => Promise<void>;
  /** Cuts off the next command of `ledger`; returns whether that has happened since. */
  readonly die: () => Promise<() => boolean>;
  /** Fails unless exactly this much of the account's balance is free. It asks through the ledger and leaves nothing behind. */
  readonly assertFree: (amountMicros: bigint, accountId?: string, through?: CreditLedger) => Promise<void>;
}

export type LedgerCase = NumberedCase<LedgerWorld, keyof typeof ledgerPromises>;

/** The account of most cases, and the operation. */
export const accountId = 'account';

export const amount = (amountMicros: bigint, operationId = 'operation') => ({ operationId, accountId, amountMicros });

export const named = (operationId = 'operation') => ({ operationId, accountId });

export const ledgerWorld = ({ ledger, deposit, reopen, die }: OpenedLedger): LedgerWorld => {
  let probes = 0;
  const probe = (amountMicros: bigint, account: string) => {
    probes += 1;
    return { operationId: `probe-${probes}`, accountId: account, amountMicros };
  };
  return {
    ledger,
    die: async () => {
      if (die === undefined) throw new Error('the opening has no die');
      return die();
    },
    other: async () => (reopen === undefined ? ledger : reopen()),
    deposit: async (account, amountMicros) => {
      await deposit(account, amountMicros);
    },
    assertFree: async (amountMicros, account = accountId, through = ledger) => {
      const more = probe(amountMicros + 1n, account);
      assert.equal(await through.reserve(more), 'insufficient', `more than ${amountMicros} is free`);
      const all = probe(amountMicros, account);
      assert.equal(await through.reserve(all), 'reserved', `less than ${amountMicros} is free`);
      assert.equal(await through.release(all), 'released');
    },
  };
};
