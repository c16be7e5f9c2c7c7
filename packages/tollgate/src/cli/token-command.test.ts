import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { runIn } from '../../test/run-in.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-token-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

const Record = z.object({ id: z.string() });
const idIn = (printed: string): string => Record.parse(JSON.parse(printed)).id;

const newKey = async (): Promise<string> => {
  await run('init');
  return idIn((await run('key', 'create', '--json')).printed);
};

test('makes a token with all that it can have, shows it without its text, and revokes it', async () => {
  const key = await newKey();
  const bounds = ['--origins', 'https://app.example.com', '--models', 'flash-2.5', '--budget', '0.5', '--ttl', '60'];
  const made = await run('token', 'create', '--key', key, ...bounds, '--json');
  expect([made.code, made.complained]).toEqual([0, '']);
  expect(JSON.parse(made.printed)).toMatchObject({ token: expect.stringMatching(/^tgt_/) });
  const id = idIn(made.printed);
  const shown = await run('token', 'show', id);
  expect(shown.printed).toMatch(
    new RegExp(`^${id}  expires .*key ${key}  https://app.example.com  flash-2.5  budget 0.5$`),
  );
  expect(shown.printed).not.toContain('tgt_');
  expect((await run('token', 'revoke', id)).printed).toContain('revoked 20');
  expect((await run('token', 'create', '--key', key)).printed).toMatch(
    /^token {4}tgt_.*\ntoken id .*\nexpires .*\nThe token is shown/,
  );
});

test.each([
  ['no action', [], 2, 'token takes an action; accepted are create, show and revoke'],
  ['no key', ['create'], 2, '--key is needed'],
  ['an unknown key', ['create', '--key', '00000000-0000-7000-8000-00000000abcd'], 1, 'there is no such key, or it may'],
  ['a key that is no uuid', ['create', '--key', 'none'], 2, 'keyId is the text "none"'],
  ['a path for an origin', ['create', '--key', 'KEY', '--origins', 'https://a.example/b'], 2, 'origins[0]'],
  ['no amount', ['create', '--key', 'KEY', '--budget', 'much'], 2, '--budget has much'],
  ['too long a life', ['create', '--key', 'KEY', '--ttl', '3601'], 2, '--ttl has 3601'],
  ['an unknown token', ['show', 'none'], 1, 'there is no such token'],
])('refuses %s, and says what is missing', async (_, words, code, message) => {
  const key = await newKey();
  const refused = await run('token', ...words.map((word) => (word === 'KEY' ? key : word)));
  expect([refused.code, refused.complained]).toEqual([code, expect.stringContaining(message)]);
});
