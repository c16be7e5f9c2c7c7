import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '@tollgate/engine';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGateway } from '../../create-gateway.ts';
import { runIn } from '../../../test/run-in.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-dry-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

const write = (list: unknown): string => {
  const file = path.join(folder, 'next.json');
  writeFileSync(file, JSON.stringify(list));
  return file;
};

const perMillion = { input_text_tokens: '1000', output_text_tokens: '4000' };
const listOf = (version: string, more: object = {}) => ({ version, models: { 'flash-2.5': { perMillion } }, ...more });

/** A gateway that was asked once for 1,000 tokens in and 1,000 out: 5 credits. Returns the account. */
const used = async (plan: string | null = null): Promise<string> => {
  const storage = sqliteStorage({ path: path.join(folder, 'gateway.db') });
  const gateway = await createGateway({ storage, tariff: listOf('now'), logger: silentLogger });
  const { id } = await gateway.admin.createAccount({ name: 'Ada', plan });
  await gateway.admin.deposit({ accountId: id, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId: id, name: 'Engine' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  const answer = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: '[[sandbox: tokens in=1000 out=1000]]' }] }),
    }),
  );
  expect(answer.status).toBe(200);
  await gateway.close();
  return id;
};

const always = ['--from', '2020-01-01', '--until', '2100-01-01'] as const;

test('a dry run prints what was charged and what the list of a file charges, by group and together', async () => {
  const account = await used();
  const file = write(listOf('next', { markUp: '1.1' }));
  const { code, printed, complained } = await run('prices', 'dry-run', file, ...always);
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(printed.split('\n')).toEqual([
    'flash-2.5  1 requests  charged 5  priced 5.5  +10.0%',
    'total  1 requests  charged 5  priced 5.5  +10.0%',
  ]);
  const json = await run('prices', 'dry-run', file, ...always, '--group', 'account,plan', '--json');
  const row = { account, plan: null, requests: 1, chargedCredits: '5.000000', pricedCredits: '5.500000', unpriced: [] };
  expect(JSON.parse(json.printed)).toEqual([row]);
  expect((await run('prices', 'dry-run', file, '--from', '2020-01-01', '--until', '2020-02-01')).printed).toBe(
    'total  0 requests  charged 0  priced 0  -',
  );
});

test('a dry run says what has no price by the list', async () => {
  await used();
  const file = write({ version: 'next', models: { 'flash-3.8': { perMillion } } });
  expect((await run('prices', 'dry-run', file, ...always)).printed).toContain(
    '1 requests, charged 5, are not in it: the list has no price for what they used',
  );
});

test('a dry run names the plans of accounts that the list does not have', async () => {
  await used('pro');
  const without = await run('prices', 'dry-run', write(listOf('next', { plans: { por: { factor: 2 } } })), ...always);
  expect([without.code, without.complained]).toEqual([
    0,
    "the list has no plan 'pro': 1 requests are priced as without a plan",
  ]);
  expect(without.printed).toContain('total  1 requests  charged 5  priced 5  +0.0%');
  const having = await run('prices', 'dry-run', write(listOf('next', { plans: { pro: { factor: 2 } } })), ...always);
  expect([having.complained, having.printed]).toEqual(['', expect.stringContaining('priced 10')]);
});

test('a check names the plans that accounts have and the list does not, where it is asked to look', async () => {
  await used('pro');
  await used('por');
  await used('por');
  await used();
  const file = write(listOf('next', { plans: { pro: { factor: 2 } } }));
  expect((await run('prices', 'check', file)).code).toBe(0);
  const looked = await run('prices', 'check', file, '--accounts');
  expect([looked.code, looked.complained]).toEqual([
    1,
    "the list has no plan 'por', which 2 accounts have: they pay as without a plan",
  ]);
  const json = await run('prices', 'check', file, '--accounts', '--json');
  expect(JSON.parse(json.printed)).toMatchObject({ unknownPlans: [{ plan: 'por', accounts: 2 }] });
  const both = write(listOf('next', { plans: { pro: { factor: 2 }, por: { factor: 2 } } }));
  expect(await run('prices', 'check', both, '--accounts')).toMatchObject({ code: 0, complained: '' });
});

test.each([
  ['no file', ['dry-run'], 'prices dry-run takes the file of a price list'],
  ['no beginning', ['dry-run', 'FILE', '--until', '2026-01-01'], '--from is needed'],
  ['no time', ['dry-run', 'FILE', '--from', 'May', '--until', '2026-01-01'], '--from has May, and takes a time'],
  ['an end before it', ['dry-run', 'FILE', '--from', '2026-02-01', '--until', '2026-01-01'], '--until is not after'],
  ['a group that is none', ['dry-run', 'FILE', ...always, '--group', 'colour'], '--group takes account, plan, model'],
  [
    'an action that is none',
    ['chek', 'FILE'],
    "'chek' is no action of prices; accepted are import, check and dry-run; the nearest is check",
  ],
])('refuses %s by name', async (_, words, message) => {
  const file = write(listOf('next'));
  const { code, complained } = await run('prices', ...words.map((word) => (word === 'FILE' ? file : word)));
  expect([code, complained.split('\n')[0]]).toEqual([2, expect.stringContaining(message)]);
});

test('checks a list with every fault by its place, and opens no database', async () => {
  const good = await run('prices', 'check', write(listOf('next')));
  expect([good.code, good.printed]).toEqual([0, expect.stringContaining('version next, 1 models, no plans')]);
  const plans = { pro: { factor: '0.9' }, flat: { factor: 1 } };
  expect((await run('prices', 'check', write(listOf('next', { plans })))).printed).toContain('plans pro, flat');
  const planned = await run('prices', 'check', write(listOf('next', { plans })), '--json');
  expect(JSON.parse(planned.printed)).toMatchObject({ plans: ['pro', 'flat'], faults: [] });
  const bad = await run('prices', 'check', write(listOf('', { markUp: 'much', plans: { pro: { factr: 1 } } })));
  expect(bad.code).toBe(1);
  expect(bad.complained.split('\n')).toHaveLength(3);
  for (const place of ['tariff.version', 'tariff.markUp', "tariff.plans['pro'].factr"])
    expect(bad.complained).toContain(place);
  const unknown = write({ version: 'next', models: { 'flash-2': { perMillion } } });
  const { complained } = await run('prices', 'check', unknown);
  expect(complained).toContain("names 'flash-2', which is no model");
  expect(complained).toMatch(/with a catalog of its own.*add --own-catalog\.$/);
  expect((await run('prices', 'check', unknown, '--own-catalog')).code).toBe(0);
  const json = await run('prices', 'check', write({}), '--json');
  expect(JSON.parse(json.printed)).toEqual({ faults: [expect.any(String), expect.any(String)] });
});
