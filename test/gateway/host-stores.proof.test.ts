import { createMemoryIdentities, createMemoryLedger } from '@tollgate/testing/fakes';
import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { memoryData, openGateway } from './open-in-process.ts';

describeGateway({ describe, test }, 'a gateway with a wallet and identities of the host', (opening) => {
  const ledger = createMemoryLedger();
  return openGateway(opening, {
    data: memoryData,
    more: { ledger, identities: createMemoryIdentities() },
    wallet: {
      deposit: async (accountId, amountMicros) => ledger.deposit(accountId, amountMicros),
      read: async (accountId) => ledger.wallet(accountId),
    },
  });
});
