import { expect, test } from 'vitest';
import { createBackgroundTasks } from './background-tasks.ts';

test('stops what is under way and waits until it has stopped', async () => {
  const tasks = createBackgroundTasks();
  const seen: string[] = [];
  const task = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        seen.push('stopped');
        resolve();
      });
    });
  const running = tasks.run(task);
  await tasks.run(() => Promise.resolve());
  expect(tasks.count()).toBe(1);
  await tasks.stop();
  await running;
  expect(seen).toEqual(['stopped']);
  expect(tasks.count()).toBe(0);
});
