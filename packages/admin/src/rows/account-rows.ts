import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminRoute } from '../admin-route.ts';
import { foundOr404 } from '../admin-error.ts';
import { wirePage } from '../cursor.ts';
import { requireAccount } from '../own.ts';
import { pageOf, pageParameters, searchParameter } from '../parameters.ts';
import { Account, accountStatuses, ClosedAccount } from '../records/account-records.ts';
import { Id, listOf, Metadata, Name } from '../records/fields.ts';
import { stableId } from '../stable-id.ts';
import { limitsField, limitsOf } from './limits-field.ts';

const account = z.strictObject({ account_id: Id });

const Plan = z.string().min(1).max(128).nullable().meta({ description: 'A plan of the price lists; null for none.' });

const change = {
  name: Name.exactOptional(),
  metadata: Metadata.nullable().exactOptional(),
  plan: Plan.exactOptional(),
  limits: limitsField,
};

/** Accounts. */
export const accountRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'findAccounts',
    path: '/accounts',
    summary: 'List the accounts',
    role: 'operator',
    covers: ['findAccounts', 'listAccounts'],
    pathParameters: nothing,
    queryParameters: z.strictObject({ ...pageParameters, ...searchParameter }),
    success: { status: 200, description: 'A page, newest first.', schema: listOf(Account) },
    run: async ({ admin }, { query }) =>
      json(wirePage(await admin.findAccounts({ ...pageOf(query), search: query.search }))),
  }),
  adminRoute({
    id: 'createAccount',
    method: 'POST',
    path: '/accounts',
    summary: 'Open an account',
    role: 'operator',
    covers: ['createAccount'],
    takesIdentity: true,
    pathParameters: nothing,
    queryParameters: nothing,
    request: z.strictObject({ ...change, name: Name, id: z.uuid().exactOptional() }),
    success: { status: 201, description: 'The account.', schema: Account },
    run: async (context, { body }) => {
      const { admin, identity } = context;
      const id = body.id ?? (identity === null ? undefined : stableId('account', identity));
      return json(await admin.createAccount({ ...body, id, limits: limitsOf(context, body.limits) }));
    },
  }),
  adminRoute({
    ...reads,
    id: 'readAccount',
    path: '/accounts/{account_id}',
    summary: 'Read one account',
    role: 'owner',
    covers: ['readAccount'],
    pathParameters: account,
    queryParameters: nothing,
    success: { status: 200, description: 'The account.', schema: Account },
    run: async (context, { path }) =>
      json(foundOr404(await context.admin.readAccount(requireAccount(context, path.account_id)))),
  }),
  adminRoute({
    id: 'changeAccount',
    method: 'PATCH',
    path: '/accounts/{account_id}',
    summary: 'Rename or limit an account, keep texts with it, let it in or keep it out',
    role: 'operator',
    covers: ['changeAccount', 'setAccountStatus'],
    pathParameters: account,
    queryParameters: nothing,
    request: z.strictObject({ ...change, status: z.enum(accountStatuses).exactOptional() }),
    success: { status: 200, description: 'The account as it is now.', schema: Account },
    run: async (context, { path, body }) => {
      const asked = { ...body, limits: limitsOf(context, body.limits) };
      return json(foundOr404(await context.admin.changeAccount(path.account_id, asked)));
    },
  }),
  adminRoute({
    id: 'closeAccount',
    method: 'POST',
    path: '/accounts/{account_id}/close',
    summary: 'Close an account for good',
    role: 'operator',
    covers: ['closeAccount'],
    pathParameters: account,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'The account, and the wallet that is left.', schema: ClosedAccount },
    run: async ({ admin }, { path }) => json(foundOr404(await admin.closeAccount(path.account_id))),
  }),
];
