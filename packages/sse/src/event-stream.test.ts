import { expect, test } from 'vitest';
import { encodeEvent } from './encode-event.ts';
import { createEventDecoder } from './event-decoder.ts';
import { eventStream } from './event-stream.ts';

const heartbeatMs = 15_000;

/** Lets everything that is already settled run on. */
const settle = async (): Promise<void> => {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
};

/** Timers that fire only when told. */
const createManualTimers = () => {
  const waiting = new Map<number, { readonly callback: () => void; readonly delayMs: number }>();
  let last = 0;
  return {
    setTimer: (callback: () => void, delayMs: number): number => {
      last += 1;
      waiting.set(last, { callback, delayMs });
      return last;
    },
    clearTimer: (timer: number): void => {
      waiting.delete(timer);
    },
    fireAll: async (): Promise<void> => {
      await settle();
      // A callback sets the next timer, which belongs to the next round.
      for (const [timer, { callback }] of Array.from(waiting)) {
        waiting.delete(timer);
        callback();
      }
    },
    delays: (): readonly number[] => Array.from(waiting.values(), ({ delayMs }) => delayMs),
  };
};

/** A source whose every step the test decides. */
const createSteppedSource = () => {
  const steps: PromiseWithResolvers<IteratorResult<string>>[] = [];
  let returned = 0;
  return {
    source: {
      [Symbol.asyncIterator]: (): AsyncIterator<string> => ({
        next: () => {
          const step = Promise.withResolvers<IteratorResult<string>>();
          steps.push(step);
          return step.promise;
        },
        return: () => {
          returned += 1;
          return Promise.resolve({ done: true as const, value: undefined });
        },
      }),
    },
    asked: () => steps.length,
    returned: () => returned,
    give: async (value: string) => {
      await settle();
      steps.at(-1)?.resolve({ done: false, value });
    },
    finish: async () => {
      await settle();
      steps.at(-1)?.resolve({ done: true, value: undefined });
    },
    fail: async (error: Error) => {
      await settle();
      steps.at(-1)?.reject(error);
    },
  };
};

const open = () => {
  const timers = createManualTimers();
  const stepped = createSteppedSource();
  const { setTimer, clearTimer } = timers;
  const stream = eventStream({ source: stepped.source, heartbeatMs, setTimer, clearTimer });
  return { timers, stepped, reader: stream.getReader() };
};
type Opened = ReturnType<typeof open>;

const readText = async ({ reader }: Opened): Promise<string | undefined> => {
  const { value } = await reader.read();
  return value === undefined ? undefined : new TextDecoder().decode(value);
};

async function* texts(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

test('sends what the source gives, then ends', async () => {
  const { setTimer, clearTimer } = createManualTimers();
  const events = [encodeEvent({ data: 'grüße' }), encodeEvent({ event: 'b', data: '2' })];
  const stream = eventStream({ source: texts(...events), heartbeatMs, setTimer, clearTimer });
  expect(await new Response(stream).text()).toBe(events.join(''));
});

test("works with the host's own timers", async () => {
  const stream = eventStream({
    source: texts('data: a\n\n'),
    heartbeatMs,
    setTimer: setTimeout,
    clearTimer: clearTimeout,
  });
  expect(await new Response(stream).text()).toBe('data: a\n\n');
});

test('asks the source for nothing before the reader does, and for one event at a time', async () => {
  const opened = open();
  await settle();
  expect(opened.stepped.asked()).toBe(0);
  expect(opened.timers.delays()).toEqual([]);
  const first = readText(opened);
  await settle();
  expect(opened.stepped.asked()).toBe(1);
  await opened.stepped.give('data: 1\n\n');
  expect(await first).toBe('data: 1\n\n');
  await settle();
  expect(opened.stepped.asked()).toBe(1);
  expect(opened.timers.delays()).toEqual([]);
});

test('sends a bare blank line each time the source is silent for the heartbeat', async () => {
  const opened = open();
  const first = readText(opened);
  await settle();
  expect(opened.timers.delays()).toEqual([heartbeatMs]);
  await opened.timers.fireAll();
  expect(await first).toBe('\n');
  const second = readText(opened);
  await opened.timers.fireAll();
  expect(await second).toBe('\n');
  const third = readText(opened);
  await opened.stepped.give('data: 1\n\n');
  expect(await third).toBe('data: 1\n\n');
  expect(opened.timers.delays()).toEqual([]);
});

test('sends heartbeats that no decoder takes for an event', async () => {
  const opened = open();
  const decoder = createEventDecoder({ eventBytesMax: 64 });
  const events: unknown[] = [];
  for (const data of ['a', 'b']) {
    const beat = opened.reader.read();
    await opened.timers.fireAll();
    const heartbeat = await beat;
    const event = opened.reader.read();
    await opened.stepped.give(encodeEvent({ data }));
    for (const { value } of [heartbeat, await event]) if (value !== undefined) events.push(...decoder.push(value));
  }
  expect(events).toEqual([{ data: 'a' }, { data: 'b' }]);
});

test('keeps at most one heartbeat for a reader that has stalled', async () => {
  const opened = open();
  const first = readText(opened);
  for (let beats = 0; beats < 5; beats += 1) await opened.timers.fireAll();
  await opened.stepped.give('data: 1\n\n');
  await settle();
  expect(await first).toBe('\n');
  expect(await readText(opened)).toBe('\n');
  expect(await readText(opened)).toBe('data: 1\n\n');
});

test('stops the source and the heartbeat at once when the reader cancels', async () => {
  const opened = open();
  const first = readText(opened);
  await settle();
  await opened.reader.cancel();
  expect(opened.stepped.returned()).toBe(1);
  expect(opened.timers.delays()).toEqual([]);
  expect(await first).toBeUndefined();
  await opened.stepped.give('data: late\n\n');
  await settle();
  expect(opened.stepped.asked()).toBe(1);
  expect(opened.timers.delays()).toEqual([]);
});

test('stops a source that was never asked', async () => {
  const opened = open();
  await opened.reader.cancel();
  expect(opened.stepped.returned()).toBe(1);
  expect(opened.stepped.asked()).toBe(0);
});

test('breaks the stream when the source throws, and never ends it cleanly', async () => {
  const opened = open();
  const first = opened.reader.read();
  await opened.stepped.give('data: 1\n\n');
  await first;
  const second = opened.reader.read();
  await Promise.all([
    expect(second).rejects.toThrow('upstream reset'),
    opened.stepped.fail(new Error('upstream reset')),
  ]);
  await expect(opened.reader.read()).rejects.toThrow('upstream reset');
  expect(opened.timers.delays()).toEqual([]);
});

test('ends when the source ends, and clears the heartbeat', async () => {
  const opened = open();
  const first = opened.reader.read();
  await settle();
  await opened.stepped.finish();
  expect(await first).toMatchObject({ done: true });
  expect(opened.timers.delays()).toEqual([]);
});
