import type { OperationRecord, WalletRecord, Write } from '@tollgate/storage';
import { changeWallet } from './wallet.ts';

/**
 * What an operation carries is the account's as soon as the ledger may have its amount, so that operations which settle at the same
 * time never debit one fraction twice; where another amount or a failure takes its place, it is given back.
 */
export const carriedWrites = (
  wallet: WalletRecord,
  before: OperationRecord,
  after: OperationRecord,
): readonly Write[] => {
  const remainderPicos = after.carriedPicos - before.carriedPicos;
  return remainderPicos === 0
    ? []
    : [{ kind: 'put', table: 'wallet', record: changeWallet(wallet, { remainderPicos }) }];
};
