import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { moveUser, openGateway } from '../docs/snippets/imported-keys.ts';
import { runCommandLine } from '../packages/tollgate/src/cli/run-command-line.ts';
import { createGateway, microsFromCredits, silentLogger, sqliteStorage } from '../packages/tollgate/src/index.ts';

const statusOf = async (
  gateway: { readonly fetch: (request: Request) => Promise<Response> },
  key: string,
): Promise<number> => {
  const response = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"Hello"}]}',
    }),
  );
  await response.text();
  return response.status;
};

test('a key of the old gateway goes on working by its hash, and is shut out with the imported one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-migrating-'));
  const oldKey = 'sk-of-the-old-gateway';
  const token = createHash('sha256').update(oldKey).digest('hex');
  const file = path.join(folder, 'litellm.json');
  const teams = [{ team_id: 't-1', max_budget: 5, spend: 1 }];
  writeFileSync(file, JSON.stringify({ keys: [{ token, team_id: 't-1', models: [] }], teams }));
  const db = path.join(folder, 'gateway.db');
  const out = path.join(folder, 'imported.jsonl');
  const world = { print: () => {}, complain: () => {}, environment: {}, exit: () => {} };
  await runCommandLine(['init', '--db', db], world);
  const words = ['import', file, '--from', 'litellm', '--out', out, '--db', db];
  expect(await runCommandLine(words, world)).toBe(0);

  const gateway = await openGateway({ storage: sqliteStorage({ path: db }), logger: silentLogger }, out);
  expect(await statusOf(gateway, oldKey)).toBe(200);
  expect(await statusOf(gateway, 'sk-another')).toBe(401);
  const { keyId } = JSON.parse(readFileSync(out, 'utf8')) as { readonly keyId: string };
  await gateway.admin.setKeyStatus(keyId, 'revoked');
  expect(await statusOf(gateway, oldKey)).toBe(401);
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

test('moving a user twice makes one account, one deposit and one key, and another balance is refused', async () => {
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger });
  const user = { id: randomUUID(), email: 'a@example.com', creditsMicros: microsFromCredits(3) };
  const key = await moveUser(gateway.admin, user);
  expect(await moveUser(gateway.admin, user)).toBeNull();
  expect(await gateway.admin.readWallet(user.id)).toMatchObject({ balanceMicros: microsFromCredits(3) });
  expect(await statusOf(gateway, key ?? '')).toBe(200);
  await expect(moveUser(gateway.admin, { ...user, creditsMicros: microsFromCredits(9) })).rejects.toThrow('conflict');
  await gateway.close();
});

test('the rows of the page are those that the test of the command imports', () => {
  const page = readFileSync(new URL('../docs/migrating/index.md', import.meta.url), 'utf8');
  const [, rows = ''] = /```csv\n([\s\S]*?)```/.exec(page) ?? [];
  const tested = readFileSync(
    new URL('../packages/tollgate/src/cli/import/import-command.test.ts', import.meta.url),
    'utf8',
  );
  expect(rows).not.toBe('');
  expect(tested).toContain(rows);
});
