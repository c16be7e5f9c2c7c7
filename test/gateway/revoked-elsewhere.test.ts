import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { scriptedProvider } from '@tollgate/testing/fakes';
import { createGateway, silentLogger, type Gateway } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';

const tariff = { version: 'v1', models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '1' } } } };

test('reads nothing with a key that another process revoked a moment ago, though it opened with it before [auth:bearer:revoked]', async () => {
  const disk = createMemoryDisk();
  const open = async (): Promise<Gateway> => {
    const provider = scriptedProvider();
    const gateway = await createGateway({ storage: memoryStorage({ disk }), provider, tariff, logger: silentLogger });
    onTestFinished(() => gateway.close({ drainMs: 0 }));
    return gateway;
  };
  const [one, another] = [await open(), await open()];
  const { id: accountId } = await another.admin.createAccount({ name: 'Revoked' });
  await another.admin.deposit({ accountId, amountMicros: 1_000_000n, reference: 'first' });
  const project = await another.admin.createProject({ accountId, name: 'Revoked' });
  const created = await another.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  const ask = (path: string, body?: unknown): Promise<Response> =>
    one.fetch(
      new Request(`http://gateway.test/api/v1/ai${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${created?.key ?? ''}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const chat = await ask('/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] });
  const { id } = (await chat.json()) as { id: string };
  const requestId = chat.headers.get('x-request-id') ?? id;
  expect(chat.status).toBe(200);
  expect((await ask(`/requests/${requestId}`)).status).toBe(200);
  await another.admin.setKeyStatus(created?.id ?? '', 'revoked');
  const queries = [
    '/models',
    `/requests/${requestId}`,
    '/files',
    '/batches',
    '/interactions',
    '/webhooks',
    '/triggers',
  ];
  const answers = await Promise.all(queries.map(async (path) => [path, (await ask(path)).status]));
  expect(answers).toEqual(queries.map((path) => [path, 401]));
});
