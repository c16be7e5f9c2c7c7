import type { Storage } from '@tollgate/storage';
import { depositStep } from '../../packages/engine/src/decisions/deposit.ts';
import { emptyWallet } from '../../packages/engine/src/decisions/wallet.ts';
import { accountId, keyId, projectIds } from './world.ts';
import { commitOnce } from '../../packages/engine/src/operations/persist.ts';

/** The reference of the deposit that a history begins with. */
export const firstDeposit = 'initial';

/** One account with a wallet, its projects and a key. */
export const furnish = async (storage: Storage, initialMicros: bigint): Promise<void> => {
  const wallet = emptyWallet(accountId);
  const keys = [
    { table: 'account', id: accountId },
    { table: 'wallet', id: accountId },
    { table: 'apiKey', id: keyId },
    ...projectIds.map((id) => ({ table: 'project', id }) as const),
  ] as const;
  await storage.transact(keys, (_, createdAtMs) => ({
    writes: [
      {
        kind: 'put',
        table: 'account',
        record: {
          id: accountId,
          name: '',
          status: 'active',
          createdAtMs,
          metadata: null,
          closedAtMs: null,
          limits: null,
          plan: null,
        },
      },
      { kind: 'put', table: 'wallet', record: wallet },
      ...projectIds.map((id) => {
        const record = {
          id,
          accountId,
          name: '',
          status: 'active',
          createdAtMs,
          metadata: null,
          closedAtMs: null,
          limits: null,
        } as const;
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
          expiresAtMs: null,
          models: null,
          cap: null,
          limits: null,
          metadata: null,
          reference: null,
          lastUsedAtMs: null,
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
  await commitOnce({ storage }, depositStep(command));
};
