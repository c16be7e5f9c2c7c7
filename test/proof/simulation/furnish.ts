import type { Storage } from '@tollgate/storage';
import { decideDeposit, depositKeys } from '../../../packages/engine/src/decisions/deposit.ts';
import { accountId, keyId, projectIds } from './world.ts';

/** The reference of the deposit that a history begins with. */
export const firstDeposit = 'initial';

/** One account with a wallet, its projects and a key. */
export const furnish = async (storage: Storage, initialMicros: bigint): Promise<void> => {
  const wallet = { id: accountId, balanceMicros: 0n, reservedMicros: 0n, seq: 0, entrySeq: 0 };
  const keys = [
    { table: 'account', id: accountId },
    { table: 'wallet', id: accountId },
    { table: 'apiKey', id: keyId },
    ...projectIds.map((id) => ({ table: 'project', id }) as const),
  ] as const;
  await storage.transact(keys, (_, createdAtMs) => ({
    writes: [
      { kind: 'put', table: 'account', record: { id: accountId, name: '', status: 'active', createdAtMs } },
      { kind: 'put', table: 'wallet', record: wallet },
      ...projectIds.map((id) => {
        const record = { id, accountId, name: '', status: 'active', createdAtMs } as const;
        return { kind: 'put', table: 'project', record } as const;
      }),
      {
        kind: 'put',
        table: 'apiKey',
        record: {
          id: keyId,
          projectId: projectIds[0],
          accountId,
          name: '',
          model: null,
          secretHash: '',
          status: 'active',
          createdAtMs,
          revokedAtMs: null,
        },
      },
    ],
    answer: undefined,
  }));
  if (initialMicros === 0n) return;
  const command = {
    accountId,
    kind: 'deposit',
    amountMicros: initialMicros,
    reference: firstDeposit,
    operationId: null,
  } as const;
  await storage.transact(depositKeys(command), decideDeposit(command));
};
