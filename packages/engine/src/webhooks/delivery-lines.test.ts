import type { DeliveryRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { sampleRecords } from '../../../testing/src/storage/sample-records.ts';
import { breathe } from '../../test/engine-world.ts';
import { createDeliveryLines } from './delivery-lines.ts';

const delivery = (id: string, webhookId: string): DeliveryRecord => ({ ...sampleRecords.delivery(id), webhookId });

const createWorld = () => {
  let nowMs = 0;
  const sent: string[] = [];
  const putOff: string[] = [];
  let idled = 0;
  const ends: (() => void)[] = [];
  const lines = createDeliveryLines({
    monotonicMs: () => nowMs,
    waitMs: 2_000,
    putOff: ({ id }) => void putOff.push(id),
    whenIdle: () => {
      idled += 1;
    },
  });
  const send = ({ id }: DeliveryRecord): Promise<void> => {
    sent.push(id);
    return new Promise((resolve) => ends.push(resolve));
  };
  /** Adds so many deliveries of a webhook; each is sent until it is ended. */
  const add = (webhookId: string, count: number, projectId = 'p'): void => {
    const webhook = { id: webhookId, url: `https://${webhookId}.example.com/`, projectId };
    lines.add(
      { webhook, send },
      Array.from({ length: count }, (_, at) => delivery(`${webhookId}-${at}`, webhookId)),
    );
  };
  /** Ends the delivery that has been sent for the longest time. */
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await breathe();
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { lines, sent, putOff, idled: () => idled, add, end, pass };
};

test('sends the next delivery of a webhook as soon as one of eight ends', async () => {
  const { lines, sent, idled, add, end } = createWorld();
  add('a', 10);
  expect([sent.length, lines.count()]).toEqual([8, 8]);
  await end();
  expect([sent.length, sent.at(-1), lines.count()]).toEqual([9, 'a-8', 8]);
  add('a', 1);
  expect(sent).toHaveLength(9);
  let isIdle = false;
  const watch = async (): Promise<void> => {
    await lines.idle();
    isIdle = true;
  };
  void watch();
  for (let left = 10; left > 0; left -= 1) {
    expect([isIdle, idled()]).toEqual([false, 0]);
    await end();
  }
  expect([sent.length, lines.count(), isIdle, idled()]).toEqual([11, 0, true, 1]);
  await lines.idle();
});

test('puts off what has waited too long when its turn comes, and sends what has not', async () => {
  const { sent, putOff, add, end, pass } = createWorld();
  add('a', 10);
  pass(2_000);
  await end();
  expect([sent.length, putOff]).toEqual([9, []]);
  pass(1);
  add('a', 1);
  await end();
  expect([sent.length, putOff]).toEqual([10, ['a-9']]);
});

test('gives room that webhooks share to each in turn', async () => {
  const { sent, add, end } = createWorld();
  for (const webhookId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) add(webhookId, 10);
  expect(sent).toHaveLength(64);
  add('i', 2);
  expect(sent).toHaveLength(64);
  // The line of a is the first that is served, and then the last.
  await end();
  expect(sent.slice(64)).toEqual(['a-8']);
  await end();
  expect(sent.slice(64)).toEqual(['a-8', 'i-0']);
});

test('has 256 deliveries of one webhook wait, and 1,024 in all', () => {
  const { putOff, sent, add } = createWorld();
  add('a', 8 + 256 + 1);
  expect([sent.length, putOff]).toEqual([8, ['a-264']]);
  for (const webhookId of ['b', 'c', 'd']) add(webhookId, 8 + 256, webhookId);
  expect(putOff).toHaveLength(1);
  add('e', 9, 'e');
  expect([sent.length, putOff]).toEqual([40, ['a-264', 'e-8']]);
});

test('sends nothing of a webhook whose address cannot be read', () => {
  const { lines, sent } = createWorld();
  const webhook = { id: 'a', url: 'no address', projectId: 'p' };
  expect(() => lines.add({ webhook, send: () => Promise.resolve() }, [delivery('1', 'a')])).toThrow('Invalid URL');
  expect([sent, lines.count()]).toEqual([[], 0]);
});
