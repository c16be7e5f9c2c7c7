import { expect, test } from 'vitest';
import { openEventStore } from '../examples/webhook-receiver/src/event-store.ts';
import { receive, type Post } from '../examples/webhook-receiver/src/receive.ts';
import { sign } from '../packages/signature/src/index.ts';

const nowMs = 1_795_147_200_000;
const secret = 'whsec_example';

const postOf = (id: string, signedBy = secret): Post => {
  const body = Buffer.from(JSON.stringify({ id, type: 'request.completed' }));
  const timestamp = String(nowMs / 1_000);
  const headers = new Map([
    ['x-service-event-id', id],
    ['x-service-timestamp', timestamp],
    ['x-service-signature', sign(signedBy, { eventId: id, timestamp, body })],
  ]);
  return { header: (name) => headers.get(name) ?? null, body };
};

test('the receiver of the example handles each event once, and acknowledges what is stored only [webhooks:verify:receiver-dedupe]', () => {
  const store = openEventStore(':memory:');
  const options = { secrets: [secret], store, nowMs };
  expect([receive(postOf('a'), options), receive(postOf('a'), options), receive(postOf('b'), options)]).toEqual([
    201, 200, 201,
  ]);
  const handled: string[] = [];
  const handle = (body: string): void => void handled.push(body);
  store.handleNew(handle);
  receive(postOf('a'), options);
  store.handleNew(handle);
  expect(handled).toHaveLength(2);
  store.close();
  // Nothing can be stored any more.
  expect(receive(postOf('c'), options)).toBe(503);
});

test('the receiver of the example stores nothing that is not genuine', () => {
  const store = openEventStore(':memory:');
  const options = { secrets: [secret], store, nowMs };
  expect(receive(postOf('a', 'another'), options)).toBe(401);
  expect(receive({ header: () => null, body: Buffer.from('{}') }, options)).toBe(401);
  store.handleNew(() => expect.unreachable());
  store.close();
});
