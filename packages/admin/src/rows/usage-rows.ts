import type { UsageQuery, UsageRange } from '@tollgate/engine';
import type { UsageCursor, UsageDimension } from '@tollgate/storage';
import { isKeptText, type JsonRecord } from '@tollgate/contract';
import { z } from 'zod';
import { AdminError } from '../admin-error.ts';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { encodePlace, placeAfter } from '../cursor.ts';
import { requireAccount, requireKey, requireProject } from '../own.ts';
import { rangeOf } from '../parameters.ts';
import { GivenTime, Id, listOf } from '../records/fields.ts';
import { Usage } from '../records/usage-records.ts';
import { formatParameter, wantsCsv } from '../wants-csv.ts';

const dimensions = {
  account: 'accountId',
  project: 'projectId',
  key: 'keyId',
  model: 'model',
  provider: 'provider',
} as const satisfies Readonly<Record<string, UsageDimension>>;

const isDimension = (word: string): word is keyof typeof dimensions => Object.hasOwn(dimensions, word);

const placeCharsMax = 2_000;
const rowsMax = 1_000;

const parameters = z.strictObject({
  from: GivenTime,
  until: GivenTime,
  bucket: z.enum(['hour', 'day', 'month', 'total']).exactOptional(),
  time_zone: Id.exactOptional(),
  group_by: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: `Several of ${Object.keys(dimensions).join(', ')}, with commas between.` }),
  account_id: Id.exactOptional(),
  project_id: Id.exactOptional(),
  key_id: Id.exactOptional(),
  model: Id.exactOptional(),
  provider: Id.exactOptional(),
  after: z.string().max(placeCharsMax).exactOptional().meta({ description: '`next` of the page before.' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .exactOptional()
    .meta({ description: `1 to ${rowsMax}.` }),
  ...formatParameter,
});
type Parameters = z.infer<typeof parameters>;

const groupsOf = ({ group_by: words }: Parameters): readonly UsageDimension[] =>
  (words === undefined || words === '' ? [] : words.split(',')).map((word) => {
    if (isDimension(word)) return dimensions[word];
    throw new AdminError(
      'invalid_request',
      `group_by names ${word}; accepted are ${Object.keys(dimensions).join(', ')}, with commas between.`,
    );
  });

const isText = (value: unknown): value is string => typeof value === 'string' && isKeptText(value);

const toPlace = ({ fromMs, values }: JsonRecord): UsageCursor | null =>
  typeof fromMs === 'number' && Array.isArray(values) && values.every(isText) ? { fromMs, values } : null;

/** An owner names something of its own, and does not learn who ran what. */
const requireOwnUsage = async (context: AdminContext, range: UsageRange): Promise<void> => {
  const { accountId, projectId, keyId, provider } = range.filter ?? {};
  if (accountId !== undefined) requireAccount(context, accountId);
  if (projectId !== undefined) await requireProject(context, projectId);
  if (keyId !== undefined) await requireKey(context, keyId);
  if (context.caller.role === 'operator') return;
  if (accountId === undefined && projectId === undefined && keyId === undefined)
    throw new AdminError(
      'invalid_request',
      'The query names neither account_id, project_id nor key_id; accepted is one.',
    );
  if (provider !== undefined || range.groupBy?.includes('provider') === true)
    throw new AdminError('not_permitted', 'Usage by provider is for operators.');
};

const rangeOfQuery = (query: Parameters): UsageRange => {
  const { fromMs = 0, untilMs = 0 } = rangeOf(query);
  const { account_id: accountId, project_id: projectId, key_id: keyId, model, provider } = query;
  const filter = { accountId, projectId, keyId, model, provider };
  return {
    fromMs,
    untilMs,
    bucket: query.bucket,
    timeZone: query.time_zone,
    groupBy: groupsOf(query),
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  };
};

/** What was used, summed. */
export const usageRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'usage',
    path: '/usage',
    summary: 'Sum up usage by period and by account, project, key, model or provider, as pages or whole as CSV',
    role: 'owner',
    covers: ['usage', 'usageCsv'],
    hasCsv: true,
    pathParameters: nothing,
    queryParameters: parameters,
    success: { status: 200, description: 'Rows by period, then by group, rising.', schema: listOf(Usage) },
    run: async (context, { query }) => {
      const range = rangeOfQuery(query);
      await requireOwnUsage(context, range);
      if (wantsCsv(context, query))
        return { kind: 'csv', stream: await context.admin.usageCsv(range), fileName: 'usage.csv' };
      const limit = query.limit === undefined ? undefined : Number(query.limit);
      const asked: UsageQuery = { ...range, after: placeAfter(query.after, toPlace), limit };
      const { items, next } = await context.admin.usage(asked);
      return json({ object: 'list', data: items, next: next === null ? null : encodePlace(next) });
    },
  }),
];
