// What a host writes on its first day, run by consumer-smoke.ts in an empty project that has only the published packages.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';

const createFundedKey = async ({ admin }: Gateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'Smoke' });
  await admin.deposit({ accountId: account.id, amountMicros: 1_000_000_000n, reference: 'smoke' });
  const project = await admin.createProject({ accountId: account.id, name: 'Smoke' });
  assert(project !== null);
  const created = await admin.createKey({ projectId: project.id, model: null });
  assert(created !== null);
  return created.key;
};

/** Returns whether the gateway gave a stored answer again. */
const chat = async (send: typeof fetch, origin: string, key: string): Promise<string | null> => {
  const response = await send(`${origin}/api/v1/ai/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'smoke-0001' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.match(text, /"chat\.completion"/u);
  return response.headers.get('idempotency-replayed');
};

const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-smoke-'));
for (const storage of [memoryStorage(), sqliteStorage({ path: path.join(directory, 'smoke.db') })]) {
  const gateway = await createGateway({ storage, provider: sandboxProvider() });
  const key = await createFundedKey(gateway);
  const inProcess: typeof fetch = (input, init) => gateway.fetch(new Request(input, init));
  assert.equal(await chat(inProcess, 'http://gateway.test', key), 'false');
  const server = await serve(gateway, { port: 0 });
  assert.equal(await chat(fetch, server.origin, key), 'true');
  await server.close();
}
rmSync(directory, { recursive: true });
console.log('one chat on two storages, in process, and again over a socket');
