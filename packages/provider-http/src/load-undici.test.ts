import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadUndici, type UndiciParts } from './load-undici.ts';

const hidden = (): Promise<UndiciParts> =>
  Promise.reject(Object.assign(new Error('not exported'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }));

test.each([
  ['from its own modules', undefined],
  ['from the whole package where that keeps its modules to itself', hidden],
])('loads a pool that has each method of a pool, %s', async (_, load) => {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { createPool, buildConnector } = await loadUndici(load);
  const pool = createPool(`http://127.0.0.1:${port}`, { connect: buildConnector({}) });
  const { statusCode, body } = await pool.request({ path: '/', method: 'GET' });
  expect([statusCode, await body.text()]).toEqual([200, 'hello']);
  await pool.close();
  server.close();
});
