import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadClient, type CreateClient } from './load-client.ts';

const hidden = (): Promise<CreateClient> =>
  Promise.reject(Object.assign(new Error('not exported'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }));

test.each([
  ['from its own modules', undefined],
  ['from the whole package where that keeps its modules to itself', hidden],
])('loads a client that sends, %s', async (_, load) => {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const createClient = await loadClient(load);
  const client = createClient(`http://127.0.0.1:${port}`, {});
  const { statusCode, body } = await client.request({ path: '/', method: 'GET' });
  expect([statusCode, await body.text()]).toEqual([200, 'hello']);
  await client.close();
  server.close();
});
