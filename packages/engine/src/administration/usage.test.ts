import type { UsageLineRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../test/engine-world.ts';
import { rollUp } from '../jobs/roll-up.ts';
import type { UsageQuery } from './usage-query.ts';
import type { UsagePage } from './usage.ts';

const hour = 3_600_000;
const day = 24 * hour;
const from = Date.UTC(2026, 2, 28);

const lineOf = (id: string, change: Partial<UsageLineRecord>): UsageLineRecord => ({
  id,
  accountId: 'a',
  projectId: 'p',
  keyId: 'k',
  model: 'm',
  provider: 'q',
  requests: 1,
  chargedMicros: 1n,
  correctedMicros: 0n,
  units: {},
  createdAtMs: from,
  ...change,
});

/** A world in which part of what was used is rolled up. */
const usedWorld = async (lines: readonly UsageLineRecord[]): Promise<EngineWorld> => {
  const world = await createEngineWorld();
  const add = (some: readonly UsageLineRecord[]) =>
    world.storage.transact(
      some.map(({ id }) => ({ table: 'usageLine', id })),
      () => ({ writes: some.map((record) => ({ kind: 'put', table: 'usageLine', record })), answer: undefined }),
    );
  const half = Math.ceil(lines.length / 2);
  await add(lines.slice(0, half));
  await rollUp(world.engine);
  await add(lines.slice(half));
  return world;
};

/** What was used in each of the first `hours` hours: as many requests as the number of the hour. */
const everyHour = (hours: number): readonly UsageLineRecord[] =>
  Array.from({ length: hours }, (_, at) =>
    lineOf(`hour ${at}`, { createdAtMs: from + at * hour + 1, requests: at, chargedMicros: BigInt(at) }),
  );

const shape = ({ items }: UsagePage) =>
  items.map(({ fromMs, untilMs, requests }) => [fromMs - from, untilMs - from, requests]);

const sumOf = (first: number, end: number): number => ((end - first) * (first + end - 1)) / 2;

test('sums what an operation used and was charged, before and after it is rolled up', async () => {
  const world = await createEngineWorld();
  await world.run();
  const nowMs = world.clock.now();
  const query: UsageQuery = {
    fromMs: Math.floor(nowMs / hour) * hour,
    untilMs: Math.floor(nowMs / hour) * hour + hour,
    groupBy: ['accountId', 'model', 'provider'],
  };
  const page = await world.admin.usage(query);
  expect(page).toEqual({
    items: [
      {
        fromMs: query.fromMs,
        untilMs: query.untilMs,
        accountId: world.accountId,
        model: 'model',
        provider: '',
        requests: 1,
        chargedMicros: 5n,
        correctedMicros: 0n,
        units: { input_text_tokens: 5 },
      },
    ],
    next: null,
  });
  await rollUp(world.engine);
  expect(await world.admin.usage(query)).toEqual(page);
});

test('counts a compensation in its own hour', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run();
  if (outcome.kind !== 'completed') throw new Error(outcome.kind);
  await world.clock.advance(2 * hour);
  const { id } = outcome.operation;
  await world.admin.compensate({ accountId: world.accountId, amountMicros: 3n, reference: 'back', operationId: id });
  const first = Math.floor(world.clock.now() / hour) * hour - 2 * hour;
  const { items } = await world.admin.usage({ fromMs: first, untilMs: first + 3 * hour, bucket: 'hour' });
  expect(
    items.map(({ fromMs, chargedMicros, correctedMicros }) => [fromMs - first, chargedMicros, correctedMicros]),
  ).toEqual([
    [0, 5n, 0n],
    [2 * hour, 0n, 3n],
  ]);
});

test('sums by hour, day, month and in all, whether rows of days serve or not', async () => {
  const { admin } = await usedWorld(everyHour(120));
  const range = { fromMs: from, untilMs: from + 5 * day };
  const days = [0, 1, 2, 3, 4].map((at) => [at * day, (at + 1) * day, sumOf(at * 24, (at + 1) * 24)]);
  expect(shape(await admin.usage({ ...range, bucket: 'day' }))).toEqual(days);
  expect(
    (await admin.usage({ ...range, bucket: 'day', groupBy: ['keyId'] })).items.map(({ requests }) => requests),
  ).toEqual(days.map(([, , requests]) => requests));
  expect(shape(await admin.usage({ ...range, bucket: 'month' }))).toEqual([
    [0, 4 * day, sumOf(0, 96)],
    [4 * day, 5 * day, sumOf(96, 120)],
  ]);
  expect(shape(await admin.usage(range))).toEqual([[0, 5 * day, sumOf(0, 120)]]);
  expect(shape(await admin.usage({ ...range, bucket: 'hour' }))).toHaveLength(120);
});

test('cuts the first and the last period at the ends of the range', async () => {
  const { admin } = await usedWorld(everyHour(72));
  expect(shape(await admin.usage({ fromMs: from + 5 * hour, untilMs: from + 50 * hour, bucket: 'day' }))).toEqual([
    [5 * hour, day, sumOf(5, 24)],
    [day, 2 * day, sumOf(24, 48)],
    [2 * day, 50 * hour, sumOf(48, 50)],
  ]);
});

test('sums by the days of a time zone, the short one included', async () => {
  const { admin } = await usedWorld(everyHour(72));
  const page = await admin.usage({
    fromMs: from - hour,
    untilMs: from + 46 * hour,
    bucket: 'day',
    timeZone: 'Europe/Berlin',
  });
  // On the 29th of March 2026 the clocks are put forward there.
  expect(shape(page)).toEqual([
    [-hour, 23 * hour, sumOf(0, 23)],
    [23 * hour, 46 * hour, sumOf(23, 46)],
  ]);
});

test('keeps what a filter names, and pages through periods and groups without a gap', async () => {
  const lines = Array.from({ length: 60 }, (_, at) =>
    lineOf(`line ${at}`, { accountId: `a${at % 2}`, model: `m${at % 5}`, createdAtMs: from + (at % 6) * 12 * hour }),
  );
  const { admin } = await usedWorld(lines);
  const query: UsageQuery = {
    fromMs: from,
    untilMs: from + 3 * day,
    bucket: 'day',
    groupBy: ['model'],
    filter: { accountId: 'a1' },
  };
  const whole = await admin.usage(query);
  expect(whole.items.reduce((sum, { requests }) => sum + requests, 0)).toBe(30);
  const paged = [];
  let after: UsageQuery['after'];
  for (;;) {
    const page = await admin.usage({ ...query, limit: 4, after });
    paged.push(...page.items);
    expect(page.items.length).toBeLessThanOrEqual(4);
    if (page.next === null) break;
    after = page.next;
  }
  expect(paged).toEqual(whole.items);
});

test('reaches over more periods than the storage takes at once', async () => {
  const { admin } = await usedWorld([
    lineOf('first', {}),
    lineOf('last', { createdAtMs: from + 2_500 * hour, keyId: 'other' }),
  ]);
  const page = await admin.usage({ fromMs: from, untilMs: from + 3_000 * hour, bucket: 'hour' });
  expect(shape(page)).toEqual([
    [0, hour, 1],
    [2_500 * hour, 2_501 * hour, 1],
  ]);
});

test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
  ['a beginning within an hour', { fromMs: 1 }, 'fromMs'],
  ['an end before the beginning', { untilMs: from - hour }, 'untilMs'],
  ['an unknown word', { groupBy: ['colour'] }, 'groupBy'],
  ['a word twice', { groupBy: ['model', 'model'] }, 'groupBy'],
  ['a zone that is none', { timeZone: 'Mars/Olympus' }, 'timeZone'],
  ['days of half hours', { bucket: 'day', timeZone: 'Asia/Kolkata' }, 'timeZone'],
  [
    'days of half hours in the middle',
    { bucket: 'day', timeZone: 'Australia/Lord_Howe', untilMs: from + 365 * day },
    'timeZone',
  ],
  ['too many periods', { bucket: 'hour', fromMs: 0 }, 'bucket'],
  ['the place of another query', { after: { fromMs: from - hour, values: [] } }, 'after'],
  ['the place of other groups', { after: { fromMs: from, values: ['m'] } }, 'after'],
  ['a member that it has not', { accountId: 'a' }, 'accountId'],
])('refuses %s, and names the field', async (_, change, field) => {
  const { admin } = await createEngineWorld();
  const query = { fromMs: from, untilMs: from + day, ...change };
  // A host that writes JavaScript may pass anything.
  await expect(Reflect.apply(admin.usage, admin, [query])).rejects.toThrow(new RegExp(`usage.*${field}`, 's'));
});

const csvOf = async (world: EngineWorld, query: UsageQuery): Promise<readonly string[]> => {
  const text = await new Response(await world.admin.usageCsv(query)).text();
  expect(text.endsWith('\r\n')).toBe(true);
  return text.split('\r\n').slice(0, -1);
};

test('writes CSV with a column for each unit, amounts with six decimals and texts that no spreadsheet runs', async () => {
  const world = await usedWorld([
    lineOf('1', {
      model: '=HYPERLINK("http://evil")',
      chargedMicros: 1_500_000n,
      correctedMicros: -2n,
      units: { input_text_tokens: 7, coffee: 2 },
    }),
  ]);
  const [head = '', line = ''] = await csvOf(world, {
    fromMs: from,
    untilMs: from + day,
    groupBy: ['accountId', 'model'],
  });
  const columns = head.split(',');
  expect(columns.slice(0, 8)).toEqual([
    'from',
    'until',
    'account_id',
    'model',
    'requests',
    'charged_credits',
    'corrected_credits',
    'input_text_tokens',
  ]);
  expect(line).toMatch(
    /^2026-03-28T00:00:00\.000Z,2026-03-29T00:00:00\.000Z,a,"'=HYPERLINK\(""http:\/\/evil""\)",1,1\.500000,-0\.000002,7,/,
  );
  expect(line.endsWith(',coffee:2')).toBe(true);
});

test('reads pages of CSV as they are taken, and no more', async () => {
  const world = await usedWorld(Array.from({ length: 2_100 }, (_, at) => lineOf(`${at}`, { model: `m${at}` })));
  let reads = 0;
  world.faults = (call) => {
    if (call.name === 'sumUsage') reads += 1;
    return undefined;
  };
  const query: UsageQuery = { fromMs: from, untilMs: from + day, groupBy: ['model'] };
  const reader = (await world.admin.usageCsv(query)).getReader();
  await reader.read();
  expect(reads).toBe(0);
  await reader.read();
  expect(reads).toBe(1);
  await reader.cancel();
  expect(reads).toBe(1);
  expect(await csvOf(world, query)).toHaveLength(2_101);
});
