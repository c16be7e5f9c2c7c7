import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { microsFromCredits } from '@tollgate/engine';
import { NotExecuted } from '@tollgate/provider';
import { openaiProvider } from '@tollgate/provider-openai';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { consoleLogger } from './console-logger.ts';
import { createGateway } from './create-gateway.ts';

/** What the default logger writes to standard error, line by line. */
const spyOnErrors = () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((line: unknown) => void lines.push(String(line)));
  return { lines, restore: () => spy.mockRestore() };
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1`;
};

/** One chat call against the upstream, and the lines that the default logger wrote of it. */
const logOfCall = async (baseUrl: string): Promise<readonly string[]> => {
  const { lines, restore } = spyOnErrors();
  closers.push(restore);
  const provider = openaiProvider({ baseUrl, apiKey: 'sk-very-secret', retry: { attemptsMax: 1 } });
  const gateway = await createGateway({
    storage: sqliteStorage({ path: ':memory:' }),
    provider,
    contextSecret: 'x'.repeat(32),
  });
  closers.push(
    () => gateway.close(),
    () => provider.close?.(),
  );
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'a' });
  await admin.deposit({ accountId, amountMicros: microsFromCredits('10'), reference: 'r' });
  const project = await admin.createProject({ accountId, name: 'p' });
  const created = await admin.createKey({ projectId: project?.id ?? '', model: null });
  lines.length = 0;
  await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${created?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'flash-3.8', messages: [{ role: 'user', content: 'hi' }] }),
    }),
  );
  return lines;
};

const refusing = async (status: number, body: string): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(body));
  });
  closers.push(() => server.close());
  return listen(server);
};

test.each([
  [400, 'the model is not loaded', ['status 400: the model is not loaded']],
  [
    401,
    '{"error":{"message":"Incorrect API key provided: sk-very-secret","code":"invalid_api_key"}}',
    ['status 401, invalid_api_key: Incorrect API key provided: [key]'],
  ],
])('the default logger says why an upstream refused, without a stack: %i', async (status, body, why) => {
  const [line = '', ...more] = await logOfCall(await refusing(status, body));
  expect(more).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ message: 'not executed', cause: [expect.any(String), ...why] });
  expect(line).not.toContain('stack');
  expect(line).not.toContain('sk-very-secret');
});

test('the default logger says that nothing listens at the address of an upstream', async () => {
  const server = createServer();
  const baseUrl = await listen(server);
  await new Promise((resolve) => void server.close(resolve));
  const [line = ''] = await logOfCall(baseUrl);
  expect(JSON.parse(line)).toMatchObject({ cause: [expect.any(String), expect.stringContaining('ECONNREFUSED')] });
});

test('the default logger keeps the stack of an unexpected failure', () => {
  const { lines, restore } = spyOnErrors();
  closers.push(restore);
  consoleLogger.error('failed', { cause: new TypeError('of undefined') });
  consoleLogger.warn('refused', { cause: new NotExecuted({ reason: 'failed' }) });
  const [unexpected, expected] = lines.map((line): unknown => JSON.parse(line));
  expect(unexpected).toMatchObject({ cause: ['TypeError: of undefined'], stack: expect.stringContaining('at ') });
  expect(expected).not.toHaveProperty('stack');
});
