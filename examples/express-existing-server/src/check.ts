// Starts the application on a free port and a database of its own, calls the old route and the gateway, and ends.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { microsFromCredits, type Gateway } from 'tollgate';
import { gatewayPath } from './create-app.ts';
import { startServer } from './start-server.ts';

const createKey = async (admin: Gateway['admin']): Promise<string> => {
  const account = await admin.createAccount({ name: 'check' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(10), reference: 'check' });
  const project = await admin.createProject({ accountId: account.id, name: 'check' });
  assert.ok(project);
  const key = await admin.createKey({ projectId: project.id, model: 'flash-3.8' });
  assert.ok(key);
  return key.key;
};

const postJson = (url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

const checkOldRoutes = async (origin: string): Promise<void> => {
  const health = await fetch(`${origin}/health`);
  assert.deepEqual(await health.json(), { status: 'ok' });
  const note = await postJson(`${origin}/notes`, JSON.stringify({ text: 'still parsed by express.json()' }));
  assert.equal(note.status, 201);
  assert.deepEqual(await note.json(), { text: 'still parsed by express.json()', notes: 1 });
};

const checkGateway = async (base: string, key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'check-1' };
  const body = JSON.stringify({ messages: [{ role: 'user', content: '[[sandbox: echo hello from Express]]' }] });
  const first = await postJson(`${base}/chat/completions`, body, headers);
  assert.equal(first.status, 200);
  const text = await first.text();
  assert.match(text, /"content":"hello from Express"/);
  const again = await postJson(`${base}/chat/completions`, body, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(await again.text(), text);
  const unauthorised = await postJson(`${base}/chat/completions`, body);
  assert.equal(unauthorised.status, 401);
};

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-express-'));
const started = await startServer({ port: 0, database: path.join(folder, 'tollgate.db') });
try {
  await checkOldRoutes(started.origin);
  await checkGateway(`${started.origin}${gatewayPath}`, await createKey(started.gateway.admin));
  const audit = await started.gateway.admin.audit();
  assert.deepEqual(audit.violations, []);
} finally {
  await started.close();
  await rm(folder, { recursive: true, force: true });
}
console.log('express-existing-server: the old routes and the gateway answer');
