import type { PricedPlace, TariffInput } from '@tollgate/engine';
import { isRecord, type JsonRecord } from '@tollgate/contract';
import { z } from 'zod';
import { adminRoute, json, nothing, type AdminRoute } from '../admin-route.ts';
import { encodePlace, placeAfter, toIndexCursor } from '../cursor.ts';
import { listOf, GivenTime, Id } from '../records/fields.ts';
import { PricedUsage } from '../records/usage-records.ts';

const bytesMax = 8_388_608;
const placeCharsMax = 800;

const toPlace = ({ account, operation }: JsonRecord): PricedPlace | null => {
  const place = toIndexCursor(account);
  return place === null ? null : { account: place, operation: toIndexCursor(operation) };
};

/** Prices of the host. */
export const priceRows: readonly AdminRoute[] = [
  adminRoute({
    id: 'priceUsage',
    method: 'POST',
    path: '/prices/dry-run',
    summary: 'Price the usage of a time by another price list, beside what it was charged; nothing is changed',
    role: 'operator',
    covers: ['priceUsage'],
    bodyBytesMax: bytesMax,
    pathParameters: nothing,
    queryParameters: nothing,
    request: z.strictObject({
      // The administration checks each member of it.
      tariff: z.custom<TariffInput>(isRecord).meta({
        override: { type: 'object' },
        description: 'a price list in the form in which the gateway takes one',
      }),
      from: GivenTime,
      until: GivenTime,
      account_id: Id.exactOptional(),
      after: z.string().max(placeCharsMax).exactOptional().meta({ description: '`next` of the page before.' }),
    }),
    success: {
      status: 200,
      description: 'Rows by account, plan and model. The amounts of all pages add up.',
      schema: listOf(PricedUsage),
    },
    run: async (context, { body }) => {
      const { items, next } = await context.admin.priceUsage({
        tariff: body.tariff,
        fromMs: Date.parse(body.from),
        untilMs: Date.parse(body.until),
        accountId: body.account_id,
        after: placeAfter(body.after, toPlace),
      });
      return json({ object: 'list', data: items, next: next === null ? null : encodePlace(next) });
    },
  }),
];
