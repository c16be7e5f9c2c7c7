import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { moveUser, openGateway } from '../docs/snippets/imported-keys.ts';
import { catalog, openMigrated } from '../docs/snippets/migrated-gateway.ts';
import { runCommandLine } from '../packages/tollgate/src/cli/run-command-line.ts';
import {
  createGateway,
  microsFromCredits,
  sandboxProvider,
  silentLogger,
  sqliteStorage,
  type TariffInput,
} from '../packages/tollgate/src/index.ts';

const statusOf = async (
  gateway: { readonly fetch: (request: Request) => Promise<Response> },
  key: string,
  model?: string,
): Promise<number> => {
  const response = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
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

const plainPrices = { litellm_provider: 'openai', input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 };

/** What LiteLLM has: an export with a team and a key, and its list of prices. */
const litellmFiles = (token: string): Readonly<Record<string, unknown>> => ({
  'litellm.json': {
    keys: [{ token, key_alias: 'server', team_id: 't-1', models: ['all-team-models'], metadata: { owner: 'a' } }],
    teams: [{ team_id: 't-1', team_alias: 'Core', max_budget: 5, spend: 1, models: ['gpt-4o'], rpm_limit: 100 }],
  },
  'model_prices_and_context_window.json': {
    'gpt-4o': { ...plainPrices, mode: 'chat', input_cost_per_token_priority: 4.25e-6 },
    'gpt-4o-mini': { ...plainPrices, mode: 'chat', search_context_cost_per_query: { search_context_size_low: 0.03 } },
    'text-embedding-3-small': { mode: 'embedding', input_cost_per_token: 2e-8, output_cost_per_token: 0 },
  },
});

/** The commands of a page that begin with the name of ours, in its order. */
const commandsOf = (page: string): readonly string[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith('tollgate ') && !line.includes('ACCOUNT_ID'));

test('the commands of the page about LiteLLM end in a gateway in which an old key calls the old name of a model', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-litellm-'));
  const oldKey = 'sk-of-litellm';
  const files = litellmFiles(createHash('sha256').update(oldKey).digest('hex'));
  for (const [name, value] of Object.entries(files)) writeFileSync(path.join(folder, name), JSON.stringify(value));
  const db = path.join(folder, 'gateway.db');
  const inFolder = (word: string): string => (/\.(?:jsonl?|csv)$/.test(word) ? path.join(folder, word) : word);
  const run = async (line: string): Promise<void> => {
    const [command = '', redirected] = line.split(' > ');
    const printed: string[] = [];
    const words = [...command.split(' ').slice(1).map(inFolder), ...(line.includes(' prices ') ? [] : ['--db', db])];
    const world = { print: (text: string) => printed.push(text), complain: () => {}, environment: {}, exit: () => {} };
    expect([line, await runCommandLine(words, world)]).toEqual([line, 0]);
    if (redirected !== undefined) writeFileSync(inFolder(redirected), printed.join('\n'));
  };
  const page = readFileSync(new URL('../docs/migrating/litellm.md', import.meta.url), 'utf8');
  const commands = commandsOf(page);
  expect(commands).toHaveLength(7);
  for (const line of commands) await run(line);

  const tariff = JSON.parse(readFileSync(path.join(folder, 'tariff.json'), 'utf8')) as TariffInput;
  expect(Object.keys(tariff.models)).toEqual(catalog.map(({ id }) => id));
  const statuses: number[] = [];
  const options = { tariff, requestLog: ({ status }: { readonly status: number }) => statuses.push(status) };
  const gateway = await openMigrated(
    { storage: sqliteStorage({ path: db }), provider: sandboxProvider(), logger: silentLogger, ...options },
    path.join(folder, 'imported-2.jsonl'),
  );
  expect(await statusOf(gateway, oldKey, 'gpt-4o')).toBe(200);
  expect(await statusOf(gateway, oldKey, 'gpt-4o-mini')).toBe(403);
  expect(await statusOf(gateway, 'sk-another', 'gpt-4o')).toBe(401);
  expect(statuses).toEqual([200, 403, 401]);
  await gateway.close();
  await run('tollgate audit');
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
