import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../create-gateway.ts';
import { commandHelp } from './help.ts';
import { runIn } from '../../test/run-in.ts';

let folder = '';
let db = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-cli-'));
  db = path.join(folder, 'data', 'gateway.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: db }, ...words);

/** A database with a gateway and nothing in it. */
const init = async (): Promise<void> => {
  expect(await run('init')).toMatchObject({ code: 0, printed: `created: ${db}` });
};

const CreatedKey = z.object({ key: z.string(), id: z.string(), projectId: z.string(), accountId: z.string() });
const createKey = async (...words: readonly string[]) => {
  expect(await run('init')).toMatchObject({ code: 0 });
  const { printed } = await run('key', 'create', '--json', ...words);
  return CreatedKey.parse(JSON.parse(printed));
};

/** A chat through a gateway of its own on the same database. */
const chat = async (key: string, content: string) => {
  const gateway = await createGateway({ storage: sqliteStorage({ path: db }) });
  const response = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    }),
  );
  await gateway.close();
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' };
};

test('explains itself, and tells a wrong command line by exit code 2', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, printed: expect.stringContaining('Commands:') });
  expect(await run()).toMatchObject({ code: 2, printed: '' });
  expect(await run('frobnicate')).toMatchObject({ code: 2, complained: expect.stringContaining('unknown command') });
  expect(await run('audit', '--nonsense')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--nonsense is no option of this command'),
  });
  for (const command of Object.keys(commandHelp))
    expect(await run(command, '--help')).toMatchObject({
      code: 0,
      printed: expect.stringContaining(`tollgate ${command}`),
    });
});

test('makes a key that works once its account has credits', async () => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  expect(await chat(key, 'hello')).toMatchObject({ status: 402 });
  expect(await run('deposit', '--account', accountId, '--credits', '2.5', '--reference', 'a')).toMatchObject({
    code: 0,
    printed: 'balance 2.5, reserved 0, available 2.5 (done)\nreference a: a repeat with it adds nothing',
  });
  expect((await run('deposit', '--account', accountId, '--credits', '2.5', '--reference', 'a')).printed).toContain(
    'repeated',
  );
  expect(await chat(key, 'hello')).toMatchObject({ status: 200 });
  expect(await run('audit')).toMatchObject({ code: 0, printed: '1 accounts, 1 operations, 2 entries\nclean' });
});

test('makes no key for a model that its catalog lacks, unless the host has a catalog of its own', async () => {
  await init();
  expect(await run('key', 'create', '--model', 'flash-38')).toMatchObject({
    code: 2,
    printed: '',
    complained: expect.stringMatching(/flash-38 is no model of the default catalog; .*the nearest is flash-3\.8\./),
  });
  expect(await run('key', 'create', '--model', 'own-1', '--own-catalog')).toMatchObject({
    code: 0,
    printed: expect.stringContaining('model    own-1'),
  });
});

test.each([
  [['audit', '--ds', 'a.db'], '--ds is no option of this command; accepted are --db, --postgres'],
  [['deposit', '--acount', 'a'], '--acount is no option of this command; .*the nearest is --account$'],
  [['key', 'create', '--modle=flash'], '--modle is no option of this command; .*the nearest is --model$'],
  [['audit', '--failed'], '--failed is no option of this command'],
  [['audti'], 'unknown command: audti; accepted are .*the nearest is audit$'],
])('names what is not known of %j, and the nearest right name', async (words, message) => {
  const { code, complained } = await run(...words);
  expect([code, complained.split('\n')[0]]).toEqual([2, expect.stringMatching(message)]);
});

describe('a database that holds no gateway', () => {
  const commands = [
    ['audit'],
    ['operations'],
    ['key', 'create'],
    ['key', 'list', '--project', 'a'],
    ['key', 'revoke', 'a'],
    ['deposit', '--account', 'a', '--credits', '1'],
    ['resolve', 'a', '--failed'],
  ];

  test.each(commands)('is refused by %s %s where the file is not there, and is not made', async (...words) => {
    expect(await run(...words)).toMatchObject({
      code: 1,
      printed: '',
      complained: `there is no file ${db}. --db names a file, --postgres and --schema a PostgreSQL database; tollgate init makes a new one.`,
    });
    expect(existsSync(path.dirname(db))).toBe(false);
  });

  test.each([
    ['an empty file', '', 'holds no gateway'],
    [
      'a text',
      'some text that is long enough to be read as the head of a database, so that it is refused',
      'is no SQLite',
    ],
  ])('is refused where it is %s, which stays as it was', async (_, content, why) => {
    mkdirSync(path.dirname(db));
    writeFileSync(db, content);
    expect(await run('audit')).toMatchObject({ code: 1, printed: '', complained: expect.stringContaining(why) });
    expect(readFileSync(db, 'utf8')).toBe(content);
  });

  test('is refused where it is the database of another program', async () => {
    mkdirSync(path.dirname(db));
    const other = new DatabaseSync(db);
    other.exec('CREATE TABLE account (id TEXT); PRAGMA user_version = 3');
    other.close();
    expect(await run('audit')).toMatchObject({
      code: 1,
      printed: '',
      complained: expect.stringContaining(`${db} holds no gateway`),
    });
  });

  test('is made by init, once', async () => {
    await init();
    expect(await run('init')).toMatchObject({ code: 0, printed: expect.stringMatching(/^there already: /) });
    expect(await run('audit')).toMatchObject({ code: 0, printed: '0 accounts, 0 operations, 0 entries\nclean' });
  });
});

test('lists the keys of a project without their secrets, and revokes one for good', async () => {
  const { key, id, projectId, accountId } = await createKey();
  await run('deposit', '--account', accountId, '--credits', '1');
  expect((await run('key', 'list', '--project', projectId)).printed).toContain(`${id}  active  automatic`);
  expect((await run('key', 'list', '--project', projectId, '--json')).printed).not.toContain(key);
  expect(await run('key', 'revoke', id)).toMatchObject({ code: 0 });
  expect(await chat(key, 'hello')).toMatchObject({ status: 401 });
  const unknown = '99999999-9999-4999-8999-999999999999';
  expect(await run('key', 'revoke', unknown)).toMatchObject({ code: 1, complained: 'there is no such key' });
  expect(await run('key', 'revoke', 'user:42')).toMatchObject({ code: 2 });
  const opened = await run('accounts', 'create', '--name', 'A', '--id', 'user_42');
  expect(opened).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--id is the text "user_42"; accepted is a uuid'),
  });
});

test('finds an uncertain operation and decides it', async () => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  await run('deposit', '--account', accountId, '--credits', '1');
  const { status, requestId } = await chat(key, '[[sandbox: unknown]]');
  expect(status).toBe(502);
  expect((await run('operations')).printed).toContain(`${requestId}  uncertain`);
  expect((await run('operations', '--account', accountId)).printed).toContain(requestId);
  expect(await run('resolve', requestId)).toMatchObject({ code: 2 });
  expect(await run('resolve', requestId, '--settle')).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^refused: amount_needed\. .*--charge/),
  });
  expect(await run('resolve', requestId, '--charge', '0.01')).toMatchObject({
    code: 0,
    printed: `${requestId} is completed, charged 0.01`,
  });
  expect(await run('resolve', requestId, '--failed')).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^refused: decided_otherwise\. /),
  });
  expect((await run('resolve', requestId, '--charge', '0.01')).printed).toContain('(decided so before)');
  expect((await run('operations')).printed).toBe('');
  const { printed } = await run('operations', '--id', requestId);
  expect(printed).toContain('completed');
  expect(printed).toMatch(/\n {2}sandbox {2}unknown {2}no answer {2}\d+ ms {2}2\d{3}-/);
});

test('shows what the upstream calls a lost request, and what it had used by then', async () => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  await run('deposit', '--account', accountId, '--credits', '1');
  const { requestId } = await chat(key, '[[sandbox: tokens in=5000]] [[sandbox: cut 1]]');
  const { printed } = await run('operations', '--id', requestId);
  expect(printed).toMatch(
    /\n {2}sandbox {2}unknown {2}status 200 .* id req_[\w-]{36} {2}at least 5000 input_text_tokens\n/,
  );
  expect(printed).toContain('\n  used at least 5000 input_text_tokens');
  expect(printed).toContain('\n  uncertain: the outcome of an upstream request is unknown');
});

/** The id of a request that was lost once so many tokens had gone in, of an account with 10 credits. */
const lostRequest = async (tokens = 5_000): Promise<string> => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  await run('deposit', '--account', accountId, '--credits', '10');
  return (await chat(key, `[[sandbox: tokens in=${tokens}]] [[sandbox: cut 1]]`)).requestId;
};

const amountOf = ({ printed }: { readonly printed: string }): number => Number(/charged ([\d.]+)/.exec(printed)?.[1]);

test('charges by a usage or by its lower bound, at the prices of the price list, and keeps who decided it', async () => {
  const [measured, least] = [await lostRequest(), await lostRequest()];
  const note = ['--by', 'ada', '--reference', 'bill 11', '--reason', 'the bill came'];
  const charged = await run('resolve', measured, '--measured', 'input_text_tokens:10000', ...note);
  const half = await run('resolve', least, '--at-least');
  expect(amountOf(charged)).toBeGreaterThan(0);
  expect(amountOf(charged)).toBeCloseTo(2 * amountOf(half), 6);
  expect((await run('operations', '--id', measured)).printed).toMatch(
    /decided: charge_measured .* by ada {2}reference bill 11 {2}because the bill came/,
  );
  expect(await run('audit')).toMatchObject({ code: 0 });
});

test('decides by part, and says which parts are not as given', async () => {
  const id = await lostRequest();
  expect(await run('resolve', id, '--part', '2=failed')).toMatchObject({
    code: 1,
    complained: 'refused: parts_refused (nothing is said of 1; not uncertain: 2)',
  });
  expect(await run('resolve', id, '--part', '1=0.5')).toMatchObject({
    code: 0,
    printed: `${id} is completed, charged 0.5`,
  });
});

test.each([
  [['--measured', 'tokens:5'], 'tokens:5'],
  [['--measured', 'input_text_tokens:-5'], 'UNIT:QUANTITY'],
  [['--part', 'failed'], 'PART=failed'],
  [['--failed', '--at-least'], 'one of --failed'],
  [['--failed', '--reason', ''], 'reason has 0 characters'],
])('does not understand the verdict %j', async (words, message) => {
  const id = await lostRequest();
  expect(await run('resolve', id, ...words)).toMatchObject({ code: 2, complained: expect.stringContaining(message) });
});

/** What the upstream calls the request of an operation. */
const upstreamIdOf = async (id: string): Promise<string> =>
  /id (req_[\w-]+)/.exec((await run('operations', '--id', id)).printed)?.[1] ?? '';

const writeBill = (name: string, text: string): string => {
  const bill = path.join(folder, name);
  writeFileSync(bill, text);
  return bill;
};

test('proposes what a bill decides, carries it out when requested, and only once', async () => {
  const [billed, unbilled] = [await lostRequest(), await lostRequest(0)];
  const bill = writeBill('november.csv', `request_id,prompt\n${await upstreamIdOf(billed)},6000\nreq_other,1\n`);
  const words = ['reconcile', '--bill', bill, '--unit', 'input_text_tokens=prompt'];
  const covered = [...words, '--from', '2020-01-01T00:00:00Z', '--until', '2100-01-01T00:00:00Z'];
  expect((await run(...words)).printed).toContain(`none: not_covered`);
  const dry = await run(...covered);
  expect(dry).toMatchObject({ code: 0, complained: '' });
  expect(dry.printed).toMatch(new RegExp(`${billed} .* charge_measured 6000 input_text_tokens {2}[\\d.]+ credits\n`));
  expect(dry.printed).toMatch(new RegExp(`${unbilled} .* release {2}0 credits\n`));
  expect(dry.printed).toContain('unmatched  req_other  line 3  1 input_text_tokens');
  expect(dry.printed).toMatch(
    /2 rows: 1 to charge \([\d.]+ credits\), 1 to release, 0 undecided; 0 differ, 1 unmatched/,
  );
  expect(dry.printed).toContain('nothing was changed');
  expect((await run('operations')).printed.split('\n')).toHaveLength(2);
  expect(await run(...covered, '--apply')).toMatchObject({
    code: 0,
    printed: expect.stringContaining('applied; 0 refused'),
  });
  expect((await run('operations', '--id', billed)).printed).toContain('reference november.csv');
  expect((await run(...covered, '--apply')).printed).toMatch(
    /^unmatched .*\n2 rows: 0 to charge \(0 credits\), 0 to release/,
  );
  expect(await run('audit')).toMatchObject({ code: 0 });
});

test('says of a bill what it cannot read in it', async () => {
  await init();
  const bill = writeBill('broken.csv', 'request_id,images\nreq_1,two\n');
  const asked = ['reconcile', '--bill', bill];
  const complaints: readonly (readonly [readonly string[], string])[] = [
    [['reconcile'], '--bill is needed'],
    [asked, "line 2 of the bill: 'two' is no whole number"],
    [[...asked, '--id-column', 'call'], 'the bill has no column call'],
    [[...asked, '--from', 'yesterday'], "--from has 'yesterday'"],
    [[...asked, '--from', '2026-11-01'], '--from and --until belong together'],
    [[...asked, '--ids', 'ours'], "--ids has 'ours'"],
    [[...asked, '--apply', '--dry-run'], 'exclude each other'],
  ];
  for (const [words, message] of complaints)
    expect(await run(...words)).toMatchObject({ code: 2, complained: expect.stringContaining(message) });
  expect(await run('reconcile', '--bill', path.join(folder, 'none.csv'))).toMatchObject({
    code: 2,
    complained: expect.stringMatching(/^--bill: .*none\.csv cannot be read \(ENOENT\)$/),
  });
});

test('names the providers of the calls where no call is of the one that the bill is said to be of', async () => {
  await lostRequest(0);
  const bill = writeBill('other.csv', 'request_id,prompt\nreq_other,1\n');
  const words = ['reconcile', '--bill', bill, '--unit', 'input_text_tokens=prompt'];
  const { printed } = await run(...words, '--provider', 'sandbx');
  expect(printed).toContain('no attempt names the provider sandbx; accepted is sandbox');
  expect((await run(...words, '--provider', 'sandbox')).printed).not.toContain('no attempt');
});

test.each([
  [['key', 'list', '--project', 'zz'], 1, 'there is no project zz'],
  [['audit', '--postgres', 'nonsense'], 2, '--postgres (or TOLLGATE_POSTGRES) takes an address such as postgres://'],
  [
    ['start', '--upstream', 'localhost:1'],
    2,
    "--upstream (or OPENAI_BASE_URL) has 'localhost:1', and takes google, anthropic or",
  ],
  [['resolve', 'x', '--measured', 'image:1'], 2, 'image is no unit; accepted'],
])('says of %j what is wrong in the words of the command line', async (words, code, message) => {
  await init();
  expect(await run(...words)).toMatchObject({ code, complained: expect.stringContaining(message) });
});

test('names a folder that was given for a database', async () => {
  expect(await run('audit', '--db', folder)).toMatchObject({
    code: 1,
    complained: expect.stringContaining(`${folder} is no file`),
  });
});

test('releases nothing by a bill with rows without an id, and says so', async () => {
  const unbilled = await lostRequest(0);
  const bill = writeBill('total.csv', 'request_id,prompt\nreq_other,1\n,1\n');
  const words = ['reconcile', '--bill', bill, '--unit', 'input_text_tokens=prompt'];
  const covered = [...words, '--from', '2020-01-01', '--until', '2100-01-01'];
  const { printed } = await run(...covered);
  expect(printed).toMatch(new RegExp(`${unbilled} .* none: rows_without_id\n`));
  expect(printed).toContain('1 rows bill a usage and have no id (line 3)');
  expect((await run(...covered, '--ignore-rows-without-id')).printed).toContain('1 to release');
});

test('shows characters that a terminal obeys, and does not print them', async () => {
  await init();
  const bill = writeBill('hostile.csv', 'request_id,images\n\u001B]0;owned\u0007\u009B31mreq\u202E,5\n');
  const { printed } = await run('reconcile', '--bill', bill);
  expect(printed).toContain(String.raw`\u001b]0;owned\u0007\u009b31mreq\u202e`);
  // oxlint-disable-next-line no-control-regex
  expect(printed).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
});

test.each([
  [['deposit', '--account', 'a', '--credits', '1', '--credits', '2'], '--credits is given twice'],
  [['resolve', 'x', '--charge', '1', '--charge', '2'], '--charge is given twice'],
  [['resolve', 'x', '--measured', 'images:1', '--measured', 'images:2'], '--measured has images twice'],
])('refuses an option that is given twice: %j', async (words, message) => {
  await init();
  expect(await run(...words)).toMatchObject({ code: 2, complained: expect.stringContaining(message) });
});

test('refuses words that no command takes, rather than doing a part of what was asked', async () => {
  const { id, accountId } = await createKey('--model', 'flash-3.8');
  for (const words of [
    ['audit', 'now'],
    ['deposit', '100', '--account', accountId, '--credits', '1'],
    ['key', 'revoke', id, id],
    ['key', 'list', id, '--project', 'x'],
    ['resolve', id, id, '--failed'],
    ['operations', 'uncertain'],
    ['start', '8787'],
    ['migrate', 'up'],
  ])
    expect(await run(...words)).toMatchObject({ code: 2, complained: expect.stringContaining('is not understood') });
});

test('tells webhooks of a decision under the path at which the gateway is found [webhooks:envelope:request-url]', async () => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  await run('deposit', '--account', accountId, '--credits', '2');
  const urls: string[] = [];
  const gateway = await createGateway({
    storage: sqliteStorage({ path: db }),
    basePath: '/ours',
    webhooks: {
      sender: {
        check: (url) => Promise.resolve({ kind: 'allowed', url }),
        send: ({ body }) => {
          urls.push(z.object({ data: z.object({ request_url: z.string() }) }).parse(JSON.parse(body)).data.request_url);
          return Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null });
        },
        close: () => Promise.resolve(),
      },
    },
  });
  const post = (route: string, body: object): Promise<Response> =>
    gateway.fetch(
      new Request(`http://host/ours${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  await post('/webhooks', { url: 'https://hooks.example.com/' });
  const lost = await post('/chat/completions', { messages: [{ role: 'user', content: '[[sandbox: unknown]]' }] });
  const requestId = lost.headers.get('x-request-id') ?? '';
  expect(await run('resolve', requestId, '--failed', '--base-path', 'ours')).toMatchObject({ code: 2 });
  expect(await run('resolve', requestId, '--failed', '--base-path', '/ours')).toMatchObject({ code: 0 });
  await gateway.jobs.runDue();
  expect(urls).toEqual([`/ours/requests/${requestId}`]);
  await gateway.close();
});

test('says so where an operation is not there', async () => {
  await init();
  expect(await run('operations', '--id', 'unknown')).toMatchObject({
    code: 1,
    printed: '',
    complained: 'there is no such operation',
  });
});

test('refuses amounts that are none and accounts that are not there', async () => {
  const { accountId } = await createKey();
  for (const credits of ['0', '-1', 'ten', '0.0000001'])
    expect(await run('deposit', '--account', accountId, '--credits', credits)).toMatchObject({ code: 2 });
  const missing = '00000000-0000-7000-8000-00000000abcd';
  expect(await run('deposit', '--account', missing, '--credits', '1')).toMatchObject({
    code: 1,
    complained: `there is no account ${missing}`,
  });
  expect(await run('deposit', '--account', 'nobody', '--credits', '1')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--account is the text "nobody"'),
  });
  expect(await run('deposit', '--credits', '1')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--account'),
  });
});

describe('usage', () => {
  const november = ['--from', '2000-01-01', '--until', '2100-01-01'];

  test('prints what was used and charged, by group, as text, JSON and CSV', async () => {
    const { key, accountId } = await createKey();
    await run('deposit', '--account', accountId, '--credits', '5');
    expect(await chat(key, 'Hello')).toMatchObject({ status: 200 });
    const { code, printed } = await run('usage', ...november, '--group', 'account,model');
    expect(code).toBe(0);
    expect(printed).toMatch(
      new RegExp(`^2000-01-01T00:00:00\\.000Z  ${accountId}  \\S+  1 requests  charged 0\\.\\d+  `),
    );
    const json = await run('usage', ...november, '--account', accountId, '--json');
    expect(JSON.parse(json.printed)).toMatchObject([{ requests: 1, correctedMicros: '0' }]);
    const csv = await run('usage', ...november, '--csv');
    expect(csv.printed.split('\n')).toHaveLength(2);
    expect(csv.printed).toMatch(/^from,until,requests,charged_credits,/);
    expect(await run('usage', ...november, '--account', 'another')).toMatchObject({ code: 0, printed: '' });
  });

  test('prints the usage of the key of a reference, as text and CSV, and says where there is none', async () => {
    const { accountId, projectId } = await createKey();
    await run('deposit', '--account', accountId, '--credits', '5');
    const project = ['--project', projectId];
    const { printed } = await run('key', 'create', ...project, '--reference', 'user:42', '--json');
    const made = CreatedKey.parse(JSON.parse(printed));
    await run('key', 'create', ...project, '--reference', 'idle');
    expect(await chat(made.key, 'Hello')).toMatchObject({ status: 200 });
    const used = (...words: string[]) => run('usage', ...november, ...project, '--group', 'key', ...words);
    expect((await used('--reference', 'user:42')).printed).toContain(`${made.id}  1 requests`);
    expect((await used('--reference', 'user:42', '--csv')).printed.split('\n')).toHaveLength(2);
    expect(await used('--reference', 'idle')).toMatchObject({ code: 0, printed: '' });
    const missing = 'there is no key of this reference in the project';
    expect(await used('--reference', 'user:4')).toEqual({ code: 1, printed: '', complained: missing });
  });

  test.each([
    [['--from', 'yesterday', '--until', '2100-01-01'], '--from has yesterday, and takes a time on a whole hour'],
    [['--from', '2026-11-01T10:30Z', '--until', '2100-01-01'], '--from has 2026-11-01T10:30Z, and takes'],
    [['--from', '2026-11-01', '--until', '2026-11-01T10:30Z'], '--until has 2026-11-01T10:30Z, and takes'],
    [['--from', '2026-11-02', '--until', '2026-11-01'], '--until is not later than --from'],
    [['--from', '2026-11-01', '--until', '2026-12-01', '--by', 'day', '--time-zone', 'Asia/Kolkata'], '--time-zone is'],
    [['--from', '2026-11-01', '--until', '2026-12-01', '--by', 'day', '--time-zone', 'Mars'], '--time-zone is'],
    [['--until', '2100-01-01'], '--from is needed'],
    [[...november, '--by', 'week'], '--by takes one of'],
    [[...november, '--group', 'colour'], '--group takes'],
    [[...november, '--reference', 'r'], '--project is needed'],
    [[...november, '--project', 'p', '--key', 'k', '--reference', 'r'], '--key and --reference both name a key'],
  ])('refuses %j by name', async (words, message) => {
    await init();
    expect(await run('usage', ...words)).toMatchObject({ code: 2, complained: expect.stringContaining(message) });
  });
});
