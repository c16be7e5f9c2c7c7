import { expect, test } from 'vitest';
import { createErrands } from './errands.ts';

test('stops what is under way and waits until it has stopped', async () => {
  const errands = createErrands();
  const seen: string[] = [];
  const errand = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        seen.push('stopped');
        resolve();
      });
    });
  const running = errands.run(errand);
  await errands.run(() => Promise.resolve());
  expect(errands.count()).toBe(1);
  await errands.stop();
  await running;
  expect(seen).toEqual(['stopped']);
  expect(errands.count()).toBe(0);
});
