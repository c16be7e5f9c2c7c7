import { expect, test } from 'vitest';
import { readEvents } from './read-events.ts';
import type { ServerEvent } from './server-event.ts';

const streamOf = (texts: readonly string[], onCancel?: () => void): ReadableStream<Uint8Array> => {
  const rest = texts.values();
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { done, value } = rest.next();
      if (done === true) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    cancel: () => onCancel?.(),
  });
};

test('gives the events of a byte stream in order and drops one that is cut off', async () => {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(streamOf(['data: a\n\nda', 'ta: b\n\n', 'data: c\n']), { eventBytesMax: 64 }))
    events.push(event);
  expect(events).toEqual([{ data: 'a' }, { data: 'b' }]);
});

test('cancels the stream when the reader leaves the loop', async () => {
  let cancelled = false;
  const stream = streamOf(['data: a\n\n', 'data: b\n\n'], () => {
    cancelled = true;
  });
  for await (const event of readEvents(stream, { eventBytesMax: 64 })) {
    expect(event).toEqual({ data: 'a' });
    break;
  }
  expect(cancelled).toBe(true);
});

test('throws for an event that is too large, after the events before it, and cancels the stream', async () => {
  let cancelled = false;
  const stream = streamOf([`data: a\n\n${'x'.repeat(65)}`, 'x', 'x'], () => {
    cancelled = true;
  });
  const seen: ServerEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of readEvents(stream, { eventBytesMax: 64 })) seen.push(event);
  };
  await expect(read()).rejects.toMatchObject({ code: 'event_too_large' });
  expect(seen).toEqual([{ data: 'a' }]);
  expect(cancelled).toBe(true);
});

test('throws what the stream throws', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('reset')) });
  await expect(readEvents(broken, { eventBytesMax: 64 }).next()).rejects.toThrow('reset');
});
