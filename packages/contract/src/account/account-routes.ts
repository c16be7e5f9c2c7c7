import { z } from 'zod';
import type { Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { AccountBalance, AccountLimits, AccountUsageList } from './account-records.ts';

/** What rows of usage can be grouped by. */
export const accountUsageGroups = ['model', 'day', 'key', 'project'] as const;
export type AccountUsageGroup = (typeof accountUsageGroups)[number];

const shared = {
  method: 'GET',
  errorForm: 'object',
  charged: false,
  takesIdentity: false,
  bodyBytesMax: null,
  family: null,
  pathParameters: null,
  request: null,
} as const;

const isoHour = 'ISO 8601 with a time zone, on a whole hour.';

/** What a customer sees of its account, with its own key. */
export const accountRoutes = [
  {
    ...shared,
    id: 'getAccountBalance',
    path: '/account/balance',
    summary: 'Read the balance of the account',
    success: { description: 'The balance now.', contents: { 'application/json': () => AccountBalance } },
    statuses: [200, 401, 402, 403, 404, 422, 429, 503],
  },
  {
    ...shared,
    id: 'getAccountUsage',
    path: '/account/usage',
    summary: 'Read what the project of the key used',
    queryParameters: z.object({
      from: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: `${isoHour} By default 30 days ago.` }),
      until: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: `The end, excluded. ${isoHour} By default the end of this hour.` }),
      group_by: z
        .string()
        .optional()
        .meta({ description: `Some of ${accountUsageGroups.join(', ')}, separated by commas.` }),
      limit: z.int().min(1).max(limits.list.recordsMax).default(limits.list.recordsMax),
      after: z.string().optional().meta({ description: 'The next of the page before.' }),
    }),
    success: {
      description: 'One page, by period and then by group.',
      contents: { 'application/json': () => AccountUsageList },
    },
    statuses: [200, 401, 402, 403, 422, 429, 503],
  },
  {
    ...shared,
    id: 'getAccountLimits',
    path: '/account/limits',
    summary: 'Read what the key may do, and how far its caps are used',
    success: { description: 'The limits of the key.', contents: { 'application/json': () => AccountLimits } },
    statuses: [200, 401, 402, 403, 422, 429, 503],
  },
] as const satisfies readonly Route[];
