import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { createGateway } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { acceptOne, chatHead, openRawSocket } from './raw-socket.ts';
import { createOwnGateway, greeting, postChat, serveOwnGateway } from './served-gateway.ts';

test('lets requests under way finish, and refuses new ones, before it closes', async () => {
  const own = await serveOwnGateway();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const running = postChat(own);
  await own.provider.received(1);
  // A request whose head is still under way keeps its connection open.
  const accepted = acceptOne(own.server.server);
  const late = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  const head = chatHead(own.key, `Content-Length: ${greeting.length}`);
  late.write(head.slice(0, 40));
  while (serverSide.bytesRead === 0) await new Promise((turn) => setImmediate(turn));
  const closing = own.server.close();
  late.write(head.slice(40) + greeting);
  const refusal = await late.received(/service_unavailable/);
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusal).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(refusal).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
  resolve();
  expect((await running).status).toBe(200);
  await closing;
  late.socket.destroy();
  expect(own.provider.calls.length).toBe(1);
  await expect(postChat(own)).rejects.toThrow('fetch failed');
});

test('parks as uncertain what does not finish in time', async () => {
  const disk = createMemoryDisk();
  const own = await serveOwnGateway({ disk, drainMs: 0 });
  own.provider.script({ kind: 'never' });
  const stuck = postChat(own, { identity: 'stuck' }).catch(() => null);
  await own.provider.received(1);
  await own.server.close();
  await stuck;
  const after = await createGateway({ storage: memoryStorage({ disk }), provider: own.provider });
  onTestFinished(() => after.close({ drainMs: 0 }));
  const [operation] = await after.admin.listOperations({ kind: 'project', projectId: own.projectId });
  expect([operation?.state, operation?.errorCode]).toEqual(['uncertain', 'settlement_pending']);
  expect(operation?.holdMicros).toBeGreaterThan(0n);
  expect((await after.admin.readWallet(own.accountId))?.reservedMicros).toBe(operation?.holdMicros);
});

test('answers 503 in process from the moment it closes, and closes once', async () => {
  const own = await createOwnGateway();
  const closing = [own.gateway.close(), own.gateway.close()];
  const refused = await own.gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/models', { headers: { authorization: `Bearer ${own.key}` } }),
  );
  expect(refused.status).toBe(503);
  expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  await Promise.all(closing);
});
