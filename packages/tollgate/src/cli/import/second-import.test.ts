import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIn } from '../../../test/run-in.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-second-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runIn({ TOLLGATE_DB: path.join(folder, 'gateway.db') }, ...words);

const importing = (keys: readonly object[], ...options: readonly string[]) => {
  const file = path.join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify({ keys }));
  return run('import', file, '--from', 'litellm', ...options);
};

const token = 'a'.repeat(64);
const other = 'b'.repeat(64);

const keyIdOf = (printed: string): string => printed.split('\n')[1]?.split(',')[4] ?? '';
const shown = async (keyId: string): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse((await run('key', 'show', keyId, '--json')).printed) as Readonly<Record<string, unknown>>;

test('a key that was blocked at the old gateway since the first import is named, and revoked where that is asked', async () => {
  await run('init');
  const keyId = keyIdOf((await importing([{ token, team_id: 't' }])).printed);
  const blocked = [
    { token, team_id: 't', blocked: true },
    { token: other, team_id: 't' },
  ];
  const named = await importing(blocked);
  expect(named.code).toBe(1);
  expect(named.complained).toContain(`active: key ${keyId} (${token}) of t is skipped in the file and active here`);
  expect((await importing(blocked, '--revoke-skipped', '--dry-run')).code).toBe(1);
  expect(await shown(keyId)).toMatchObject({ status: 'active' });
  const revoked = await importing(blocked, '--revoke-skipped');
  expect(revoked).toMatchObject({ code: 0 });
  expect(revoked.complained).toContain('; 1 keys revoked');
  expect(await shown(keyId)).toMatchObject({ status: 'revoked' });
  expect((await importing(blocked)).code).toBe(0);
});

test('each term of a key that differs from the file is named, and changed where that is asked', async () => {
  await run('init');
  const first = { token, team_id: 't', max_budget: 10, models: ['flash-3.8'] };
  const keyId = keyIdOf((await importing([first])).printed);
  expect((await importing([first])).code).toBe(0);
  const later = [{ token, team_id: 't', max_budget: 10, spend: 9.5, rpm_limit: 5, expires: '2999-01-01T00:00:00Z' }];
  const named = await importing(later);
  expect(named.code).toBe(1);
  expect(named.complained.split('\n').slice(0, 4)).toEqual([
    `differs: keys[0]: cap is 10/total@UTC here and 0.5/total@UTC in the file (key ${keyId})`,
    `differs: keys[0]: models is flash-3.8 here and none in the file (key ${keyId})`,
    `differs: keys[0]: expires is none here and 2999-01-01T00:00:00.000Z in the file (key ${keyId})`,
    `differs: keys[0]: requestsPerMinute is none here and 5 in the file (key ${keyId})`,
  ]);
  expect((await importing(later, '--change-terms', '--dry-run')).code).toBe(1);
  expect(await shown(keyId)).toMatchObject({ models: ['flash-3.8'], cap: { amountMicros: '10000000' } });
  expect((await importing(later, '--change-terms')).code).toBe(0);
  expect(await shown(keyId)).toMatchObject({
    models: null,
    cap: { amountMicros: '500000' },
    limits: { requestsPerMinute: 5 },
    expiresAtMs: Date.parse('2999-01-01T00:00:00Z'),
  });
  expect((await importing(later)).code).toBe(0);
});

test('a key that moved to another account is named with exit code 1, and one that the file does not name without', async () => {
  await run('init');
  const keyId = keyIdOf((await importing([{ token, team_id: 't-1' }])).printed);
  const moved = await importing([{ token, team_id: 't-2' }]);
  expect(moved.code).toBe(1);
  expect(moved.complained).toContain(`active: key ${keyId} (${token}) of t-1 is in another account or project`);
  const missing = await importing([{ token: other, team_id: 't-3' }]);
  expect(missing.code).toBe(0);
  expect(missing.complained).toContain(`not in the file: key ${keyId} (${token}) of t-1 `);
  expect(missing.complained.match(/not in the file: /g)).toHaveLength(2);
});

test('a hash that two accounts of a file have is refused, as its old key could be either', async () => {
  await run('init');
  const twice = await importing([
    { token, team_id: 't-1' },
    { token, team_id: 't-2' },
  ]);
  expect(twice).toMatchObject({ code: 1, printed: '' });
  expect(twice.complained).toContain('refused: keys[1]: token is that of keys[0], in another account');
});
