import { expect, test } from 'vitest';
import { fakeClock } from '@tollgate/testing/fakes';
import { withDeadline, type Deadline } from './with-deadline.ts';

const begin = (deadline: Partial<Deadline<string>> = {}) => {
  const clock = fakeClock();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const ended = withDeadline(clock, { ms: 100, ...deadline }, (signal) => {
    signals.push(signal);
    return promise;
  });
  ended.catch(() => undefined);
  const [signal] = signals;
  if (signal === undefined) throw new Error('the work did not begin');
  return { clock, ended, resolve, reject, signal };
};

/** What a promise came to, once every promise that can settle has. */
const stateOf = (ended: Promise<string>): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  ended.then(resolve, (cause: unknown) => resolve(cause instanceof Error ? cause.message : String(cause)));
  setImmediate(() => resolve('waits'));
  return promise;
};

test('returns what work returns in time, and then ends no signal', async () => {
  const { clock, ended, resolve, signal } = begin();
  await clock.advance(99);
  resolve('done');
  expect(await ended).toBe('done');
  await clock.advance(10);
  expect(signal.aborted).toBe(false);
});

test('throws what work throws in time', async () => {
  const { ended, reject } = begin();
  reject(new Error('failed'));
  await expect(ended).rejects.toThrow('failed');
});

test('rejects at the deadline with the reason that the signal has', async () => {
  const { clock, ended, signal } = begin({ late: () => new Error('too late') });
  await clock.advance(100);
  await expect(ended).rejects.toThrow('too late');
  expect(signal.reason).toStrictEqual(new Error('too late'));
});

test('names the time that was given where no reason is', async () => {
  const { clock, ended } = begin();
  await clock.advance(100);
  await expect(ended).rejects.toThrow('the work took longer than 100 ms');
});

test('returns the late result at the deadline', async () => {
  const { clock, ended } = begin({ onLate: () => 'late' });
  await clock.advance(100);
  expect(await ended).toBe('late');
});

test('ends with the outer signal at once', async () => {
  const outer = new AbortController();
  const { ended, signal } = begin({ signal: outer.signal, grace: 5_000 });
  outer.abort(new Error('the process stops'));
  await expect(ended).rejects.toThrow('the process stops');
  expect(signal.reason).toBe(outer.signal.reason);
});

test('begins work with an ended signal where the outer one has ended', async () => {
  const { ended, signal } = begin({ signal: AbortSignal.abort(new Error('the process stops')) });
  expect(signal.aborted).toBe(true);
  await expect(ended).rejects.toThrow('the process stops');
});

test('within microtasks, what work says counts that hears its signal', async () => {
  const { clock, ended, reject, signal } = begin({ grace: 'microtasks' });
  signal.addEventListener('abort', () => void Promise.resolve().then(() => reject(new Error('nothing was sent'))));
  await clock.advance(100);
  await expect(ended).rejects.toThrow('nothing was sent');
  const deaf = begin({ grace: 'microtasks' });
  await deaf.clock.advance(100);
  await expect(deaf.ended).rejects.toThrow('longer than 100 ms');
});

test('waits for its milliseconds after the deadline, and no longer', async () => {
  const { clock, ended, signal } = begin({ grace: 50 });
  await clock.advance(100);
  expect(signal.aborted).toBe(true);
  await clock.advance(49);
  expect(await stateOf(ended)).toBe('waits');
  await clock.advance(1);
  expect(await stateOf(ended)).toBe('the work took longer than 100 ms');
});

test('ends a grace with the outer signal', async () => {
  const outer = new AbortController();
  const { clock, ended } = begin({ grace: 50, signal: outer.signal });
  await clock.advance(100);
  expect(await stateOf(ended)).toBe('waits');
  outer.abort();
  expect(await stateOf(ended)).toBe('the work took longer than 100 ms');
});

test('waits for the end of work whose grace is unlimited', async () => {
  const { clock, ended, resolve, signal } = begin({ grace: 'unlimited' });
  await clock.advance(100);
  expect(signal.aborted).toBe(true);
  expect(await stateOf(ended)).toBe('waits');
  resolve('done at last');
  expect(await ended).toBe('done at last');
});
