import { randomBytes } from 'node:crypto';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { expect, test } from 'vitest';
import { contextSecretCheck, findContextSecrets, toContextSecrets } from './context-secrets.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

const find = async (given: readonly string[], storage = sqliteStorage({ path: ':memory:' })) => {
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };
  return { secrets: await findContextSecrets({ storage, logger, given, randomBytes }), warnings, storage };
};

test.each([
  [undefined, []],
  [first, [first]],
  [
    [first, second],
    [first, second],
  ],
])('reads %j', (option, secrets) => {
  expect(toContextSecrets(option)).toEqual(secrets);
});

test.each([
  [null, 'contextSecret is null'],
  [7, 'contextSecret is 7'],
  ['', 'contextSecret is empty'],
  ['a'.repeat(31), 'contextSecret is a text of 31 characters'],
  [[], 'contextSecret is a list of 0 entries; accepted is a list of 1 to 16 entries'],
  [[first, 'short'], 'contextSecret[1] is a text of 5 characters'],
  [[first, undefined], 'contextSecret[1] is missing'],
  [Array.from({ length: 17 }, () => first), 'contextSecret is a list of 17'],
])('refuses %j, and says what it takes without repeating it', (option, what) => {
  const [fault, ...more] = contextSecretCheck.faultsOf(option, 'contextSecret');
  expect([fault?.message, more]).toEqual([expect.stringContaining(what), []]);
  expect(fault?.message).toMatch(/at least 32 characters|a list of 1 to 16/);
  expect(fault?.message).not.toContain('aaaa');
});

test('makes one that the storage shares where the host gives none, and warns once a start', async () => {
  const one = await find([]);
  const other = await find([], one.storage);
  expect(one.secrets).toHaveLength(1);
  expect(one.secrets[0].length).toBeGreaterThanOrEqual(43);
  expect(other.secrets).toEqual(one.secrets);
  expect(one.warnings).toEqual([expect.stringContaining('contextSecret is not given')]);
});

test('takes those of the host without a warning and makes none', async () => {
  const { secrets, warnings, storage } = await find([first, second]);
  expect({ secrets, warnings }).toEqual({ secrets: [first, second], warnings: [] });
  expect((await storage.read([{ table: 'setting', id: 'context_secret' }])).get('setting', 'context_secret')).toBe(
    undefined,
  );
});

test('goes on opening with a generated one once the host gives its own, and seals with that no more', async () => {
  const before = await find([]);
  const after = await find([first], before.storage);
  expect(after.secrets).toEqual([first, before.secrets[0]]);
});
