import { describeIdentities, describeLedger } from '@tollgate/testing/ledger';
import { describe, test } from 'vitest';
import { hostIdentities } from '../docs/snippets/host-identities.ts';
import { hostLedger } from '../docs/snippets/host-ledger.ts';

describeLedger({ describe, test }, 'hostLedger', () => {
  const balances = new Map<string, bigint>();
  return {
    ledger: hostLedger(balances),
    deposit: (accountId, amountMicros) => balances.set(accountId, (balances.get(accountId) ?? 0n) + amountMicros),
  };
});

describeIdentities({ describe, test }, 'hostIdentities', () => ({ identities: hostIdentities() }));
