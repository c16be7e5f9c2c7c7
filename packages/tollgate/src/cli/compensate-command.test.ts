import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn } from '../../test/run-in.ts';

let folder = '';
let account = '';
const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);
const compensate = (...words: readonly string[]) => run('compensate', '--account', account, ...words);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-compensate-'));
  await run('init');
  const made = await run('accounts', 'create', '--name', 'Acme', '--json');
  account = (JSON.parse(made.printed) as { readonly id: string }).id;
  await run('deposit', '--account', account, '--credits', '5');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a balance is lowered and raised by entries, and a repeat under one reference changes nothing', async () => {
  const words = ['--take', '2', '--reference', 'too-high'];
  expect(await compensate(...words)).toMatchObject({
    code: 0,
    printed: 'balance 3, reserved 0, available 3 (done)\nreference too-high: a repeat with it changes nothing',
  });
  expect((await compensate(...words)).printed).toContain('available 3 (repeated)');
  expect((await compensate('--give', '0.5')).printed).toContain('available 3.5 (done)');
  expect((await compensate('--take', '1', '--reference', 'too-high')).complained).toContain('refused: conflict');
  expect((await run('statement', account)).printed).toMatch(/compensation .*credits -2 .*too-high/);
  expect((await run('audit')).code).toBe(0);
});

test('more than the balance is refused whole, unless the rest is owed or forgiven', async () => {
  expect(await compensate('--take', '100')).toMatchObject({ code: 1 });
  expect((await compensate('--take', '100')).complained).toContain('--shortfall forgive');
  expect((await compensate('--take', '100', '--shortfall', 'forgive')).printed).toContain('available 0 (done)');
});

test('the amount is given by one option, above nothing, and the account is one that is there', async () => {
  expect(await compensate()).toMatchObject({ code: 2 });
  expect((await compensate('--give', '1', '--take', '1')).complained).toContain('one of --give and --take');
  expect((await compensate('--take', '0')).complained).toContain('--take must be above 0');
  expect((await compensate('--take', '1', '--shortfall', 'x')).complained).toContain('--shortfall has x');
  const none = await run('compensate', '--account', crypto.randomUUID(), '--give', '1');
  expect(none).toMatchObject({ code: 1, printed: '' });
  expect(none.complained).toContain('there is no account');
});
