import type { AdminCaller } from '../admin-caller.ts';
import { adminRoute, json, nothing, reads, type AdminRoute } from '../admin-route.ts';
import { Audit, Caller, Sweep } from '../records/system-records.ts';

const ownsNothing: Pick<Extract<AdminCaller, { readonly role: 'owner' }>, 'accountId' | 'projectIds'> = {};

/** The caller itself, and the ledger as a whole. */
export const systemRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'readCaller',
    path: '/me',
    summary: 'Tell who the caller is',
    role: 'owner',
    covers: [],
    pathParameters: nothing,
    queryParameters: nothing,
    success: { status: 200, description: 'The caller.', schema: Caller },
    run: ({ caller }) => {
      const { role, name } = caller;
      const { accountId = null, projectIds = null } = caller.role === 'owner' ? caller : ownsNothing;
      return Promise.resolve(json({ role, name, accountId, projectIds }));
    },
  }),
  adminRoute({
    id: 'audit',
    method: 'POST',
    path: '/audit',
    summary: 'Recompute every account from its entries and operations; it reads all of them',
    role: 'operator',
    covers: ['audit'],
    pathParameters: nothing,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'What does not hold.', schema: Audit },
    run: async ({ admin }) => json(await admin.audit()),
  }),
  adminRoute({
    id: 'sweep',
    method: 'POST',
    path: '/sweep',
    summary: 'Run one round of the background work now',
    role: 'operator',
    covers: ['sweep'],
    pathParameters: nothing,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'What it did.', schema: Sweep },
    run: async ({ admin }) => json(await admin.sweep()),
  }),
];
