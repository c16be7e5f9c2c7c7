import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../create-gateway.ts';
import { runIn } from '../../test/run-in.ts';

let folder = '';
let db = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-business-'));
  db = path.join(folder, 'gateway.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: db }, ...words);

const Record = z.object({ id: z.string() });

/** What a command that makes something printed as JSON. */
const made = async (...words: readonly string[]): Promise<string> => {
  const { code, printed, complained } = await run(...words, '--json');
  expect([code, complained]).toEqual([0, '']);
  return Record.parse(JSON.parse(printed)).id;
};

const account = async (name = 'Ada'): Promise<string> => {
  expect((await run('init')).code).toBe(0);
  return made('accounts', 'create', '--name', name);
};

const uuid = '00000000-0000-7000-8000-00000000abcd';

test('lists, makes, changes and closes accounts and projects', async () => {
  const accountId = await account();
  await made('accounts', 'create', '--name', 'Grace', '--id', uuid);
  expect(await made('accounts', 'create', '--name', 'Grace', '--id', uuid)).toBe(uuid);
  expect((await run('accounts')).printed.split('\n')).toHaveLength(2);
  expect((await run('accounts', '--limit', '1')).printed.split('\n')).toHaveLength(1);
  expect((await run('accounts', 'list', '--search', 'grace')).printed).toMatch(new RegExp(`^${uuid}  active .*Grace$`));
  expect((await run('accounts', 'change', uuid, '--name', 'G. H.', '--status', 'blocked')).printed).toMatch(
    /blocked.*G\. H\.$/,
  );
  const projectId = await made('projects', 'create', '--account', accountId, '--name', 'Engine');
  expect((await run('projects', '--account', accountId)).printed).toContain(`${projectId}  active`);
  expect((await run('projects', 'change', projectId, '--status', 'paused')).printed).toContain('paused');
  expect((await run('projects', 'close', projectId)).printed).toContain('closed');
  await run('deposit', '--account', accountId, '--credits', '2.5');
  expect(await run('accounts', 'close', accountId)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/closed[^]*balance 2\.5, reserved 0, available 2\.5$/),
  });
  expect(await run('projects', 'create', '--account', accountId, '--name', 'late')).toMatchObject({ code: 1 });
});

test('limits accounts and projects when they are made and later, and takes limits off', async () => {
  await run('init');
  const limited = ['--requests-per-minute', '60', '--tokens-per-minute', '9000'];
  const opened = await run('accounts', 'create', '--name', 'Ada', ...limited);
  expect(opened.printed.split('\n')[1]).toBe('  limits   {"requestsPerMinute":60,"tokensPerMinute":9000}');
  const accountId = opened.printed.split(' ')[0] ?? '';
  const begun = await run('projects', 'create', '--account', accountId, '--name', 'Mill', '--concurrent-requests', '2');
  expect(begun.printed.split('\n')[1]).toBe('  limits   {"concurrentRequests":2}');
  const renamed = await run('projects', 'change', begun.printed.split(' ')[0] ?? '', '--name', 'Engine');
  expect(renamed.printed).toMatch(/Engine\n {2}limits {3}\{"concurrentRequests":2\}$/);
  const other = await run('accounts', 'change', accountId, '--requests-per-minute', '5');
  expect(other.printed).toMatch(/Ada\n {2}limits {3}\{"requestsPerMinute":5\}$/);
  const fewer = await run('accounts', 'change', accountId, '--requests-per-minute', 'none', '--tokens-per-minute', '7');
  expect(fewer.printed).toMatch(/Ada\n {2}limits {3}\{"tokensPerMinute":7\}$/);
  expect((await run('accounts', 'change', accountId, '--limits', 'none')).printed).toMatch(/Ada$/);
  expect((await run('accounts')).printed.split('\n')).toHaveLength(1);
});

test('prints the balance, the statement and the operations of an account, and the statement as CSV', async () => {
  const accountId = await account();
  const projectId = await made('projects', 'create', '--account', accountId, '--name', 'Engine');
  const { key, id: keyId } = z
    .object({ key: z.string(), id: z.string() })
    .parse(JSON.parse((await run('key', 'create', '--project', projectId, '--json')).printed));
  await run('deposit', '--account', accountId, '--credits', '2.5', '--reference', '=1+1');
  const gateway = await createGateway({ storage: sqliteStorage({ path: db }) });
  const response = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    }),
  );
  const operationId = response.headers.get('x-request-id') ?? '';
  await response.text();
  await gateway.close();
  expect((await run('balance', '--account', accountId)).printed).toMatch(
    /^balance (2\.4\d+), reserved 0, available \1$/,
  );
  const [debit = '', deposit = ''] = (await run('statement', '--account', accountId)).printed.split('\n');
  expect(debit).toMatch(new RegExp(`debit .*balance 2\\.4\\d+ .*key ${keyId}  ${operationId}`));
  expect(deposit).toMatch(/deposit .*credits 2\.5 {2}balance 2\.5 .*=1\+1$/);
  const csv = (await run('statement', '--account', accountId, '--csv')).printed.split('\n');
  expect(csv).toEqual([
    'seq,time,kind,credits,balance,model,key_id,operation_id,reference',
    expect.stringMatching(new RegExp(`^2,[^,]+,debit,-0\\.0\\d+,2\\.4\\d+,[^,]+,${keyId},${operationId},$`)),
    expect.stringMatching(/^1,[^,]+,deposit,2\.500000,2\.500000,,,,'=1\+1$/),
  ]);
  expect((await run('statement', '--account', accountId, '--until', '2020-01-01')).printed).toBe('');
  for (const search of [
    ['--key', keyId],
    ['--account', accountId, '--state', 'completed'],
    ['--project', projectId, '--from', '2020-01-01'],
  ])
    expect([search, (await run('operations', ...search)).printed]).toEqual([
      search,
      expect.stringContaining(operationId),
    ]);
  expect((await run('operations', '--account', accountId, '--state', 'failed')).printed).toBe('');
});

test('renames a key, and switches it off and on', async () => {
  const projectId = await made('projects', 'create', '--account', await account(), '--name', 'Engine');
  const keyId = await made('key', 'create', '--project', projectId);
  expect((await run('key', 'rename', keyId, '--name', 'build')).printed).toContain('build');
  expect((await run('key', 'disable', keyId)).printed).toContain('inactive');
  expect((await run('key', 'enable', keyId)).printed).toContain('  active  ');
  expect((await run('key', 'revoke', keyId)).printed).toBe(`revoked ${keyId}`);
});

test('makes a key with all its bounds, once by its reference, and changes and takes them away', async () => {
  const projectId = await made('projects', 'create', '--account', await account(), '--name', 'Engine');
  const bounds = ['--expires', '2030-01-01', '--models', 'flash-3.8', '--cap', '50/month@Europe/Berlin'];
  const rates = [
    '--requests-per-minute',
    '60',
    '--concurrent-requests',
    '4',
    '--metadata',
    'team=blue',
    '--metadata',
    'a=b=c',
  ];
  const create = ['key', 'create', '--project', projectId, '--reference', 'sign-up:7', ...bounds, ...rates];
  const first = await run(...create);
  expect(first).toMatchObject({ code: 0, complained: '' });
  expect(first.printed).toMatch(/^key {6}tg_/);
  const id = /key id {3}(\S+)/.exec(first.printed)?.[1] ?? '';
  const again = await run(...create);
  expect(again.printed).toContain(`key id   ${id}`);
  expect(again.printed).not.toMatch(/^key {6}/);
  expect((await run('key', 'show', id)).printed.split('\n').slice(1)).toEqual([
    '  expires  2030-01-01T00:00:00.000Z',
    '  models   flash-3.8',
    '  cap      50 credits a month, Europe/Berlin',
    '  limits   {"requestsPerMinute":60,"concurrentRequests":4}',
    '  texts    {"team":"blue","a":"b=c"}',
  ]);
  await run('key', 'create', '--project', projectId, '--reference', 'sign-up:71');
  const listed = await run('key', 'list', '--project', projectId, '--reference', 'sign-up:7', '--json');
  expect(JSON.parse(listed.printed)).toEqual([expect.objectContaining({ id, reference: 'sign-up:7' })]);
  const rest = ['--models', 'none', '--limits', 'none', '--metadata', 'none', '--expires', 'none', '--cap', '7/day'];
  expect((await run('key', 'change', id, ...rest)).printed.split('\n').slice(1)).toEqual([
    '  cap      7 credits a day, UTC',
  ]);
  expect((await run('key', 'change', id, '--cap', 'none', '--name', 'free')).printed).toMatch(/free$/);
});

test('lists deliveries and schedules, and says of what is not there that it is not', async () => {
  await account();
  for (const command of ['deliveries', 'schedules'])
    expect(await run(command)).toMatchObject({ code: 0, printed: '', complained: '' });
  for (const words of [
    ['deliveries', 'redeliver', uuid],
    ['schedules', 'runs', uuid],
    ['schedules', 'pause', uuid],
    ['accounts', 'change', uuid, '--name', 'x'],
    ['projects', 'close', uuid],
    ['balance', '--account', uuid],
    ['statement', '--account', uuid],
  ])
    expect([words, await run(...words)]).toEqual([
      words,
      { code: 1, printed: '', complained: expect.stringContaining('there is no') },
    ]);
});

test.each([
  [['accounts', 'delete'], "'delete' is no action of this command; accepted are list, create, change and close"],
  [['accounts', 'close'], 'which account\\? tollgate accounts close ID'],
  [['accounts', 'create'], '--name is needed'],
  [['accounts', 'change', 'x'], '--name, --status or limits are needed'],
  [['projects', 'change', 'x'], '--name, --status or limits are needed'],
  [['projects', 'change', 'x', '--requests-per-minute', '0'], '--requests-per-minute has 0, and takes a whole number'],
  [['accounts', 'change', 'x', '--status', 'blokced'], '--status has blokced; accepted are .*the nearest is blocked'],
  [['accounts', '--limit', '0'], '--limit takes a whole number from 1 to 100000'],
  [['projects', 'create', '--name', 'x'], '--account is needed'],
  [['balance'], '--account is needed'],
  [['statement', '--account', 'a', '--from', 'soon'], '--from has soon, and takes a time such as 2026-11-25'],
  [['deliveries', '--status', 'lost'], '--status has lost; accepted are'],
  [['key'], 'which action\\? accepted are create, list, '],
  [['key', 'rename', 'x'], '--name is needed'],
  [['key', 'change', 'x'], 'what is to be changed\\?'],
  [['key', 'create', '--reference', 'r'], '--project is needed'],
  [['key', 'create', '--cap', '50'], '--cap has 50, and takes CREDITS/WINDOW'],
  [['key', 'create', '--cap', '50/yaer'], '--cap has the window yaer; accepted are'],
  [['key', 'create', '--cap', 'x/day'], '--cap has x credits, and takes an amount'],
  [['key', 'create', '--models', 'flash-38'], 'flash-38 is no model of the default catalog'],
  [['key', 'create', '--tokens-per-minute', '0'], '--tokens-per-minute has 0, and takes a whole number from 1'],
  [['key', 'create', '--limits', 'all'], '--limits takes none'],
  [['key', 'create', '--metadata', 'x'], '--metadata has x, and takes NAME=TEXT'],
  [
    ['key', 'create', '--expires', '2020-01-01'],
    '--expires is 2020-01-01T00:00:00.000Z, which is past; accepted is a time in the future$',
  ],
  [['key', 'create', '--expires', 'soon'], '--expires has soon, and takes a time'],
  [['operations', '--state', 'complete'], '--state has complete; accepted are .*the nearest is completed'],
  [
    ['operations', '--state', 'completed'],
    'operations that are completed are listed of one account, project or key: add --account ID, --project ID or --key ID',
  ],
  [['balance', 'b', '--account', 'c'], 'one account is accepted, and two came: b, and c as --account'],
  [['--schema', 'mysql'], '--schema has mysql; accepted are sqlite and postgres'],
  [['--version', 'x'], "'x' is not understood"],
])('says of %j what is missing, and what is accepted', async (words, message) => {
  await run('init');
  const accountId = words.includes('a') ? await made('accounts', 'create', '--name', 'A') : 'a';
  const { code, complained } = await run(...words.map((word) => (word === 'a' ? accountId : word)));
  expect([code, complained.split('\n')[0]]).toEqual([2, expect.stringMatching(message)]);
});

test('leads from a refusal to the help of the command, and does not print the help', async () => {
  await run('init');
  expect(await run('key', 'list')).toEqual({
    code: 2,
    printed: '',
    complained: "--project is needed\n'tollgate key --help' explains the command.",
  });
});

test('lists the keys of a project up to a limit, newest first, and by a search', async () => {
  const projectId = await made('projects', 'create', '--account', await account(), '--name', 'Engine');
  for (const name of ['build', 'deploy', 'test']) await made('key', 'create', '--project', projectId, '--name', name);
  const names = async (...words: readonly string[]) =>
    (await run('key', 'list', '--project', projectId, ...words)).printed.split('\n').map((line) => line.split('  ')[3]);
  expect(await names()).toEqual(['test', 'deploy', 'build']);
  expect(await names('--limit', '2')).toEqual(['test', 'deploy']);
  expect(await names('--search', 'DEP')).toEqual(['deploy']);
});

test('prints of a balance what is available, also as JSON', async () => {
  const accountId = await account();
  await run('deposit', '--account', accountId, '--credits', '2.5');
  expect((await run('balance', '--account', accountId)).printed).toBe('balance 2.5, reserved 0, available 2.5');
  expect((await run('balance', accountId)).printed).toBe('balance 2.5, reserved 0, available 2.5');
  expect((await run('statement', accountId)).printed).toMatch(/deposit .*balance 2\.5 /);
  expect(JSON.parse((await run('balance', '--account', accountId, '--json')).printed)).toMatchObject({
    balanceMicros: '2500000',
    reservedMicros: '0',
    availableMicros: '2500000',
  });
});

test('prints its version, and the SQL of the tables, which makes them', async () => {
  expect((await run('--version')).printed).toMatch(/^\d+\.\d+\.\d+$/);
  const { printed } = await run('--schema');
  const database = new DatabaseSync(':memory:');
  database.exec(printed);
  expect(database.prepare('SELECT count(*) AS rows FROM entry').get()).toEqual({ rows: 0 });
  expect((await run('--schema', 'postgres')).printed).toContain('CREATE TABLE entry');
});
