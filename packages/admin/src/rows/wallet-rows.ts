import { microsFromCredits, type DepositAnswer } from '@tollgate/engine';
import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404, notFound } from '../admin-error.ts';
import { wirePage } from '../cursor.ts';
import { requireAccount } from '../own.ts';
import { pageOf, pageParameters, rangeOf, rangeParameters } from '../parameters.ts';
import { BalanceAlert, Entry, Wallet, WalletChange } from '../records/account-records.ts';
import { Credits, Id, listOf, Reference } from '../records/fields.ts';
import { Settled } from '../records/system-records.ts';
import { formatParameter, wantsCsv } from '../wants-csv.ts';

const account = z.strictObject({ account_id: Id });

const referenceOf = ({ identity }: AdminContext, reference: string | undefined): string => {
  const given = reference ?? identity;
  if (given === null || given === undefined)
    throw new AdminError('invalid_request', 'reference is missing; accepted is a text, or an Idempotency-Key.');
  return given;
};

const walletChange = (answer: DepositAnswer): { readonly repeated: boolean; readonly wallet: unknown } => {
  switch (answer.kind) {
    case 'done':
    case 'repeated':
      return { repeated: answer.kind === 'repeated', wallet: answer.wallet };
    case 'operation_of_another_account':
      throw new AdminError('conflict', 'The operation that operation_id names belongs to another account.');
    case 'conflict':
      throw new AdminError('conflict', 'The reference was used for another amount.');
    case 'insufficient':
      throw new AdminError('conflict', 'The free balance does not cover the amount; reservations count as used.');
    case 'too_large':
      throw new AdminError('conflict', 'The balance would be beyond 1,000,000,000 credits.');
    case 'missing':
      throw notFound();
  }
};

/** Wallets and statements of accounts. */
export const walletRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'readWallet',
    path: '/accounts/{account_id}/wallet',
    summary: 'Read the balance',
    role: 'owner',
    covers: ['readWallet'],
    pathParameters: account,
    queryParameters: nothing,
    success: { status: 200, description: 'The wallet.', schema: Wallet },
    run: async (context, { path }) =>
      json(foundOr404(await context.admin.readWallet(requireAccount(context, path.account_id)))),
  }),
  adminRoute({
    id: 'deposit',
    method: 'POST',
    path: '/accounts/{account_id}/deposits',
    summary: 'Add credits',
    role: 'operator',
    covers: ['deposit'],
    takesIdentity: true,
    pathParameters: account,
    queryParameters: nothing,
    request: z.strictObject({ credits: Credits, reference: Reference.exactOptional() }),
    success: { status: 200, description: 'The wallet after it.', schema: WalletChange },
    run: async (context, { path, body }) =>
      json(
        walletChange(
          await context.admin.deposit({
            accountId: path.account_id,
            amountMicros: microsFromCredits(body.credits),
            reference: referenceOf(context, body.reference),
          }),
        ),
      ),
  }),
  adminRoute({
    id: 'compensate',
    method: 'POST',
    path: '/accounts/{account_id}/compensations',
    summary: 'Correct the balance by an entry, up or down',
    role: 'operator',
    covers: ['compensate'],
    takesIdentity: true,
    pathParameters: account,
    queryParameters: nothing,
    request: z.strictObject({
      credits: Credits,
      reference: Reference.exactOptional(),
      operation_id: Id.exactOptional().meta({
        description:
          'The operation that is corrected; 409 where it belongs to another account. An id without a record is taken, since records end.',
      }),
      shortfall: z.enum(['refuse', 'owe', 'forgive']).exactOptional().meta({
        description: 'What becomes of a negative amount that the free balance does not cover; by default 409.',
      }),
    }),
    success: { status: 200, description: 'The wallet after it.', schema: WalletChange },
    run: async (context, { path, body }) =>
      json(
        walletChange(
          await context.admin.compensate({
            accountId: path.account_id,
            amountMicros: microsFromCredits(body.credits),
            reference: referenceOf(context, body.reference),
            operationId: body.operation_id,
            shortfall: body.shortfall,
          }),
        ),
      ),
  }),
  adminRoute({
    id: 'setLowBalance',
    method: 'PUT',
    path: '/accounts/{account_id}/low-balance',
    summary: 'Set the balance below which the host hears of an account',
    role: 'operator',
    covers: ['setLowBalance'],
    pathParameters: account,
    queryParameters: nothing,
    request: z.strictObject({ credits: Credits.nullable() }),
    success: { status: 200, description: 'The threshold as it is now.', schema: BalanceAlert },
    run: async ({ admin }, { path, body }) => {
      const micros = body.credits === null ? null : microsFromCredits(body.credits);
      const { id, lowBalanceMicros } = foundOr404(await admin.setLowBalance(path.account_id, micros));
      return json({ id, lowBalanceMicros });
    },
  }),
  adminRoute({
    id: 'settlePending',
    method: 'POST',
    path: '/accounts/{account_id}/settle-pending',
    summary: 'Settle what waits for balance',
    role: 'operator',
    covers: ['settlePending'],
    pathParameters: account,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'How many operations were settled.', schema: Settled },
    run: async ({ admin }, { path }) => json({ settled: await admin.settlePending(path.account_id) }),
  }),
  adminRoute({
    ...reads,
    id: 'findStatement',
    path: '/accounts/{account_id}/statement',
    summary: 'Read the statement, as pages or whole as CSV',
    role: 'owner',
    covers: ['findStatement', 'readStatement', 'statementCsv'],
    hasCsv: true,
    pathParameters: account,
    queryParameters: z.strictObject({
      ...pageParameters,
      ...rangeParameters,
      ...formatParameter,
    }),
    success: { status: 200, description: 'A page, newest first; CSV has the whole time.', schema: listOf(Entry) },
    run: async (context, { path, query }) => {
      const accountId = requireAccount(context, path.account_id);
      foundOr404(await context.admin.readAccount(accountId));
      const asked = { accountId, ...rangeOf(query) };
      if (wantsCsv(context, query))
        return {
          kind: 'csv',
          stream: await context.admin.statementCsv(asked),
          fileName: `statement-${accountId}.csv`,
        };
      return json(wirePage(await context.admin.findStatement({ ...asked, ...pageOf(query) })));
    },
  }),
];
