import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, silentLogger } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';

const odd = 'no-such-id';

/** A gateway that notes which keys its storage is asked for, and a client of it. */
const openGateway = async () => {
  const storage = memoryStorage();
  const asked: string[] = [];
  const gateway = await createGateway({
    storage: {
      ...storage,
      transact: (keys, decide) => {
        asked.push(JSON.stringify(keys));
        return storage.transact(keys, decide);
      },
      read: (keys) => {
        asked.push(JSON.stringify(keys));
        return storage.read(keys);
      },
    },
    logger: silentLogger,
    compatibility: { openai: true, google: true },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Ids' });
  await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Ids' });
  const key = project === null ? null : await gateway.admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const request = new Request(`http://gateway.test/api/v1/ai${path}`, {
      method,
      headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await gateway.fetch(request);
    await answer.text();
    return answer.status;
  };
  return { send, asked };
};

const routes: readonly [method: string, path: string, body: object | undefined][] = [
  ['GET', `/webhooks/${odd}`, undefined],
  ['PATCH', `/webhooks/${odd}`, { enabled: false }],
  ['DELETE', `/webhooks/${odd}`, undefined],
  ['GET', `/webhooks/${odd}/deliveries`, undefined],
  ['GET', `/triggers/${odd}`, undefined],
  ['GET', `/triggers/${odd}/runs`, undefined],
  ['GET', `/files/${odd}`, undefined],
  ['DELETE', `/files/${odd}`, undefined],
  ['GET', `/files/${odd}/content`, undefined],
  ['GET', `/videos/${odd}`, undefined],
  ['GET', `/videos/${odd}/content`, undefined],
  ['POST', `/batches/${odd}/cancel`, undefined],
  ['GET', `/interactions/${odd}`, undefined],
  ['DELETE', `/caches/${odd}`, undefined],
  ['GET', `/requests/${odd}`, undefined],
  ['GET', `/responses/resp_${odd}`, undefined],
  ['POST', '/responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: odd }] }] }],
  ['POST', '/models/flash-2.5:generateContent', { contents: [{ parts: [{ fileData: { fileUri: `files/${odd}` } }] }] }],
];

test.each(routes)(
  '%s %s asks the storage for nothing, since some texts are an error of a database',
  async (method, path, body) => {
    const { send, asked } = await openGateway();
    expect(await send(method, path, body)).toBe(404);
    expect(asked.filter((keys) => keys.includes(odd))).toEqual([]);
  },
);
