import { expect, test } from 'vitest';
import { fakeClock } from './fake-clock.ts';

test('stands still until it is turned', async () => {
  const clock = fakeClock(5);
  expect(clock.now()).toBe(5);
  await clock.advance(10);
  expect([clock.now(), clock.monotonicMs()]).toEqual([15, 15]);
});

test('runs what falls due in the order of time, each at its own', async () => {
  const clock = fakeClock();
  const ran: [string, number][] = [];
  clock.after(20, () => ran.push(['late', clock.now()]));
  clock.after(10, () => ran.push(['early', clock.now()]));
  clock.after(31, () => ran.push(['never', clock.now()]));
  await clock.advance(30);
  expect(ran).toEqual([
    ['early', 10],
    ['late', 20],
  ]);
  expect(clock.waiting()).toBe(1);
});

test('runs what a timer sets off within the same turn', async () => {
  const clock = fakeClock();
  const ran: number[] = [];
  const again = (): void => {
    ran.push(clock.now());
    clock.after(10, again);
  };
  clock.after(10, again);
  await clock.advance(35);
  expect(ran).toEqual([10, 20, 30]);
});

test('runs a promise chain between two timers', async () => {
  const clock = fakeClock();
  const woken: number[] = [];
  const sleeper = async (): Promise<void> => {
    await clock.sleep(10);
    woken.push(clock.now());
    await clock.sleep(10);
    woken.push(clock.now());
  };
  void sleeper();
  await clock.advance(20);
  expect(woken).toEqual([10, 20]);
});

test('does not run a cancelled timer', async () => {
  const clock = fakeClock();
  let ran = false;
  const cancelTimer = clock.after(1, () => {
    ran = true;
  });
  cancelTimer();
  await clock.advance(5);
  expect(ran).toBe(false);
});
