import type { Key, Storage } from '@tollgate/storage';

export const account = (id: string): Key => ({ table: 'account', id });

/** Opens an account. */
export const put = (storage: Storage, id: string): Promise<void> =>
  storage.transact([account(id)], () => {
    const record = {
      id,
      name: id,
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      plan: null,
      limits: null,
    } as const;
    return { writes: [{ kind: 'put', table: 'account', record }], answer: undefined };
  });
