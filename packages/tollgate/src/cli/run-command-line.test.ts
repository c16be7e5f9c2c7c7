import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../create-gateway.ts';
import { commandHelp } from './help.ts';
import { runCommandLine } from './run-command-line.ts';

let folder = '';
let db = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-cli-'));
  db = path.join(folder, 'data', 'gateway.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: readonly string[]) => {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await runCommandLine(words, {
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    environment: { TOLLGATE_DB: db },
    exit: () => undefined,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
};

const CreatedKey = z.object({ key: z.string(), id: z.string(), projectId: z.string(), accountId: z.string() });
const createKey = async (...words: readonly string[]) => {
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
    complained: expect.stringContaining('--nonsense'),
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
    printed: 'balance 2.5, reserved 0 (done)',
  });
  expect((await run('deposit', '--account', accountId, '--credits', '2.5', '--reference', 'a')).printed).toContain(
    'repeated',
  );
  expect(await chat(key, 'hello')).toMatchObject({ status: 200 });
  expect(await run('audit')).toMatchObject({ code: 0, printed: '1 accounts, 1 operations, 2 entries\nclean' });
});

test('says so when a key is bound to a model that its own catalog lacks, and makes it all the same', async () => {
  const { code, printed, complained } = await run('key', 'create', '--model', 'flash-38');
  expect([code, printed]).toEqual([0, expect.stringContaining('model    flash-38')]);
  expect(complained).toBe('note: flash-38 is no model of the default catalog');
  expect((await run('key', 'create', '--model', 'flash-3.8')).complained).toBe('');
});

test('lists the keys of a project without their secrets, and revokes one for good', async () => {
  const { key, id, projectId, accountId } = await createKey();
  await run('deposit', '--account', accountId, '--credits', '1');
  expect((await run('key', 'list', '--project', projectId)).printed).toContain(`${id}  active  automatic`);
  expect((await run('key', 'list', '--project', projectId, '--json')).printed).not.toContain(key);
  expect(await run('key', 'revoke', id)).toMatchObject({ code: 0 });
  expect(await chat(key, 'hello')).toMatchObject({ status: 401 });
  expect(await run('key', 'revoke', 'unknown')).toMatchObject({ code: 1, complained: 'there is no such key' });
});

test('finds an uncertain operation and decides it', async () => {
  const { key, accountId } = await createKey('--model', 'flash-3.8');
  await run('deposit', '--account', accountId, '--credits', '1');
  const { status, requestId } = await chat(key, '[[sandbox: unknown]]');
  expect(status).toBe(502);
  expect((await run('operations')).printed).toContain(`${requestId}  uncertain`);
  expect((await run('operations', '--account', accountId)).printed).toContain(requestId);
  expect(await run('resolve', requestId)).toMatchObject({ code: 2 });
  expect(await run('resolve', requestId, '--settle')).toMatchObject({ code: 1, complained: 'refused: amount_needed' });
  expect(await run('resolve', requestId, '--charge', '0.01')).toMatchObject({
    code: 0,
    printed: `${requestId} is completed, charged 0.01`,
  });
  expect(await run('resolve', requestId, '--failed')).toMatchObject({ code: 1, complained: 'refused: not_uncertain' });
  expect((await run('operations')).printed).toBe('');
  const { printed } = await run('operations', '--id', requestId);
  expect(printed).toContain('completed');
  expect(printed).toMatch(/\n {2}sandbox {2}unknown {2}no answer {2}\d+ ms {2}2\d{3}-/);
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
  expect(await run('deposit', '--account', 'nobody', '--credits', '1')).toMatchObject({
    code: 1,
    complained: 'refused: missing',
  });
  expect(await run('deposit', '--credits', '1')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--account'),
  });
});
